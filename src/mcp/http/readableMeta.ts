import { backslash, carriageReturn, colon, lineFeed, quote, space } from '../../base/bytes';
import type { Fetch } from './secureUrl';
import { unreadableResult } from '../protocol/parseObject';
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
    const mender = new MessageMender(isStream);
    return withBody(response, (piece) => ({ pieces: mender.mend(piece) }));
  };
}

/** Repairs messages while their bytes arrive; valid ones pass unchanged. */
class MessageMender {
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
  mend(chunk: Uint8Array): readonly Uint8Array[] {
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
