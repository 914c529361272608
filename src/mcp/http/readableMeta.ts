import { backslash, carriageReturn, colon, lineFeed, quote, space } from '../../base/bytes';
import type { Fetch } from './secureUrl';
import { isEventStream, mediaTypeOf, withBody } from './responseBody';

const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const name = new TextEncoder().encode('_meta');
/** How deep the metadata of a message is nested: in its `params` or `result`. */
const depthOfMeta = 2;
/** Inserted before a value that is not an object, this makes it the value of another name. */
const insertion = new TextEncoder().encode('{},"_unreadableMeta":');

/**
 * Wraps `send` to replace a message's metadata with an empty object if it is not an object: the transports would
 * discard the whole message because of it, and its recipient would wait in vain.
 */
export function fetchReadableMeta(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const isStream = isEventStream(response);
    if (!response.ok || !(isStream || mediaTypeOf(response) === 'application/json'))
      return response;
    const mender = new MetaMender(isStream);
    return withBody(response, (piece) => ({ pieces: mender.mend(piece) }));
  };
}

/** Repairs messages while their bytes arrive; valid ones pass unchanged. */
class MetaMender {
  private readonly isStream: boolean;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  /** How many letters of the name the string consists of so far; negative if it is a different one. */
  private letters = -1;
  private expects: 'anything' | 'colon' | 'metadata' = 'anything';
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
      else if (this.readSign(byte)) {
        pieces.push(chunk.subarray(from, at), insertion);
        from = at;
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
      this.expects = 'anything';
    }
    // Of a CRLF pair, only the second counts.
    if (byte === lineFeed || this.latest !== lineFeed) this.latest = byte;
  }

  private readString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === quote) {
      this.inString = false;
      const isMeta = this.letters === name.length && this.depth === depthOfMeta;
      this.expects = isMeta ? 'colon' : 'anything';
    } else {
      this.isEscaped = byte === backslash;
      this.letters = byte === name[this.letters] ? this.letters + 1 : -1;
    }
  }

  /** Reads a character outside of strings; true if metadata that is not an object begins with it. */
  private readSign(byte: number): boolean {
    this.latest = byte;
    const { expects } = this;
    this.expects = expects === 'colon' && byte === colon ? 'metadata' : 'anything';
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
    return expects === 'metadata' && byte !== openBrace;
  }
}
