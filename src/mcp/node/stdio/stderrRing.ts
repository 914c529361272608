import { withoutColors } from '../../../base/text/text';
import { LineFramer } from './lineFramer';

const maxLines = 50;
const maxLineBytes = 4096;

/** Keeps the last lines that a process wrote to stderr, without colors, and passes each on as it comes. */
export class StderrRing {
  private readonly lines: string[] = [];
  private readonly framer: LineFramer;

  constructor(onLine: (line: string) => void) {
    const take = (written: string) => {
      // Also a secret is found only in a line that no color interrupts.
      const line = withoutColors(written);
      if (line.trim() === '') return;
      this.lines.push(line);
      if (this.lines.length > maxLines) this.lines.shift();
      onLine(line);
    };
    this.framer = new LineFramer(maxLineBytes, take, ({ bytes, head }) =>
      take(`${head}… (${bytes} bytes)`),
    );
  }

  push(chunk: Buffer): void {
    this.framer.push(chunk);
  }

  /** Takes the end of the stream: what is left counts as a line. */
  end(): void {
    this.framer.end();
  }

  /** The last `count` lines, oldest first. */
  last(count: number): string {
    return this.lines.slice(-count).join('\n');
  }
}
