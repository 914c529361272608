import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Fetch } from '../http/secureUrl';
import { thisSystem, type System } from './system';

/** Statuses whose responses have no body. */
const bodiless = [204, 205, 304];

/**
 * Returns a `fetch` whose requests all go to a socket or named pipe of this machine, whatever host they name. Unlike
 * the global one it follows no redirect. Fails as that does: with a `TypeError` around the reason.
 */
export function socketFetch(path: string, system: System = thisSystem()): Fetch {
  return async (url, init) => {
    // Most windows have no server at a socket, and outside of the editor nothing else has loaded it.
    const { request: sendRequest } = await import('node:http');
    const { redirect: _, ...rest } = init ?? {};
    const sent = new Request(url, rest);
    const body = sent.body === null ? undefined : Buffer.from(await sent.arrayBuffer());
    const { pathname, search } = new URL(sent.url);
    sent.signal.throwIfAborted();
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = sendRequest({
        socketPath: nativePath(path, system),
        path: pathname + search,
        method: sent.method,
        headers: {
          ...Object.fromEntries(sent.headers),
          host: 'localhost',
          // Nothing is saved by compressing within a machine, and nobody would decompress it here.
          'accept-encoding': 'identity',
          ...(body && { 'content-length': body.length }),
        },
        // A connection that the server has closed in the meantime is never used again.
        agent: false,
        signal: sent.signal,
      });
      outgoing.once('response', resolve);
      outgoing.once('error', (cause) =>
        reject(
          sent.signal.aborted
            ? (sent.signal.reason as Error)
            : new TypeError('fetch failed', { cause }),
        ),
      );
      outgoing.end(body);
    });
    const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = message;
    const headers = new Headers();
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    if (status < 200 || status > 599) {
      message.destroy();
      throw new TypeError('fetch failed', { cause: new Error(`HTTP status ${status}`) });
    }
    if (!bodiless.includes(status))
      return new Response(Readable.toWeb(message) as ReadableStream, {
        status,
        statusText,
        headers,
      });
    message.resume();
    return new Response(null, { status, statusText, headers });
  };
}

/** Returns the path of a pipe as Windows has it, whose addresses leave out what all of them begin with. */
export function nativePath(path: string, system: System): string {
  if (system !== 'win32') return path;
  const name = path.replace(/^[\\/]*(?:[.?][\\/]+)?(?:pipe[\\/]+)?/i, '');
  return `\\\\.\\pipe\\${name.replaceAll('/', '\\')}`;
}
