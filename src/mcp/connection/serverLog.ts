import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import { jsonText } from '../../base/text/jsonText';
import { shownText } from '../../base/text/text';
import { BurstLimit } from '../../base/pace/burstLimit';

/** The longest message that is written, in UTF-16 units. */
export const maxLength = 10_000;

/** Writes what a server logs (`notifications/message`) to its log, but only the beginning of a burst. */
export class ServerLog implements Disposable {
  private readonly log: Logger;
  private readonly burst: BurstLimit;

  constructor(log: Logger) {
    this.log = log;
    this.burst = new BurstLimit(log, 'messages');
  }

  /** Writes a message at the closest level, with hidden characters made visible. */
  write({ level, logger, data }: Readonly<Record<string, unknown>>): void {
    if (!this.burst.take()) return;
    const text = typeof data === 'string' ? data : jsonText(data, 2, maxLength);
    const name = typeof logger === 'string' ? `[${logger}] ` : '';
    this.log[nearest(level)](shownText(`${name}${text}`, maxLength));
  }

  dispose(): void {
    this.burst.dispose();
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
