import { backslash, carriageReturn, colon, lineFeed, quote, space } from '../../base/bytes';
import { type Fetch, encryptedBeside } from './secureUrl';
import { parseObject, unreadableResult } from '../protocol/parseObject';
import type { LocalizableMessage } from '../../base/translate';
import { isEventStream, mediaTypeOf, withBody } from './responseBody';

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const bytes = (text: string) => new TextEncoder().encode(text);

/** What must be an object, by how deep it is nested in a message: its result, and the metadata of that or of `params`. */
const names: Readonly<Record<number, Uint8Array>> = { 1: bytes('result'), 2: bytes('_meta') };

interface Insertion {
  readonly text: Uint8Array;
  readonly isBehind?: true;
}

/** Before metadata that is not an object, this makes it the value of another name. */
const emptyMeta: Insertion = { text: bytes('{},"_unreadableMeta":') };
/** Around a result that is a list, these make it an object with that list. */
const beforeList: Insertion = { text: bytes(`{"${unreadableResult}":`) };
const behindList: Insertion = { text: bytes('}'), isBehind: true };

/**
 * Wraps `send` to replace a message's metadata with an empty object if it is not an object, and a result that is a list
 * with an object that has it as {@link unreadableResult}: the transports would discard the whole message because of it,
 * and its recipient would wait in vain.
 */
export function fetchReadableMeta(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const isStream = isEventStream(response);
    if (!response.ok || !(isStream || mediaTypeOf(response) === 'application/json'))
      return response;
    const normalizer = new MessageNormalizer(isStream);
    return withBody(response, (piece) => ({ pieces: normalizer.normalize(piece) }));
  };
}

/** The most of a body that is looked at to find what it is, in bytes. */
const maxBeginning = 16_384;

/** How a message or a list of them begins. */
const jsonBeginning = /^(?:\{|\[\s*[{\]])/;

/** How a stream of events begins: with the name of one or its data, behind nothing but comments and other fields. */
const eventBeginning =
  /^(?:(?::|id:|retry:)[^\r\n]*[\r\n]+)*(?:event:[^\r\n]*[\r\n]|data: ?[{[\r\n])/;

/** What may become either of them. */
const openBeginning =
  /^(?:\[\s*)?$|^(?:(?::|id:|retry:)[^\r\n]*[\r\n]+)*(?:(?::|id:|retry:|event:)[^\r\n]*|data: ?|e|ev|eve|even|event|d|da|dat|data|i|id|r|re|ret|retr|retry)?$/;

/**
 * Wraps `send` so that an answer with a content type that is missing or of neither kind is read as what it begins like, JSON
 * or a stream of events; `onFault` gets a sentence about each. What has its right type is not looked at.
 */
export function fetchReadableType(
  send: Fetch,
  onFault: (sentence: LocalizableMessage) => void,
): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const { status, body } = response;
    const isAnswer = response.ok && status !== 202 && body && asksForAnswer(init);
    if (!isAnswer || isEventStream(response) || mediaTypeOf(response) === 'application/json')
      return response;
    const begin = await beginningOf(body);
    const text = visible(begin);
    const type = jsonBeginning.test(text)
      ? 'application/json'
      : eventBeginning.test(text)
        ? 'text/event-stream'
        : undefined;
    const headers = new Headers(response.headers);
    if (type !== undefined) {
      headers.set('content-type', type);
      onFault((t) =>
        type === 'application/json'
          ? t('The content type of its answers is wrong or missing. They are read as JSON.')
          : t('The content type of its answers is wrong or missing. They are read as events.'),
      );
    }
    return withBody(response, (piece) => ({ pieces: [piece] }), begin, headers);
  };
}

/** True if an answer belongs to what is sent: a request, which has an id. */
function asksForAnswer({ method, body }: RequestInit = {}): boolean {
  const sent = method === 'POST' && typeof body === 'string' ? parseObject(body) : undefined;
  return typeof sent?.['method'] === 'string' && sent['id'] !== undefined;
}

/** Returns the text in the beginning of a body, without the spaces before it. */
function visible(begin: Uint8Array): string {
  return new TextDecoder().decode(begin.subarray(0, maxBeginning)).trimStart();
}

/** Reads a body until it shows what it is, and leaves the rest unread. */
async function beginningOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader();
  let begin = new Uint8Array();
  try {
    while (begin.length < maxBeginning && openBeginning.test(visible(begin))) {
      const { done, value } = await reader.read();
      if (done) break;
      const longer = new Uint8Array(begin.length + value.length);
      longer.set(begin);
      longer.set(value, begin.length);
      begin = longer;
    }
  } finally {
    reader.releaseLock();
  }
  return begin;
}

/**
 * Wraps `send` so that a stream of HTTP+SSE that names its other address unencrypted names it as the server at `url` is
 * reached: what the proxy before a server encrypts, that does not know.
 */
export function encryptEndpoint(send: Fetch, server: URL): Fetch {
  if (server.protocol !== 'https:') return send;
  return async (url, init) => {
    const response = await send(url, init);
    if (init?.method === 'POST' || !isEventStream(response)) return response;
    let held: string | undefined = '';
    return withBody(response, (piece) => {
      if (held === undefined) return { pieces: [piece] };
      held += Array.from(piece, (byte) => String.fromCharCode(byte)).join('');
      const named = /^event: ?endpoint\r?\ndata: ?(?=http:\/\/([^/\r\n]*)[^\r\n]*\r?\n)/m.exec(
        held,
      );
      const isOver = named !== null || held.length > maxBeginning || /^data:.*\r?\n/m.test(held);
      if (!isOver) return { pieces: [new Uint8Array()] };
      const at =
        named && isEncryptedBeside(`http://${named[1] ?? ''}`, server)
          ? named.index + named[0].length
          : undefined;
      const text = at === undefined ? held : `${held.slice(0, at)}https${held.slice(at + 4)}`;
      held = undefined;
      return { pieces: [Uint8Array.from(text, (letter) => letter.charCodeAt(0))] };
    });
  };
}

function isEncryptedBeside(address: string, server: URL): boolean {
  const isPlain = URL.canParse(address) && !address.includes('@');
  return isPlain && encryptedBeside(new URL(address), server).protocol === 'https:';
}

/** Repairs messages while their bytes arrive; valid ones pass unchanged. */
class MessageNormalizer {
  private readonly isStream: boolean;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  /** How many letters of the name the string consists of so far; negative if it is a different one. */
  private letters = -1;
  private expects: 'anything' | 'colon' | 'value' = 'anything';
  /** True inside of a result that is a list. */
  private inList = false;
  private latest = 0;

  /** @param isStream true if messages are events, with an empty line between them. */
  constructor(isStream: boolean) {
    this.isStream = isStream;
  }

  /** Returns the same bytes, with what is missing inserted. */
  normalize(chunk: Uint8Array): readonly Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let from = 0;
    const { length } = chunk;
    for (let at = 0; at < length; at += 1) {
      const byte = chunk[at] as number;
      if (byte <= space) {
        if (this.isStream) this.endLine(byte);
        if (this.inString) this.letters = -1;
      } else if (this.inString) this.readString(byte);
      else {
        const missing = this.readSign(byte);
        if (!missing) continue;
        const next = missing.isBehind ? at + 1 : at;
        pieces.push(chunk.subarray(from, next), missing.text);
        from = next;
      }
    }
    pieces.push(chunk.subarray(from));
    return pieces;
  }

  /** Resets the state at line ends: no string contains one, and a broken message ends with its event. */
  private endLine(byte: number): void {
    if (byte !== lineFeed && byte !== carriageReturn) {
      this.latest = byte;
      return;
    }
    this.inString = false;
    if (this.latest === byte) {
      this.depth = 0;
      this.inList = false;
      this.expects = 'anything';
    }
    // Of a CRLF pair, only the second counts.
    if (byte === lineFeed || this.latest !== lineFeed) this.latest = byte;
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === quote) {
      this.inString = false;
      this.expects = this.letters === this.name?.length ? 'colon' : 'anything';
    } else {
      this.isEscaped = byte === backslash;
      this.letters = byte === this.name?.[this.letters] ? this.letters + 1 : -1;
    }
  }

  /** What must be an object where the reader is now. */
  private get name(): Uint8Array | undefined {
    return names[this.depth];
  }

  /** Reads a character outside of strings, and returns what is missing before or behind it. */
  private readSign(byte: number): Insertion | undefined {
    this.latest = byte;
    const { expects, depth } = this;
    this.expects = expects === 'colon' && byte === colon ? 'value' : 'anything';
    switch (byte) {
      case quote:
        this.inString = true;
        this.isEscaped = false;
        this.letters = 0;
        break;
      case openBrace:
      case openBracket:
        this.depth += 1;
        break;
      case closeBrace:
      case closeBracket:
        this.depth -= 1;
        break;
    }
    if (expects === 'value' && byte !== openBrace) {
      if (depth === 2) return emptyMeta;
      this.inList = byte === openBracket;
      return this.inList ? beforeList : undefined;
    }
    if (!this.inList || this.depth > 1) return undefined;
    this.inList = false;
    return behindList;
  }
}
