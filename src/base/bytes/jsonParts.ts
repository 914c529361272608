import type { Sentence } from '../translate';
import { backslash, colon, quote, space } from './signs';

/** `,`, `:`, `[` and `{`: each begins a name, a value, a list or an object. */
const begins = new Uint8Array(256);
for (const sign of ',:[{') begins[sign.charCodeAt(0)] = 1;

/** Texts of up to so many bytes are looked up by whoever reads them, as names always are. */
const shortText = 10;

/** A name of so many bytes or more is taken for a new one each time: to tell it apart would cost more than to read it. */
const longName = 64;

/** What tells hashes apart from those of another text; no server knows it, so that none can choose equal ones. */
const anySeed = () => Math.floor(Math.random() * 2 ** 32) | 0;
const hashPrime = 0x01000193;

/**
 * Counts the parts of a JSON text while its bytes arrive: what it takes to read it goes by their number, a
 * thousand times that of a text of the same length, and ten times as much again where names differ.
 */
export class JsonParts {
  private readonly seed = anySeed();
  private readonly names = new HashSet();
  private longNames = 0;
  private counted = 0;
  private inString = false;
  private isEscaped = false;
  private hash = 0;
  private length = 0;
  /** The latest string is a name or a long text: what follows tells. */
  private mayBeName = false;

  /** All names and values. */
  get count(): number {
    return this.counted;
  }

  /** How many different names and short texts there are, each long name one of them. */
  get distinct(): number {
    return this.names.size + this.longNames;
  }

  /** Takes the next bytes of the text. */
  add(bytes: Uint8Array): void {
    let { counted, inString, isEscaped, hash, length, mayBeName, longNames } = this;
    const { names, seed } = this;
    for (let at = 0; at < bytes.length; at += 1) {
      if (inString && length >= longName) {
        const found = bytes.indexOf(quote, at);
        const end = found < 0 ? bytes.length : found;
        isEscaped = escapesNext(bytes, at, end, isEscaped);
        at = end;
        if (found < 0) break;
      }
      const byte = bytes[at] as number;
      if (inString) {
        if (byte === quote && !isEscaped) {
          inString = false;
          mayBeName = length > shortText;
          if (!mayBeName) names.add(hash);
        } else {
          isEscaped = byte === backslash && !isEscaped;
          hash = Math.imul(hash ^ byte, hashPrime);
          length += 1;
        }
      } else if (byte === quote) {
        inString = true;
        hash = seed;
        length = 0;
      } else if (byte > space) {
        counted += begins[byte] as number;
        if (mayBeName && byte === colon) {
          if (length < longName) names.add(hash);
          else longNames += 1;
        }
        mayBeName = false;
      }
    }
    this.counted = counted;
    this.inString = inString;
    this.isEscaped = isEscaped;
    this.hash = hash;
    this.length = length;
    this.mayBeName = mayBeName;
    this.longNames = longNames;
  }

  /** Why a message of these parts is not read where it may have so many bytes; nothing where it is. */
  excess(maxBytes: number): Sentence | undefined {
    const parts = mostParts(maxBytes);
    if (this.counted > parts)
      return (t) =>
        t(
          'The server sent a message of more than the limit of {0} names and values.',
          shown(parts),
        );
    const names = mostNames(maxBytes);
    if (this.distinct > names)
      return (t) =>
        t(
          'The server sent a message of more than the limit of {0} different names and short texts.',
          shown(names),
        );
    return undefined;
  }
}

/** Whether the byte at `end` of a string is escaped, given whether that at `from` is: backslashes in a row decide. */
function escapesNext(bytes: Uint8Array, from: number, end: number, isEscaped: boolean): boolean {
  let start = end;
  while (start > from && bytes[start - 1] === backslash) start -= 1;
  const isOdd = (end - start) % 2 === 1;
  return start === from ? isEscaped !== isOdd : isOdd;
}

const fewestSlots = 1024;

/** A set of hashes, several times faster to add to than a `Set` of the language. */
class HashSet {
  private slots = new Int32Array(fewestSlots);
  private filled = 0;

  get size(): number {
    return this.filled;
  }

  add(hash: number): void {
    // An empty slot is 0.
    if (!this.put(hash === 0 ? 1 : hash)) return;
    this.filled += 1;
    if (this.filled * 2 > this.slots.length) this.grow();
  }

  /** False where it is there already. */
  private put(hash: number): boolean {
    const { slots } = this;
    const mask = slots.length - 1;
    let at = hash & mask;
    while (slots[at] !== 0) {
      if (slots[at] === hash) return false;
      at = (at + 1) & mask;
    }
    slots[at] = hash;
    return true;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(before.length * 2);
    for (const hash of before) if (hash !== 0) this.put(hash);
  }
}

/** As many parts take no longer to read than anybody would notice. */
const maxMessageParts = 1_000_000;

/** The same of names that are all different. */
const maxMessageNames = 120_000;

/** The share of each that a message may have for each byte that it may have. */
const partsPerByte = 1 / 64;
const namesPerByte = 1 / 560;

/** No different name takes less: two quotes, a letter, and what stands behind it. */
const leastNameBytes = 4;

/** The longest message that cannot have too much of anything but bytes. */
export function alwaysFits(maxBytes: number): number {
  return Math.min(maxBytes, leastNameBytes * mostNames(maxBytes));
}

/** How many parts a message may have where it may have so many bytes; more only where it may be larger than usual. */
function mostParts(maxBytes: number): number {
  return Math.max(maxMessageParts, Math.floor(maxBytes * partsPerByte));
}

function mostNames(maxBytes: number): number {
  return Math.max(maxMessageNames, Math.floor(maxBytes * namesPerByte));
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
