import type { Logger } from '../base/log';
import { jsonText, revealHidden, truncate } from '../base/text';

const maxLength = 10_000;

/** Writes a `notifications/message` to the log at the level that comes nearest. */
export function serverLog(log: Logger, params: Readonly<Record<string, unknown>>): void {
  const { level, logger, data } = params;
  const text = typeof data === 'string' ? data : jsonText(data, 2);
  const name = typeof logger === 'string' ? `[${logger}] ` : '';
  log[nearest(level)](truncate(revealHidden(`${name}${text}`), maxLength));
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
