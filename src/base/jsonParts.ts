import type { LocalizableMessage } from './translate';
import { backslash, colon, quote, space } from './bytes';

/** The values of texts that hold one JSON value each. */
export interface JsonRecords {
  readonly values: readonly unknown[];
  /** How many texts are broken, as a killed process may leave one; they are skipped. */
  readonly broken: number;
}

/** Parses each text separately. */
export function parseEach(texts: readonly string[]): JsonRecords {
  const values = texts.flatMap(parse);
  return { values, broken: texts.length - values.length };
}

function parse(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

/** The bytes `,`, `:`, `[` and `{`, each of which begins a name, a value, a list or an object. */
const begins = new Uint8Array(256);
for (const sign of ',:[{') begins[sign.charCodeAt(0)] = 1;

/** Texts of up to this many bytes are looked up by the JSON parser, as names always are. */
const shortText = 10;

/** Names of this many bytes or more always count as new: comparing them would cost more than reading them. */
const longName = 64;

/** Returns a random start for the hashes of a text; no server knows it, so none can choose names with equal hashes. */
const anySeed = () => Math.floor(Math.random() * 2 ** 32) | 0;
const hashPrime = 0x01000193;

/**
 * Counts the parts of a JSON text while its bytes arrive: the cost of parsing depends on their number and may be
 * a thousand times that of other text of the same length, and ten times that again if the names differ.
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
  /** The latest string is a name or a long text: what follows it tells which. */
  private mayBeName = false;

  /** How many names and values there are. */
  get count(): number {
    return this.counted;
  }

  /** How many different names and short texts there are; each long name counts. */
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

  /** Returns why a message with these parts is refused if messages may have `maxBytes`; `undefined` if it is not. */
  excess(maxBytes: number): LocalizableMessage | undefined {
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

/** True if the byte at `end` of a string is escaped, given whether the one at `from` is; a run of backslashes decides. */
function escapesNext(bytes: Uint8Array, from: number, end: number, isEscaped: boolean): boolean {
  let start = end;
  while (start > from && bytes[start - 1] === backslash) start -= 1;
  const isOdd = (end - start) % 2 === 1;
  return start === from ? isEscaped !== isOdd : isOdd;
}

const fewestSlots = 1024;

/** A set of hashes that is several times faster to add to than a `Set`. */
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

  /** Adds a hash; false if it was already there. */
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

/** The number of parts that a message may always have: parsing them takes no noticeable time. */
const maxMessageParts = 1_000_000;

/** The same for names that are all different. */
const maxMessageNames = 120_000;

/** How many of each a message may have for each byte that it may have. */
const partsPerByte = 1 / 64;
const namesPerByte = 1 / 560;

/** The fewest bytes of a new name: two quotes, a letter, and the character after it. */
const leastNameBytes = 4;

/** Returns the size in bytes up to which a message cannot have too many parts, names or bytes. */
export function alwaysFits(maxBytes: number): number {
  return Math.min(maxBytes, leastNameBytes * mostNames(maxBytes));
}

/** Returns how many parts a message of up to `maxBytes` may have; more than usual only if more bytes are allowed, too. */
function mostParts(maxBytes: number): number {
  return Math.max(maxMessageParts, Math.floor(maxBytes * partsPerByte));
}

function mostNames(maxBytes: number): number {
  return Math.max(maxMessageNames, Math.floor(maxBytes * namesPerByte));
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
