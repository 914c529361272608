import { asRecord } from '../../base/json';
import { ownEntry } from './ownEntry';
import { defaultLimits, type ServerLimits } from '../serverConfig';

/** The longest delay of a timer in milliseconds; a longer one would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

/** Binary, so that 64 of them hold 50 million bytes in Base64. */
const megabyte = 2 ** 20;

/** The highest limit, in bytes: a message is one string, and strings cannot be much longer. */
const longestMessageBytes = 500_000_000;

/**
 * Reads `timeouts` (seconds: `start`, `request` without an answer or progress, `total`) and
 * `maxMessageMegabytes` of a server's configuration; what is missing or not a positive number keeps
 * its default. Times in the words of other applications are read where their unit is part of the name.
 */
export function readServerLimits(value: unknown): ServerLimits {
  const { timeouts, maxMessageMegabytes } = ownEntry(asRecord(value)).entry;
  const { start, request, total } = asRecord(timeouts);
  const { deadlines, maxMessageBytes } = defaultLimits;
  return {
    deadlines: {
      initialize: scaled(start, 1000, longestTimerMs) ?? deadlines.initialize,
      request: scaled(request, 1000, longestTimerMs) ?? deadlines.request,
      ceiling: scaled(total, 1000, longestTimerMs) ?? deadlines.ceiling,
    },
    maxMessageBytes: scaled(maxMessageMegabytes, megabyte, longestMessageBytes) ?? maxMessageBytes,
  };
}

function scaled(value: unknown, factor: number, most: number): number | undefined {
  return typeof value === 'number' && value > 0 ? Math.min(value * factor, most) : undefined;
}
