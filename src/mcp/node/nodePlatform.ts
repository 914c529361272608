import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CancelledError, UserError, errorDetail, errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { ListenForCallback, Platform } from '../platform';
import type { FileUri } from '../../base/uri/fileAddress';
import { type UntrustedFolders, createOwnEnvironment } from './commands/searchPath';
import { createAdministratorFiles } from './files/administratorFiles';
import { workspaceFiles } from './files/workspaceFiles';
import { agentPort } from './agents/listen';
import { nodeFiles } from './nodeFiles';
import { createNodePrograms } from './nodePrograms';
import { createNodeTransports } from './nodeTransports';
import { Orphans } from './processes/orphans';
import { SchemaThread } from './schema/schemaThread';
import { createSignInNetwork } from './signInNetwork';
import { thisSystem } from './system';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '../../base/async';
import { escapeMarkup } from '../../base/text/markdown';

const path = '/callback';

/**
 * Listens on a free port of 127.0.0.1, which other machines cannot reach (RFC 8252, 7.3). A given port is known to
 * authorization servers as one of `localhost`, which may be either address of this machine.
 */
export const listenForCallback: ListenForCallback = async (texts, port) => {
  const answer = deferred<URLSearchParams>();
  const giveUp = () => answer.reject(new CancelledError());
  let expected: string | undefined;
  let page: ServerResponse | undefined;

  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const address = request.url ?? '';
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
    const { host, origin: sender } = request.headers;
    // Another host name would mean a page that rebound its own to this machine; another origin, a script.
    const isOwn = origins.some((one) => new URL(one).host === host);
    const foreign = !isOwn || (sender !== undefined && !origins.includes(sender));
    if (foreign) return show(response, 403, texts.unexpected);
    if (request.method !== 'GET' || url?.pathname !== path)
      return show(response, 404, texts.unexpected);
    if (url.searchParams.get('state') !== expected) return show(response, 400, texts.unexpected);
    // The answer is not a sign-in yet: the page waits for the outcome.
    page = response.once('close', () => each((server) => server.closeAllConnections()));
    expected = undefined;
    each((server) => server.close());
    return answer.resolve(url.searchParams);
  };

  const servers = await listenAt(receive, port);
  const each = (does: (server: Server) => void) => servers.forEach(does);
  const conclude = (text: string) => {
    if (page && !page.writableEnded) show(page, 200, text);
  };
  const { port: own } = servers[0].address() as AddressInfo;
  const origin = `http://${port === undefined ? '127.0.0.1' : 'localhost'}:${own}`;
  const origins = [
    origin,
    ...(port === undefined ? [] : [`http://127.0.0.1:${own}`, `http://[::1]:${own}`]),
  ];

  return {
    redirectUrl: `${origin}${path}`,
    async wait(state, signal) {
      expected = state;
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      try {
        return await answer.promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
        expected = undefined;
      }
    },
    succeed: () => conclude(texts.done),
    dispose() {
      each((server) => server.close());
      if (page) conclude(texts.failed);
      else each((server) => server.closeAllConnections());
      if (expected !== undefined) giveUp();
    },
  };
};

/** Listens on a free port of this machine, or on this one at both of its addresses, as far as it has them. */
async function listenAt(
  receive: (request: IncomingMessage, response: ServerResponse) => void,
  port: number | undefined,
): Promise<readonly [Server, ...Server[]]> {
  const listen = (host: string) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer(receive);
      server.once('error', reject).listen(port ?? 0, host, () => resolve(server));
    });
  if (port === undefined) return [await listen('127.0.0.1')];
  const first = await listen('127.0.0.1').catch((error: unknown) => {
    throw portRefused(port, error);
  });
  try {
    return [first, await listen('::1')];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return [first];
    first.close();
    // What listens there would get the answer.
    throw portRefused(port, error);
  }
}

function portRefused(port: number, cause: unknown): UserError {
  const { code } = cause as NodeJS.ErrnoException;
  return new UserError(
    (t) =>
      code === 'EADDRINUSE'
        ? t(
            'Another program listens at port {0}, to which the sign-in comes back. End it, or change "oauth.callbackPort" and what the server has registered.',
            String(port),
          )
        : t('The sign-in cannot come back to port {0}: {1}', String(port), errorMessage(cause)),
    { cause },
  );
}

function show(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(htmlOf(text));
}

function htmlOf(text: string): string {
  const style =
    'body{font:16px system-ui,sans-serif;margin:20vh auto;max-width:32em;padding:0 1em;text-align:center}';
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>MCP Workbench</title><style>${style}</style><h1>MCP Workbench</h1><p>${escapeMarkup(text)}</p>\n`;
}

/**
 * Creates the platform of this machine; processes that were started are noted in `storage`, so that they can be ended,
 * and nothing in folders that are `untrusted` is asked what servers inherit.
 */
export function createNodePlatform(
  storage: FileUri,
  log: Logger,
  untrusted?: UntrustedFolders,
): Platform {
  const { arch, env } = process;
  const environment = createOwnEnvironment(log, process.env, { untrusted });
  const orphans = new Orphans(join(storage.fsPath, 'processes'), log);
  orphans.reap().catch((error: unknown) => log.warn(errorDetail(error)));
  const thread = new SchemaThread();
  return {
    name: `${thisSystem()}-${arch}`,
    env,
    learnEnvironment: environment,
    parallelStarts: Math.max(4, availableParallelism() * 2),
    files: nodeFiles,
    workspaceFiles,
    programs: createNodePrograms(environment),
    openTransports: (mask) => createNodeTransports(orphans, { environment, mask }),
    listenForCallback,
    agents: agentPort,
    administrator: createAdministratorFiles(),
    signInNetwork: createSignInNetwork(),
    runSchemaTask: thread.run,
    dispose: () => thread.dispose(),
  };
}
