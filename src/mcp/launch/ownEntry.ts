import { type JsonRecord, asRecord, canonicalJson, isRecord } from '../../base/json';
import { type ServerConfig, type ServerLimits, defaultLimits } from '../serverConfig';

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

/** The unit of a time that is written without one, in the files of an application. */
export type TimeUnit = 's' | 'ms';

/** A property of a server's entry in the words of another application, and what it is in ours. */
export interface Respelling {
  readonly key: string;
  /** The properties that take its place; none if the entry says the same already. */
  readonly to: JsonRecord;
}

/** A time of another application that cannot be used. */
export interface UnusedTime {
  readonly key: string;
  readonly why: 'noUnit' | 'noNumber' | 'tooShort';
}

/** A server's entry in our own words, and how it got there. */
export interface OwnEntry {
  readonly entry: JsonRecord;
  readonly respellings: readonly Respelling[];
  readonly unusedTimes: readonly UnusedTime[];
}

/**
 * Returns a server's entry in our own words if it is written in those of another application and their meaning is
 * plain; anything else stays as it is. `unit` is the unit of times without one where the file is another application's.
 */
export function ownEntry(value: JsonRecord, unit?: TimeUnit): OwnEntry {
  const first = readOnce(value, unit);
  if (first.entry === value) return first;
  // What has found its place may make plain what was not before.
  const rest = ownEntry(first.entry, unit);
  return { ...rest, respellings: [...first.respellings, ...rest.respellings] };
}

/** Puts what is plain by itself into our words; an entry in which nothing is remains the same object. */
function readOnce(value: JsonRecord, unit: TimeUnit | undefined): OwnEntry {
  const { entry, respellings } = ownKind(value);
  const { times, used, unusedTimes } = readTimes(entry, unit);
  if (used.length === 0) return { entry, respellings, unusedTimes };
  const { timeouts } = entry;
  return {
    entry: {
      ...without(entry, used),
      timeouts: { ...times, ...asRecord(timeouts) },
    },
    respellings,
    unusedTimes,
  };
}

/** Words for a kind, in lower case and without anything but letters. */
const kinds: Readonly<Record<string, ServerConfig['type']>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  remote: 'http',
  streamablehttp: 'http',
  httpstream: 'http',
  sse: 'sse',
  httpsse: 'sse',
};

/** The keys that an address may have in place of `url`. */
const urlKeys = ['httpUrl', 'serverUrl', 'uri'] as const;

function ownKind(value: JsonRecord): Pick<OwnEntry, 'entry' | 'respellings'> {
  const { key: outer, added, entry: flat } = flattened(value);
  /** The keys that were written, each with ours in its place. */
  const respelled = new Map<string, readonly string[]>();
  let entry = flat;
  let inner = added;
  const [urlKey, ...others] = urlKeys.filter((key) => typeof own(entry, key) === 'string');
  if (urlKey !== undefined && others.length === 0 && !Object.hasOwn(entry, 'url')) {
    entry = { ...without(entry, [urlKey]), url: entry[urlKey] };
    inner = added.map((key) => (key === urlKey ? 'url' : key));
    if (!added.includes(urlKey)) respelled.set(urlKey, ['url']);
  }
  const written = own(entry, 'type');
  const type = ownType(written);
  // Without a command, there is nothing that could be run.
  const isAddress =
    type === 'stdio' && !Object.hasOwn(entry, 'command') && typeof own(entry, 'url') === 'string';
  const meant = isAddress ? 'http' : type;
  if (meant !== written) {
    entry = { ...entry, type: meant };
    if (!added.includes('type')) respelled.set('type', ['type']);
  }
  if (outer !== undefined) respelled.set(outer, inner);
  const respellings = Array.from(respelled, ([key, ours]) => ({
    key,
    to: Object.fromEntries(ours.map((name) => [name, entry[name]])),
  }));
  return { entry, respellings };
}

/** The keys that hold the kind, or all that belongs to it. */
const transportKeys = ['transport', 'transportType'];

/** Takes what `transport` says into the entry itself: the kind alone, or all that belongs to it. */
function flattened(value: JsonRecord): {
  readonly entry: JsonRecord;
  readonly key?: string;
  readonly added: readonly string[];
} {
  const [key, ...others] = transportKeys.filter((one) => Object.hasOwn(value, one));
  const written = key === undefined ? undefined : value[key];
  const inner = typeof written === 'string' ? { type: written } : written;
  const isNested = transportKeys.some((one) => Object.hasOwn(asRecord(inner), one));
  if (key === undefined || others.length > 0 || !isRecord(inner) || isNested)
    return { entry: value, added: [] };
  const outer = without(value, [key]);
  const added = Object.keys(inner).filter((name) => !Object.hasOwn(outer, name));
  const isSame = (name: string) =>
    name === 'type'
      ? ownType(inner[name]) === ownType(outer[name])
      : canonicalJson(inner[name]) === canonicalJson(outer[name]);
  // Where both say something else, it is not plain which is meant.
  if (!Object.keys(inner).every((name) => added.includes(name) || isSame(name)))
    return { entry: value, added: [] };
  const all = Object.fromEntries(added.map((name) => [name, inner[name]]));
  return { entry: { ...outer, ...all }, key, added };
}

function ownType(written: unknown): unknown {
  if (typeof written !== 'string') return written;
  const word = written.toLowerCase().replaceAll(/[^a-z]/g, '');
  return Object.hasOwn(kinds, word) ? kinds[word] : written;
}

/** A key for a time: what it is about, and the unit if it has one. */
const timeKey =
  /^(start(?:up)?|init|connect(?:ion)?|request|tool|call|)_?timeout_?(ms|milliseconds|sec|secs|seconds|)$/i;

/** The shortest time in milliseconds that is taken: a shorter one was meant in seconds, and would end every call. */
const shortestMs = 1000;

function readTimes(entry: JsonRecord, unit: TimeUnit | undefined) {
  const times: Record<string, number> = {};
  const used: string[] = [];
  const unusedTimes: UnusedTime[] = [];
  for (const key of Object.keys(entry)) {
    const [whole, about = '', named = ''] = timeKey.exec(key) ?? [];
    if (whole === undefined) continue;
    const isMs = named === '' ? unit === 'ms' : /^m/i.test(named);
    const time = entry[key];
    if (named === '' && unit === undefined) unusedTimes.push({ key, why: 'noUnit' });
    else if (typeof time !== 'number' || !(time > 0)) unusedTimes.push({ key, why: 'noNumber' });
    else if (isMs && time < shortestMs) unusedTimes.push({ key, why: 'tooShort' });
    else {
      const seconds = isMs ? time / 1000 : time;
      used.push(key);
      if (/^(?:start|init|connect)/i.test(about)) times['start'] = seconds;
      // With others, progress does not restart the wait.
      else Object.assign(times, { request: seconds, total: seconds });
    }
  }
  return { times, used, unusedTimes };
}

function own(value: JsonRecord, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function without(value: JsonRecord, keys: readonly string[]): JsonRecord {
  const left = new Set(keys);
  return Object.fromEntries(Object.entries(value).filter(([key]) => !left.has(key)));
}
