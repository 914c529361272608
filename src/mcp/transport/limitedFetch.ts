import { alwaysFits, JsonParts } from '../../base/bytes/jsonParts';
import { UserError } from '../../base/errors';
import { formatBytes } from '../../base/text/text';
import { inEnglish, type Sentence, type Translate } from '../../base/translate';
import type { Fetch } from '../auth/secureUrl';
import { parseObject } from '../protocol/parseObject';
import { ErrorCode } from '../protocol/rpcError';
import { EventEnds } from './eventEnds';
import { withBody, type BodyStep } from './responseBody';

/**
 * `send`, but no response has a message of more than `maxBytes`, or of too many parts: a body ends in an error there, and a
 * stream with the answer that the request failed, so that it is not taken for one that broke off.
 */
export function limitedFetch(maxBytes: number, send: Fetch, t: Translate = inEnglish): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const { headers, status } = response;
    const isRedirect = status >= 300 && status < 400;
    if (isRedirect || isSmall(headers, maxBytes)) return response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    return withBody(
      response,
      isStream ? limit(maxBytes, t, () => requestId(init)) : limit(maxBytes, t),
    );
  };
}

/** True where a body is known to be within all limits. */
function isSmall(headers: Headers, maxBytes: number): boolean {
  return knownLength(headers) <= alwaysFits(maxBytes);
}

/** The length of a body in bytes, infinite where its headers do not say; a packed one says another. */
function knownLength(headers: Headers): number {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? Infinity : Number(length);
}

function requestId(init: RequestInit | undefined): unknown {
  return typeof init?.body === 'string' ? parseObject(init.body)?.['id'] : undefined;
}

/** @param idOfRequest the id of the request that a stream answers; absent where the body is one message. */
function limit(maxBytes: number, t: Translate, idOfRequest?: () => unknown): BodyStep {
  let bytes = 0;
  /** Of a message that is still too short to have too many parts. */
  let pieces: Uint8Array[] = [];
  let parts: JsonParts | undefined;
  const ends = new EventEnds();
  return (chunk) => {
    bytes += chunk.length;
    let latest = chunk;
    if (idOfRequest) {
      const end = ends.last(chunk);
      // What ends in the piece that takes it over the limit is here already, and small enough.
      if (end !== undefined) {
        latest = chunk.subarray(end);
        bytes = latest.length;
        pieces = [];
        parts = undefined;
      }
      ends.pass(chunk);
    }
    pieces.push(latest);
    if (bytes > alwaysFits(maxBytes)) {
      parts ??= new JsonParts();
      for (const piece of pieces) parts.add(piece);
      pieces = [];
    }
    const said = parts?.excess(maxBytes) ?? (bytes > maxBytes ? tooLong(maxBytes) : undefined);
    if (said === undefined) return { pieces: [chunk] };
    const id = idOfRequest?.();
    if (id === undefined) throw new UserError(said);
    const error = { code: ErrorCode.internal, message: said(t) };
    const answer = JSON.stringify({ jsonrpc: '2.0', id, error });
    const event = `\n\nevent: message\ndata: ${answer}\n\n`;
    return { pieces: [new TextEncoder().encode(event)], isEnd: true };
  };
}

function tooLong(maxBytes: number): Sentence {
  return (t) =>
    t('The server sent a message of more than the limit of {0}.', formatBytes(maxBytes));
}
