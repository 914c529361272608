/** A line that was longer than allowed: its size in bytes, and what it began and ended with. */
export interface OversizedLine {
  readonly bytes: number;
  readonly head: string;
  readonly tail: string;
}

const newline = 0x0a;
const byteOrderMark = /^\uFEFF/;
const excerptBytes = 512;

/**
 * Cuts a stream of bytes into lines, without a byte order mark at its beginning. Each byte is looked at once and copied at most once, however
 * many chunks a line comes in; a line over `maxBytes` is skipped as it arrives and reported.
 */
export class LineFramer {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isFirstLine = true;
  private head: Buffer | undefined;
  private tail: Buffer = Buffer.alloc(0);
  private readonly maxBytes: number;
  private readonly onLine: (line: string) => void;
  private readonly onOversized: (line: OversizedLine) => void;

  constructor(
    maxBytes: number,
    onLine: (line: string) => void,
    onOversized: (line: OversizedLine) => void,
  ) {
    this.maxBytes = maxBytes;
    this.onLine = onLine;
    this.onOversized = onOversized;
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer): void {
    let start = 0;
    let end = chunk.indexOf(newline);
    while (end >= 0) {
      this.append(chunk.subarray(start, end));
      this.finishLine();
      start = end + 1;
      end = chunk.indexOf(newline, start);
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
    if (this.bytes <= this.maxBytes) return;
    this.head = Buffer.concat(this.chunks, Math.min(this.bytes, excerptBytes));
    this.tail = ending(this.chunks);
    this.chunks = [];
  }

  private finishLine(): void {
    const { chunks, bytes, head, tail, isFirstLine } = this;
    this.isFirstLine = false;
    this.chunks = [];
    this.bytes = 0;
    this.head = undefined;
    this.tail = Buffer.alloc(0);
    // Only there is it no character of the text.
    const read = (text: Buffer) =>
      isFirstLine ? text.toString().replace(byteOrderMark, '') : text.toString();
    if (head) {
      this.onOversized({ bytes, head: read(head), tail: tail.toString() });
      return;
    }
    const [first] = chunks;
    const line = read(chunks.length === 1 && first ? first : Buffer.concat(chunks, bytes));
    this.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}

/** The last bytes of all parts, copied so that the parts can be let go. */
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
