import type { SignInNetwork } from '../../mcp/auth/authorizationFetch';
import type { AuthorizationUi } from '../../mcp/auth/authorizationUi';
import { BrowserIdentity } from '../../mcp/auth/identity/browserIdentity';
import type { FindIdentity, IdentitySource } from '../../mcp/auth/identity/identity';
import { readIdentityProvider } from '../../mcp/auth/identity/identityProvider';
import type { TokenStore } from '../../mcp/auth/tokens/tokenStore';
import type { Environment } from '../../mcp/platform';
import { canonicalJson } from '../../mcp/serverConfig';
import { createExpand } from '../../config/launch/variables';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import { EditorIdentity } from './editorIdentity';

/** Finds identity providers in the user's settings, and keeps one sign-in for each. */
export function createIdentities(deps: {
  readonly ui: AuthorizationUi;
  readonly network: SignInNetwork;
  readonly storeFor: (issuer: string) => TokenStore;
  readonly hide: (secret: string) => void;
  readonly env: Environment;
}): FindIdentity {
  const sources = new Map<string, IdentitySource>();
  return async (name) => {
    const providers = readSetting(Setting.identityProviders);
    const written = Object.hasOwn(providers, name) && readIdentityProvider(providers[name]);
    if (!written) return undefined;
    const provider = { ...written, ...(await secretOf(written.clientSecret, deps)) };
    const key = canonicalJson(provider);
    const { issuer, authenticationProvider } = provider;
    const source =
      sources.get(key) ??
      (authenticationProvider === undefined
        ? new BrowserIdentity(provider, { ...deps, store: deps.storeFor(issuer) })
        : new EditorIdentity(authenticationProvider, provider));
    sources.set(key, source);
    return { name, provider, source };
  };
}

/** Returns the secret of the client, which may be written as an environment variable. */
async function secretOf(
  written: string | undefined,
  deps: Pick<Parameters<typeof createIdentities>[0], 'hide' | 'env'>,
): Promise<{ readonly clientSecret?: string }> {
  if (written === undefined) return {};
  const expand = createExpand({
    env: deps.env,
    userHome: '',
    pathSeparator: '/',
    workspaceFolder: () => undefined,
    input: async (id) => `\${input:${id}}`,
  });
  const clientSecret = await expand(written);
  deps.hide(clientSecret);
  return { clientSecret };
}
