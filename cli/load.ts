import { delay } from '../src/base/async';
import { UserError, errorMessage, isCancellation } from '../src/base/errors';
import type { JsonRecord } from '../src/base/json';
import { percentile } from '../src/base/measureJson';
import type { CallsSession } from '../src/calls/session';
import { countOf, durationOf } from './options';

/** How often, or for how long, a request is sent, how many of it at a time, and how many a second at most. */
interface Load {
  readonly times: number;
  readonly forMs: number;
  readonly atOnce: number;
  readonly rate: number;
}

/** The options of a load, as `parseArgs` takes them. */
export const ofLoad = {
  repeat: { type: 'string' },
  for: { type: 'string' },
  'at-once': { type: 'string' },
  rate: { type: 'string' },
} as const;

const maxTimes = 1_000_000;
const longestMs = 24 * 60 * 60_000;
const maxAtOnce = 1000;
const rates = { least: 0.001, most: 100_000 };

/** Reads which load is wanted, if one is; throws a `UserError` if it makes no sense. */
export function loadOf(
  values: { readonly raw: boolean } & {
    readonly [K in keyof typeof ofLoad]?: string | undefined;
  },
): Load | undefined {
  const { raw, repeat, for: time, 'at-once': atOnce, rate } = values;
  if (repeat === undefined && time === undefined) {
    const without = (['at-once', 'rate'] as const).find((one) => values[one] !== undefined);
    if (without !== undefined) throw new UserError(`--${without} needs --repeat or --for.`);
    return undefined;
  }
  if (raw) throw new UserError('With --repeat or --for, no result is printed: leave out --raw.');
  return {
    times: repeat === undefined ? maxTimes : countOf('--repeat', repeat, maxTimes),
    forMs: time === undefined ? Infinity : durationOf('--for', time, longestMs),
    atOnce: countOf('--at-once', atOnce ?? '1', maxAtOnce),
    rate: rate === undefined ? Infinity : rateOf(rate),
  };
}

function rateOf(text: string): number {
  const { least, most } = rates;
  const rate = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (!(rate >= least && rate <= most))
    throw new UserError(`--rate must be a number from ${least} to ${most}.`);
  return rate;
}

/** So many kinds of failures are told apart. */
const maxFailures = 20;

/**
 * Sends a request as often and as long as wanted, and returns how long each took, in ms; `isCut` if the server ended before
 * that.
 */
export async function measure(
  { times, forMs, atOnce, rate }: Load,
  { server }: CallsSession,
  sendOne: () => Promise<JsonRecord | undefined>,
  signal: AbortSignal,
) {
  const taken: number[] = [];
  const failures = new Map<string, number>();
  const failed = (message: string) => {
    const kind = failures.has(message) || failures.size < maxFailures ? message : 'others';
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
  };
  let begun = 0;
  let isCut = false;
  const start = performance.now();
  const sender = async () => {
    while (begun < times) {
      const dueMs = (begun * 1000) / rate;
      begun += 1;
      const waitMs = dueMs - (performance.now() - start);
      if (dueMs >= forMs || performance.now() - start >= forMs) return;
      if (waitMs > 0) await delay(waitMs, signal);
      isCut ||= server.state.kind !== 'running';
      if (isCut) return;
      const sent = performance.now();
      try {
        if ((await sendOne())?.['isError'] === true) failed('The tool says that it failed.');
      } catch (error) {
        if (isCancellation(error)) throw error;
        failed(errorMessage(error));
      }
      taken.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  const seconds = (performance.now() - start) / 1000;
  const sorted = taken.toSorted((one, other) => one - other);
  const at = (part: number) => rounded(percentile(sorted, part) ?? 0);
  const figures = {
    requests: taken.length,
    atOnce,
    seconds: rounded(seconds),
    perSecond: rounded(taken.length / seconds),
    ms: { least: at(0), median: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) },
    failed: [...failures.values()].reduce((sum, count) => sum + count, 0),
    failures: Object.fromEntries(failures),
  };
  return { figures, isCut };
}

const rounded = (value: number) => Number(value.toFixed(2));
