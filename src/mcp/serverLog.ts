import { Timer } from '../base/async';
import type { Disposable } from '../base/disposable';
import type { Logger } from '../base/log';
import { jsonText, revealHidden, truncate } from '../base/text';

const maxLength = 10_000;
const maxPerSecond = 100;
const secondMs = 1000;

/** Writes what a server logs (`notifications/message`) to its log, of a burst only the beginning. */
export class ServerLog implements Disposable {
  private readonly log: Logger;
  private readonly second = new Timer(() => this.endSecond());
  private written = 0;
  private leftOut = 0;

  constructor(log: Logger) {
    this.log = log;
  }

  /** Writes a message at the level that comes nearest; hidden characters are shown. */
  write({ level, logger, data }: Readonly<Record<string, unknown>>): void {
    if (!this.second.pending) this.second.start(secondMs);
    if (this.written === maxPerSecond) {
      this.leftOut += 1;
      return;
    }
    this.written += 1;
    const text = typeof data === 'string' ? data : jsonText(data, 2);
    const name = typeof logger === 'string' ? `[${logger}] ` : '';
    this.log[nearest(level)](truncate(revealHidden(`${name}${text}`), maxLength));
  }

  dispose(): void {
    this.second.dispose();
    this.endSecond();
  }

  private endSecond(): void {
    if (this.leftOut > 0)
      this.log.warn(
        `The server logs too much at once: ${this.leftOut} messages are left out here.`,
      );
    this.written = 0;
    this.leftOut = 0;
  }
}

function nearest(level: unknown): keyof Logger {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'warning':
      return 'warn';
    case 'error':
    case 'critical':
    case 'alert':
    case 'emergency':
      return 'error';
    default:
      return 'info';
  }
}
