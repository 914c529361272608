import { JsonParts, alwaysFits } from '../../base/jsonParts';
import { UserError } from '../../base/errors';
import { formatBytes } from '../../base/text/text';
import { type LocalizableMessage, type Translate, inEnglish } from '../../base/translate';
import type { Fetch } from './secureUrl';
import { answeredId, parseObject } from '../protocol/parseObject';
import { ErrorCode } from '../protocol/rpcError';
import { type BodyStep, isEventStream, withBody } from './responseBody';
import { carriageReturn, lineFeed } from '../../base/bytes';

/** Finds where events end in a stream that arrives in pieces: after an empty line. */
class EventEnds {
  /** The two bytes before the piece, since a line ending may be split between pieces. */
  private before: readonly (number | undefined)[] = [undefined, undefined];

  /** Returns the index after the first event that ends in a piece; `undefined` if none does. */
  first(piece: Uint8Array): number | undefined {
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1))
      if (this.endsAt(piece, at)) return at + 1;
    return undefined;
  }

  /** Returns the index after the last event that ends in a piece; `undefined` if none does. */
  last(piece: Uint8Array): number | undefined {
    for (let at = piece.lastIndexOf(lineFeed); at >= 0; at = piece.lastIndexOf(lineFeed, at - 1)) {
      if (this.endsAt(piece, at)) return at + 1;
      if (at === 0) break;
    }
    return undefined;
  }

  /** Moves on to what follows a piece. */
  pass(piece: Uint8Array): void {
    this.before = [...this.before, ...piece.subarray(-2)].slice(-2);
  }

  private endsAt(piece: Uint8Array, at: number): boolean {
    const byteAt = (place: number) => (place < 0 ? this.before[place + 2] : piece[place]);
    const latest = byteAt(byteAt(at - 1) === carriageReturn ? at - 2 : at - 1);
    return latest === lineFeed || latest === carriageReturn;
  }
}

/**
 * Wraps `send` so that no response has a message of more than `maxBytes`, or with too many parts. At the limit, a
 * body ends with an error, and a stream with the answer that its request failed, so that it does not seem to have
 * broken off. A stream that answers no request continues after the message, in whose place such an answer is given
 * if the message was one.
 */
export function limitedFetch(maxBytes: number, send: Fetch, t: Translate = inEnglish): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const { headers, status } = response;
    const isRedirect = status >= 300 && status < 400;
    if (isRedirect || isSmall(headers, maxBytes)) return response;
    return withBody(
      response,
      isEventStream(response)
        ? limitEvents(maxBytes, t, () => requestId(init))
        : limitBody(maxBytes),
    );
  };
}

/** True if a body is known to be within all limits. */
function isSmall(headers: Headers, maxBytes: number): boolean {
  return knownLength(headers) <= alwaysFits(maxBytes);
}

/** Returns the length of a body in bytes; `Infinity` if its headers do not say, or say that of the compressed body. */
function knownLength(headers: Headers): number {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? Infinity : Number(length);
}

function requestId(init: RequestInit | undefined): unknown {
  return typeof init?.body === 'string' ? parseObject(init.body)?.['id'] : undefined;
}

/** Measures one message while it arrives. */
class MessageSize {
  /** The beginning of the message, once it is so long that it may exceed a limit. */
  head = '';
  private bytes = 0;
  /** The pieces of a message that is still too short to have too many parts. */
  private pieces: Uint8Array[] = [];
  private parts: JsonParts | undefined;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Adds the next piece; returns a sentence that says which limit is exceeded, or `undefined`. */
  add(piece: Uint8Array): LocalizableMessage | undefined {
    const { maxBytes } = this;
    this.bytes += piece.length;
    this.pieces.push(piece);
    if (this.bytes > alwaysFits(maxBytes)) {
      if (!this.parts) this.head = excerpt(this.pieces);
      this.parts ??= new JsonParts();
      for (const one of this.pieces) this.parts.add(one);
      this.pieces = [];
    }
    return this.parts?.excess(maxBytes) ?? (this.bytes > maxBytes ? tooLong(maxBytes) : undefined);
  }
}

function limitBody(maxBytes: number): BodyStep {
  const size = new MessageSize(maxBytes);
  return (piece) => {
    const said = size.add(piece);
    if (said !== undefined) throw new UserError(said);
    return { pieces: [piece] };
  };
}

/** @param idOfRequest returns the id of the request that the stream answers, if it answers one. */
function limitEvents(maxBytes: number, t: Translate, idOfRequest: () => unknown): BodyStep {
  const ends = new EventEnds();
  let size = new MessageSize(maxBytes);
  /** An event over the limit whose end has not arrived yet; `answer` is absent once it was given. */
  let skipped:
    { readonly answer?: (tail: string) => readonly Uint8Array[]; tail: string } | undefined;

  const pass: BodyStep = (piece) => {
    const end = ends.last(piece);
    // An event that ends in the same piece that takes it over the limit has arrived already, and is small enough.
    if (end !== undefined) size = new MessageSize(maxBytes);
    const said = size.add(piece.subarray(end));
    ends.pass(piece);
    if (said === undefined) return { pieces: [piece] };
    const failed = (id: unknown) => [failure(id, said(t))];
    const id = idOfRequest();
    if (id !== undefined) return { pieces: [eventEnd, ...failed(id)], isEnd: true };
    const head = dataOf(size.head);
    const answer = (tail: string) => {
      const answered = answeredId(head, tail);
      return answered === undefined ? [] : failed(answered);
    };
    const now = answer('');
    skipped = { tail: '', ...(now.length === 0 && { answer }) };
    return { pieces: [piece, eventEnd, ...now] };
  };

  return (piece) => {
    if (!skipped) return pass(piece);
    const end = ends.first(piece);
    const { answer } = skipped;
    const tail = skipped.tail + excerpt([piece.subarray(0, end).subarray(-excerptBytes)]);
    skipped.tail = tail.slice(-excerptBytes);
    if (end === undefined) {
      ends.pass(piece);
      return { pieces: [new Uint8Array()] };
    }
    skipped = undefined;
    size = new MessageSize(maxBytes);
    ends.pass(piece.subarray(0, end));
    const rest = pass(piece.subarray(end));
    return { ...rest, pieces: [...(answer?.(tail) ?? []), ...rest.pieces] };
  };
}

/** Ends the event that has begun. */
const eventEnd = new TextEncoder().encode('\n\n');

/** Creates the event with the answer that a request failed. */
function failure(id: unknown, message: string): Uint8Array {
  const answer = JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: ErrorCode.internal, message },
  });
  return new TextEncoder().encode(`event: message\ndata: ${answer}\n\n`);
}

const excerptBytes = 1024;

/** Returns the beginning of a message that arrives in these pieces. */
function excerpt(pieces: readonly Uint8Array[]): string {
  let text = '';
  for (const piece of pieces)
    text += new TextDecoder().decode(piece.subarray(0, Math.max(excerptBytes - text.length, 0)));
  return text;
}

/** Returns the message of an event, without its other fields. */
function dataOf(event: string): string {
  return Array.from(event.matchAll(/^data: ?(.*)/gm), ([, line]) => line).join('\n');
}

function tooLong(maxBytes: number): LocalizableMessage {
  return (t) =>
    t('The server sent a message of more than the limit of {0}.', formatBytes(maxBytes));
}
