import { type SentExchange, notedSignIn } from '../../mcp/traffic/httpExchange';
import type { TrafficRecords } from '../../mcp/traffic/trafficRecorder';
import * as vscode from 'vscode';
import { Authorization } from '../../mcp/auth/authorization';
import { storedSecrets, type TokenStore } from '../../mcp/auth/tokens/credentials';
import { fingerprint } from '../../base/bytes';
import { Emitter } from '../../base/event';
import { kindOf } from '../../mcp/launch/launchKinds';
import type { Environment } from '../../mcp/platform';
import type { ServerDefinition } from '../../mcp/serverConfig';
import { canonicalJson } from '../../base/json';
import type { Logs } from '../../ui/logs';
import { EditorLinks, createBrowserVisits } from './browserVisits';
import type { SignInNetwork } from '../../mcp/http/reach';
import { type AuthorizationUi, notedVisits } from '../../mcp/auth/authorizationUi';
import { BrowserIdentity } from '../../mcp/auth/identity/browserIdentity';
import {
  type FindIdentity,
  type IdentityProvider,
  type IdentityRequest,
  type IdentitySource,
  readIdentityProvider,
} from '../../mcp/auth/identity/identity';
import { createExpand } from '../../config/launch/variables';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { Questions } from '../../ui/questions/questions';
import { pickItem } from '../../ui/steps/pickItem';
import type { WorkbenchWindow } from '../../ui/window';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';

/** The identity token of an account that the editor itself is signed in to. */
export class EditorIdentity implements IdentitySource {
  private readonly authenticationProvider: string;
  private readonly scopes: readonly string[];
  private readonly questions: Pick<Questions, 'ask'>;

  constructor(
    authenticationProvider: string,
    { scopes = 'openid' }: Pick<IdentityProvider, 'scopes'>,
    questions: Pick<Questions, 'ask'>,
  ) {
    this.authenticationProvider = authenticationProvider;
    this.scopes = scopes.split(/\s+/).filter(Boolean);
    this.questions = questions;
  }

  async token(request: IdentityRequest): Promise<string | undefined> {
    const { authenticationProvider } = this;
    const session =
      (await this.session({ silent: true })) ??
      (request.interactive ? await this.ask(request) : undefined);
    if (session && !session.idToken)
      throw new UserError(
        vscode.l10n.t(
          'The account provider "{0}" of the editor gives no identity token. Remove "authenticationProvider" to sign in in the browser.',
          authenticationProvider,
        ),
      );
    return session?.idToken;
  }

  private session(how: vscode.AuthenticationGetSessionOptions) {
    const { authenticationProvider, scopes } = this;
    return vscode.authentication.getSession(authenticationProvider, scopes, how);
  }

  /** Lets the editor ask, whose dialog takes the keyboard and begins on what agrees: in turn, and only where the user wants it. */
  private async ask({ server, signal }: IdentityRequest) {
    const { t } = vscode.l10n;
    const name = plainLabel(server.name);
    const detail = t('"{0}" signs in with it.', name);
    const title = t('{0} needs you to sign in', name);
    const outcome = await this.questions.ask<vscode.AuthenticationSession | 'notNow' | undefined>(
      {
        info: { kind: 'signIn', server, what: t('sign in') },
        declined: 'notNow',
        ask: async (context) => {
          const picked =
            context.wanted === undefined &&
            (await pickItem({
              frame: { title, actions: [], context },
              items: [
                { label: t('Not Now'), grantsNothing: true },
                { label: t('Sign In'), description: this.authenticationProvider, signsIn: true },
              ],
            }));
          const isWanted = !picked || (typeof picked === 'object' && 'signsIn' in picked);
          if (!isWanted || context.signal.aborted) return 'notNow';
          // What the user does in a browser may take any time, for which other questions do not wait.
          return context.setAside(async () => this.session({ createIfNone: { detail } }));
        },
      },
      signal,
    );
    return outcome.kind === 'answered' && outcome.answer !== 'notNow' ? outcome.answer : undefined;
  }

  /** Does nothing: the editor itself asks. */
  showAgain(): void {}

  /** Does nothing: the account is the editor's and stays in its menu of accounts. */
  async forget(): Promise<void> {}
}

interface IdentitiesDeps {
  readonly ui: AuthorizationUi;
  readonly network: SignInNetwork;
  readonly storeFor: (issuer: string) => TokenStore;
  readonly hide: (secret: string) => void;
  readonly env: Environment;
  readonly questions: Pick<Questions, 'ask'>;
}

/** Finds identity providers in the user's settings, and keeps one sign-in for each. */
function createIdentities(deps: IdentitiesDeps): FindIdentity {
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
        : new EditorIdentity(authenticationProvider, provider, deps.questions));
    sources.set(key, source);
    return { name, provider, source };
  };
}

/** Returns the secret of the client, which may be written as an environment variable. */
async function secretOf(
  written: string | undefined,
  deps: Pick<IdentitiesDeps, 'hide' | 'env'>,
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

/** What the sign-in to servers needs of the editor and the machine. */
export interface SignInDeps extends WorkbenchWindow {
  readonly records: TrafficRecords;
}

/** Makes a function that gives each server its sign-in; `undefined` for those without one, such as processes. */
export function createSignIn(
  deps: SignInDeps,
): (definition: ServerDefinition) => Authorization | undefined {
  const { context, logs, questions, platform } = deps;
  const links = new EditorLinks(context.extension.id);
  context.subscriptions.push(vscode.window.registerUriHandler(links));
  const secrets = watchedSecrets(context);
  const ui = createBrowserVisits(links, platform.listenForCallback, questions);
  const identity = { name: 'MCP Workbench' };
  const network = platform.signInNetwork;
  const locks = vscode.Uri.joinPath(context.globalStorageUri, 'locks');
  const findIdentity = createIdentities({
    ui,
    network,
    // Shared by all that need it: one sign-in is for every server of the organization.
    storeFor: (issuer) => createTokenStore(secrets, `\n${issuer}`, logs),
    hide: (secret) => logs.hide([secret]),
    env: platform.env,
    questions,
  });
  return ({ id, name, config }) => {
    const kind = kindOf(config);
    if (kind.signIn(config) === 'none') return undefined;
    // Another workspace may have another server with that name.
    const suffix = `\n${kind.line(config).join(' ')}`;
    const store = createTokenStore(secrets, suffix, logs);
    const note = (exchange: SentExchange) => deps.records.of(id).noteHttp(exchange, undefined);
    return new Authorization(
      { id, name },
      {
        store,
        exclusively: async (key, work) => {
          const file = `${(await fingerprint([key + suffix])).slice(0, 32)}.lock`;
          return platform.files.exclusively(vscode.Uri.joinPath(locks, file), work);
        },
        ui: notedVisits(ui, note),
        network: {
          send: (url, init, route) =>
            notedSignIn(() => network.send(url, init, route), note)(url, init),
          locate: (hostname) => network.locate(hostname),
        },
        identity,
        findIdentity,
        log: logs.ofServer(id),
      },
    );
  };
}

/** Watches the secret storage once, for all servers: the editor says of what changes in any window, but not how. */
export function watchedSecrets({
  secrets,
  subscriptions,
}: Pick<SignInDeps['context'], 'secrets' | 'subscriptions'>) {
  const changed = new Emitter<string>();
  subscriptions.push(
    changed,
    secrets.onDidChange(({ key }) => changed.fire(key)),
  );
  return {
    get: (key: string) => secrets.get(key),
    store: (key: string, value: string) => secrets.store(key, value),
    delete: (key: string) => secrets.delete(key),
    onDidDelete: (watched: string, listener: () => void) =>
      changed.event((key) => {
        if (key !== watched) return;
        const look = (text: string | undefined) => void (text === undefined && listener());
        secrets.get(key).then(look, () => {});
      }),
  };
}

/** Makes a {@link TokenStore} of the secret storage; no log shows the secrets that pass through it. */
function createTokenStore(
  secrets: ReturnType<typeof watchedSecrets>,
  keySuffix: string,
  logs: Logs,
): TokenStore {
  return {
    async get(key) {
      const text = await secrets.get(key + keySuffix);
      if (text !== undefined) logs.hide(storedSecrets(text));
      return text;
    },
    async set(key, value) {
      logs.hide(storedSecrets(value));
      await secrets.store(key + keySuffix, value);
    },
    delete: (key) => secrets.delete(key + keySuffix),
    onDidDelete: (key, listener) => secrets.onDidDelete(key + keySuffix, listener),
  };
}
