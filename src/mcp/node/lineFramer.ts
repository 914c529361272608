import type { Writable } from 'node:stream';
import { alwaysFits, JsonParts } from '../../base/jsonParts';
import { lineFeed } from '../../base/bytes';
import type { LocalizableMessage } from '../../base/translate';

/** A line that exceeded a limit: its size in bytes, and how it began and ended. */
export interface OversizedLine {
  readonly bytes: number;
  /** Why it is too much, if that is because of the parts of its JSON rather than its bytes. */
  readonly excess?: LocalizableMessage;
  readonly head: string;
  readonly tail: string;
}

const byteOrderMark = /^\uFEFF/;
const excerptBytes = 512;

/**
 * Cuts a stream of bytes into lines, without a byte order mark at its beginning. Each byte is examined once and
 * copied at most once, no matter how many chunks a line comes in; a line over `maxBytes`, or of too many parts, is
 * skipped as it arrives and reported. A line is handed over as text, and as the bytes that it came in.
 */
export class LineFramer {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private parts: JsonParts | undefined;
  private excess: LocalizableMessage | undefined;
  private isFirstLine = true;
  private head: Buffer | undefined;
  private tail: Buffer = Buffer.alloc(0);
  private readonly maxBytes: number;
  private readonly onLine: (line: string, bytes: Buffer) => void;
  private readonly onOversized: (line: OversizedLine) => void;

  constructor(
    maxBytes: number,
    onLine: (line: string, bytes: Buffer) => void,
    onOversized: (line: OversizedLine) => void,
  ) {
    this.maxBytes = maxBytes;
    this.onLine = onLine;
    this.onOversized = onOversized;
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(lineFeed);
    while (end >= 0) {
      this.append(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
      end = chunk.indexOf(lineFeed, start);
    }
    if (start < chunk.length) this.append(chunk.subarray(start));
  }

  /** Takes the end of the stream: what is left counts as a line. */
  end(): void {
    if (this.bytes > 0) this.finishLine();
  }

  private append(part: Buffer): void {
    this.bytes += part.length;
    if (this.head) {
      this.tail = ending([this.tail, part]);
      return;
    }
    this.chunks.push(part);
    if (this.bytes <= this.maxBytes) this.excess = this.excessOf(part);
    if (this.bytes <= this.maxBytes && this.excess === undefined) return;
    this.head = Buffer.concat(this.chunks, Math.min(this.bytes, excerptBytes));
    this.tail = ending(this.chunks);
    this.chunks = [];
  }

  /** Returns why the line has too many parts; most lines are too short for that and are not examined. */
  private excessOf(latest: Buffer): LocalizableMessage | undefined {
    const { bytes, chunks, maxBytes } = this;
    if (bytes <= alwaysFits(maxBytes)) return undefined;
    const toCount = this.parts ? [latest] : chunks;
    const parts = (this.parts ??= new JsonParts());
    for (const chunk of toCount) parts.add(chunk);
    return parts.excess(maxBytes);
  }

  private finishLine(): void {
    const { chunks, bytes, head, tail, isFirstLine, excess } = this;
    this.isFirstLine = false;
    this.chunks = [];
    this.bytes = 0;
    this.parts = undefined;
    this.excess = undefined;
    this.head = undefined;
    this.tail = Buffer.alloc(0);
    // Only at the beginning of the stream is the mark not a character of the text.
    const read = (text: Buffer) =>
      isFirstLine ? text.toString().replace(byteOrderMark, '') : text.toString();
    if (head) {
      this.onOversized({
        bytes,
        ...(excess !== undefined && { excess }),
        head: read(head),
        tail: tail.toString(),
      });
      return;
    }
    const [first] = chunks;
    const whole = chunks.length === 1 && first ? first : Buffer.concat(chunks, bytes);
    const line = read(whole);
    this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line, whole);
  }
}

/** Writes a line in one go, without a copy of the parts that are bytes. */
export function writeLine(stream: Writable, parts: readonly (string | Uint8Array)[]): void {
  stream.cork();
  for (const part of parts) stream.write(part);
  stream.write('\n');
  stream.uncork();
}

/** Returns the last bytes of all parts, copied so that the parts can be released. */
function ending(parts: readonly Buffer[]): Buffer {
  const last: Buffer[] = [];
  let missing = excerptBytes;
  for (const part of parts.toReversed()) {
    if (missing === 0) break;
    const piece = part.subarray(-missing);
    last.unshift(piece);
    missing -= piece.length;
  }
  return Buffer.concat(last);
}
