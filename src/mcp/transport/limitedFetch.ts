import { UserError } from '../../base/errors';
import { formatBytes } from '../../base/text';
import type { Fetch } from '../auth/secureUrl';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** `send`, but the body of a response fails that has a message, or an event of a stream, of more than `maxBytes`. */
export function limitedFetch(maxBytes: number, send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const { body, headers, status, statusText } = response;
    const isRedirect = status >= 300 && status < 400;
    if (!body || isRedirect || knownLength(headers) <= maxBytes) return response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const limited = body.pipeThrough(limit(maxBytes, isStream));
    return new Response(limited, { status, statusText, headers });
  };
}

/** The length of a body in bytes, infinite where its headers do not say; a packed one says another. */
function knownLength(headers: Headers): number {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? Infinity : Number(length);
}

function limit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let atLineStart = false;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isStream) {
        const end = eventEnd(chunk, atLineStart);
        if (end !== undefined) bytes = chunk.length - end;
        atLineStart = isLineEnd(chunk.at(-1));
      }
      if (bytes <= maxBytes) controller.enqueue(chunk);
      else controller.error(new UserError(tooLong(maxBytes)));
    },
  });
}

/** Where in a piece of a stream its last event ends: behind an empty line. */
function eventEnd(chunk: Uint8Array, atLineStart: boolean): number | undefined {
  for (let at = chunk.lastIndexOf(lineFeed); at >= 0; at = chunk.lastIndexOf(lineFeed, at - 1)) {
    const before = chunk[at - 1] === carriageReturn ? at - 2 : at - 1;
    if (before < 0 ? atLineStart : isLineEnd(chunk[before])) return at + 1;
    if (at === 0) break;
  }
  return undefined;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

function tooLong(maxBytes: number): string {
  return `The server sent a message of more than the limit of ${formatBytes(maxBytes)}.`;
}
