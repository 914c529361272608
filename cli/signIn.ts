import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { deferred } from '../src/base/async';
import { UserError } from '../src/base/errors';
import { ownValue } from '../src/base/json';
import type { Logger } from '../src/base/log';
import type { SecretMask } from '../src/base/secretMask';
import { addressLabel } from '../src/base/text/address';
import { plainLabel, wordsLabel } from '../src/base/text/text';
import { inEnglish } from '../src/base/translate';
import { Authorization, signInMs } from '../src/mcp/auth/authorization';
import {
  type AuthorizationUi,
  type BrowserCallback,
  type PrepareVisit,
  type SignInPage,
  extentFacts,
  partiesBeside,
  readCallbackAddress,
} from '../src/mcp/auth/authorizationUi';
import { parseOAuthConfig } from '../src/mcp/auth/client/oauthConfig';
import { type TokenStore, storedSecrets } from '../src/mcp/auth/tokens/credentials';
import { isUnattended } from '../src/mcp/auth/tokens/unattended';
import { type WebAddress, concernText, readWebAddress } from '../src/mcp/http/webAddress';
import { kindOf } from '../src/mcp/launch/launchKinds';
import { findCommand } from '../src/mcp/node/commands/findCommand';
import { listenForCallback } from '../src/mcp/node/nodePlatform';
import { systemFolders } from '../src/mcp/node/sandbox/planConfinement';
import { createSignInNetwork } from '../src/mcp/node/signInNetwork';
import { thisSystem } from '../src/mcp/node/system';
import type { AskingServer } from '../src/mcp/protocol/serverRequests';
import type { OAuthConfig, ServerConfig } from '../src/mcp/serverConfig';
import { isWatched, tell } from './terminal';

/** What `--help` of each command that reaches servers says of signing in to them. */
export const signInUsage = `  --sign-in               sign in to servers at a URL that want it: prints where, waits until you have been there in a
                          browser, and keeps the token for this run alone
  --client-id ID          sign in as a client that is registered there, by its id or the URL of its metadata document
  --client-secret-env VAR the environment variable that has its secret; needs --issuer, and without --sign-in, the client
                          signs in by itself (client credentials), as in CI
  --issuer URL            the authorization server of the client; a secret is sent nowhere else
  --scope "A B"           ask for these permissions
  --callback-port PORT    the port of this machine that the client is registered with
`;

/** What to do about a server that needs a sign-in. */
export const signInAdvice =
  'Sign in with --sign-in, or pass a token with --header "Authorization: Bearer …".';

/** The options about signing in, as `parseArgs` takes them. */
export const ofSignIn = {
  'sign-in': { type: 'boolean', default: false },
  'client-id': { type: 'string' },
  'client-secret-env': { type: 'string' },
  issuer: { type: 'string' },
  scope: { type: 'string' },
  'callback-port': { type: 'string' },
} as const;

/** What the command line says about signing in. */
export type SignInValues = {
  readonly [K in Exclude<keyof typeof ofSignIn, 'sign-in'>]?: string | undefined;
} & { readonly 'sign-in'?: boolean | undefined };

/** Reads which client servers are signed in to as; throws a `UserError` if nothing could come of it. */
export function clientOf({
  'sign-in': asks = false,
  'client-id': clientId,
  'client-secret-env': variable,
  issuer,
  scope: scopes,
  'callback-port': callbackPort,
}: SignInValues): OAuthConfig {
  const clientSecret = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && !clientSecret)
    throw new UserError(
      `The environment variable "${variable}" of --client-secret-env has no value.`,
    );
  if (clientSecret && (clientId === undefined || issuer === undefined))
    throw new UserError(
      '--client-secret-env needs --client-id and --issuer: the secret is sent to that authorization server alone.',
    );
  const given = { clientId, clientSecret, issuer, scopes, callbackPort };
  const isGiven = Object.values(given).some((one) => one !== undefined);
  if (isGiven && !asks && !clientSecret)
    throw new UserError(
      '--client-id, --issuer, --scope and --callback-port are for --sign-in or --client-secret-env.',
    );
  const isAlone = clientSecret !== undefined && !asks;
  const parsed = parseOAuthConfig(
    Object.fromEntries(
      Object.entries({ ...given, ...(isAlone && { grantType: 'client_credentials' }) }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
    inEnglish,
  );
  if ('problem' in parsed) throw new UserError(asOptions(parsed.problem));
  return parsed;
}

/** Names the options in place of the keys of a configuration, in what is said of a start. */
export function asOptions(message: string): string {
  return message
    .replaceAll(/"oauth\.(\w+)"/g, (key, name: string) => ownValue(signInOptions, name) ?? key)
    .replace(
      'put its id into the server\'s configuration ("oauth": { "clientId": … })',
      'pass its id with --client-id',
    )
    .replace('"timeouts.start" in its configuration sets', '--connect-timeout sets');
}

const signInOptions: Readonly<Record<string, string>> = {
  clientId: '--client-id',
  clientSecret: '--client-secret-env',
  issuer: '--issuer',
  scopes: '--scope',
  callbackPort: '--callback-port',
};

/** Whoever signs in, and what they see and write. */
export interface SignInTerminal {
  /** False if nobody may read what is said, as in CI. */
  readonly isWatched: boolean;
  readonly say: (text: string) => void;
  /** Where they write; `undefined` if that is no terminal. */
  readonly input: NodeJS.ReadableStream | undefined;
  /** Opens a page in the browser of this machine; resolves to false if that failed. */
  readonly open: (address: WebAddress) => Promise<boolean>;
}

/** The terminal that this program runs in. */
function thisTerminal(): SignInTerminal {
  const { stdin } = process;
  return {
    isWatched: isWatched(),
    say: tell,
    input: stdin.isTTY ? stdin : undefined,
    open: openBrowser,
  };
}

/** The sign-ins of one run, whose tokens it keeps in memory and for no longer: each server is signed in to once. */
export class SignIns {
  private readonly tokens = new Map<string, string>();
  private readonly options: {
    /** True if whoever runs this may be asked to sign in. */
    readonly asks: boolean;
    /** Is told of the tokens. */
    readonly secrets: SecretMask;
    /** The one that this program runs in, if omitted. */
    readonly terminal?: SignInTerminal;
  };

  constructor(options: SignIns['options']) {
    this.options = options;
  }

  /** True if whoever runs this may be asked to sign in. */
  get asks(): boolean {
    return this.options.asks;
  }

  /** Returns the sign-in to a server; `undefined` for a process, and where it would need somebody who is not to be asked. */
  of(
    { id, name, config }: AskingServer & { readonly config: ServerConfig },
    log: Logger,
  ): Authorization | undefined {
    const kind = kindOf(config);
    const oauth = 'oauth' in config ? config.oauth : undefined;
    if (kind.signIn(config) === 'none' || !(this.asks || isUnattended(oauth))) return undefined;
    const { asks, terminal = thisTerminal() } = this.options;
    return new Authorization(
      { id, name },
      {
        store: this.storeFor([...kind.line(config), oauth?.clientId ?? ''].join('\n')),
        ui: createTerminalVisits(asks ? terminal : { ...terminal, isWatched: false }),
        network: createSignInNetwork(),
        identity: { name: 'MCP Workbench' },
        log,
      },
    );
  }

  private storeFor(suffix: string): TokenStore {
    const { tokens } = this;
    return {
      get: async (key) => tokens.get(key + suffix),
      set: async (key, value) => {
        this.options.secrets.hide(storedSecrets(value));
        tokens.set(key + suffix, value);
      },
      delete: async (key) => void tokens.delete(key + suffix),
    };
  }
}

const texts = {
  done: 'You are signed in. You can close this page and return to the terminal.',
  failed: 'You are not signed in. The terminal says why. You can close this page.',
  unexpected: 'This sign-in has expired.',
};

/** Makes the way to the browser and back for whoever reads a terminal: they open what it prints, or press Enter. */
export function createTerminalVisits(terminal: SignInTerminal): AuthorizationUi {
  const toPort =
    (port?: number): PrepareVisit =>
    async (server) => {
      // Before anything is registered there.
      if (!terminal.isWatched)
        throw new UserError(
          `Signing in to "${server.name}" takes a browser and somebody at a terminal, which this is not. Pass a token with --header "Authorization: Bearer …", or sign in as a program with --client-id, --client-secret-env and --issuer.`,
        );
      const callback = await listenForCallback(texts, port);
      return {
        redirectUrl: callback.redirectUrl,
        succeed: () => callback.succeed(),
        dispose: () => callback.dispose(),
        visit: (page, signal) => visit(server, page, { terminal, callback, signal }),
      };
    };
  return { ways: [toPort()], toPort, showAgain: () => {} };
}

async function visit(
  server: AskingServer,
  page: SignInPage,
  {
    terminal,
    callback,
    signal,
  }: {
    readonly terminal: SignInTerminal;
    readonly callback: BrowserCallback;
    readonly signal: AbortSignal;
  },
): Promise<URLSearchParams> {
  const { say, input } = terminal;
  const address = await readWebAddress(page.url.href, page.reach);
  if (!address)
    throw new UserError(
      `The address of the sign-in page is too long to be opened: ${addressLabel(page.url.href)}.`,
    );
  const over = new AbortController();
  const pasted = deferred<URLSearchParams>();
  const take = (line: string) => {
    const answer = readCallbackAddress(line, page.state);
    if (answer) pasted.resolve(answer);
    else if (line.trim() !== '') say('This is not the address on which this sign-in ends.');
    else
      void terminal.open(address).then((isOpen) => {
        if (!isOpen) say('No browser could be opened. Open the address yourself.');
      });
  };
  const answer = callback.wait(page.state, AbortSignal.any([signal, over.signal]));
  say(await visitText(server, page, { address, canWrite: input !== undefined }));
  // Without `terminal`, Ctrl+C still interrupts this program.
  const lines = input && createInterface({ input, terminal: false }).on('line', take);
  try {
    return await Promise.race([answer, pasted.promise]);
  } finally {
    lines?.close();
    input?.pause();
    over.abort();
    answer.catch(() => {});
  }
}

/** Says whose page it is, who takes part beside, what it grants, and what to do. */
async function visitText(
  server: AskingServer,
  page: SignInPage,
  { address, canWrite }: { readonly address: WebAddress; readonly canWrite: boolean },
): Promise<string> {
  const { site, written, concerns, href } = address;
  const { host, searchParams } = page.url;
  const t = inEnglish;
  const [scope, others] = [searchParams.get('scope'), await partiesBeside(page, t)];
  const facts = [
    ...(host === site ? [] : [`Host: ${addressLabel(host)}`]),
    ...(written === undefined ? [] : [`Looks like: ${addressLabel(written)}`]),
    ...concerns.map((one) => `Caution: ${concernText(one, t)}`),
    ...others.map(({ label, description }) => `Takes part: ${label} (${description})`),
    ...(scope ? [`Permissions: ${wordsLabel(scope, 1000)}`] : []),
    ...(page.more === undefined ? [] : [`More than before: ${wordsLabel(page.more, 1000)}`]),
    ...extentFacts(page, t).map(
      ({ label, description }) => `Caution: ${[label, description].filter(Boolean).join('. ')}`,
    ),
  ];
  const open = canWrite
    ? 'Press Enter to open this address, or open it yourself'
    : 'Open this address';
  return [
    `"${plainLabel(server.name)}" needs you to sign in at ${addressLabel(site)}. Do so only if you know this site.`,
    ...facts,
    `${open} in a browser within ${signInMs / 60_000} minutes:`,
    href,
    ...(canWrite
      ? ['If the browser ends on a page that it cannot reach, paste the address of that page here.']
      : []),
  ].join('\n');
}

/** Opens a page in the browser of this machine, whose address is that of a page, and no option of a program. */
async function openBrowser({ href }: WebAddress): Promise<boolean> {
  const system = thisSystem();
  const windows = process.env['SystemRoot'] ?? 'C:\\Windows';
  const opener = await findCommand('xdg-open', { PATH: systemFolders }, { system });
  const [command, ...args] =
    system === 'win32'
      ? [join(windows, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler']
      : [system === 'darwin' ? '/usr/bin/open' : (opener ?? '/usr/bin/xdg-open')];
  return new Promise((resolve) => {
    // What it runs itself is looked up by PATH, which may name the folder that it is in.
    const options = { stdio: 'ignore', detached: true, cwd: parse(homedir()).root } as const;
    const child = spawn(command, [...args, href], options);
    child
      .once('error', () => resolve(false))
      .once('exit', (code) => resolve(code === 0))
      .unref();
  });
}
