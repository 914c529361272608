import * as vscode from 'vscode';
import { looksSecret } from '../../base/secrets/secrets';
import { Authorization } from '../../mcp/auth/authorization';
import type { TokenStore } from '../../mcp/auth/tokens/tokenStore';
import { fingerprint } from '../../mcp/fingerprint';
import { kindOf } from '../../mcp/launch/launchKinds';
import type { Platform } from '../../mcp/platform';
import type { ServerDefinition } from '../../mcp/serverConfig';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import { createBrowserVisits } from './browserVisits';
import { EditorLinks } from './editorLinks';
import { createIdentities } from './identities';

/** Makes a function that gives each server its sign-in; `undefined` for those without one, such as processes. */
export function createSignIn(deps: {
  readonly context: vscode.ExtensionContext;
  readonly logs: Logs;
  readonly questions: Questions;
  readonly platform: Platform;
}): (definition: ServerDefinition) => Authorization | undefined {
  const { context, logs, questions, platform } = deps;
  const links = new EditorLinks(context.extension.id);
  context.subscriptions.push(vscode.window.registerUriHandler(links));
  const ui = createBrowserVisits(links, platform.listenForCallback, questions);
  const identity = { name: 'MCP Workbench' };
  const network = platform.signInNetwork;
  const locks = vscode.Uri.joinPath(context.globalStorageUri, 'locks');
  const findIdentity = createIdentities({
    ui,
    network,
    // Shared by all that need it: one sign-in is for every server of the organization.
    storeFor: (issuer) => createTokenStore(context.secrets, `\n${issuer}`, logs),
    hide: (secret) => logs.hide([secret]),
    env: platform.env,
  });
  return ({ id, name, config }) => {
    const kind = kindOf(config);
    if (kind.signIn(config) === 'none') return undefined;
    // Another workspace may have another server with that name.
    const suffix = `\n${kind.line(config).join(' ')}`;
    const store = createTokenStore(context.secrets, suffix, logs);
    return new Authorization(
      { id, name },
      {
        store,
        exclusively: async (key, work) => {
          const file = `${(await fingerprint([key + suffix])).slice(0, 32)}.lock`;
          return platform.files.exclusively(vscode.Uri.joinPath(locks, file), work);
        },
        ui,
        network,
        identity,
        findIdentity,
        log: logs.ofServer(id),
      },
    );
  };
}

/** Makes a {@link TokenStore} of the secret storage; no log shows the secrets that pass through it. */
function createTokenStore(
  secrets: vscode.SecretStorage,
  keySuffix: string,
  logs: Logs,
): TokenStore {
  return {
    async get(key) {
      const text = await secrets.get(key + keySuffix);
      if (text !== undefined) logs.hide(secretsIn(text));
      return text;
    },
    async set(key, value) {
      logs.hide(secretsIn(value));
      await secrets.store(key + keySuffix, value);
    },
    delete: (key) => secrets.delete(key + keySuffix),
  };
}

/** Returns the texts in a JSON document whose names look secret. */
function secretsIn(json: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (name, value: unknown) => {
      if (typeof value === 'string' && looksSecret(name) && name !== 'token_type')
        found.push(value);
      return value;
    });
  } catch {
    // What cannot be read is not used either.
  }
  return found;
}
