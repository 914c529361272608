import { asRecord, isRecord, type JsonRecord } from '../../base/json';
import { redacted } from '../../base/secrets';
import { shortJson } from '../../base/measureJson';
import { plainLabel } from '../../base/text/text';
import type { RecordedMessage, Recording, RecordingRule } from './recording';

/** A recorded request of the client, with all that the server sent until the next one, and its answer. */
export interface Exchange {
  readonly method: string;
  readonly params: JsonRecord;
  readonly id: unknown;
  readonly at: number;
  /** In the order in which they were sent: notifications, questions to the client, its answers, and the answer itself. */
  readonly events: readonly RecordedMessage[];
  /** The message that answers the request; absent if none was recorded. */
  readonly answer?: JsonRecord;
}

type Growing = Omit<Exchange, 'events' | 'answer'> & {
  events: RecordedMessage[];
  answer?: JsonRecord;
};

/** The requests that wait for their answers: each look-up takes the same time, however many wait. */
class OpenRequests {
  private readonly byId = new Map<unknown, Growing>();
  private readonly byToken = new Map<unknown, Set<Growing>>();
  /** In the order in which they were asked; the last ones may be answered. */
  private readonly asked: Growing[] = [];

  add(request: Growing): void {
    this.byId.set(request.id, request);
    this.asked.push(request);
    const token = metaToken(request.params);
    this.byToken.set(token, (this.byToken.get(token) ?? new Set()).add(request));
  }

  answered(id: unknown): Growing | undefined {
    const request = this.byId.get(id);
    this.byId.delete(id);
    return request;
  }

  /** Finds the request that a notification of progress is about. */
  ownerOf(message: JsonRecord): Growing | undefined {
    const token = progressTokenOf(message);
    const known = token === undefined ? undefined : this.byToken.get(token);
    for (const one of known ?? []) {
      if (this.isOpen(one)) return one;
      known?.delete(one);
    }
    return undefined;
  }

  get latest(): Growing | undefined {
    for (let last = this.asked.at(-1); last; last = this.asked.at(-1)) {
      if (this.isOpen(last)) return last;
      this.asked.pop();
    }
    return undefined;
  }

  private isOpen(request: Growing): boolean {
    return this.byId.get(request.id) === request;
  }
}

/** Groups the messages of a recording by the requests of its client. */
export function exchangesOf({ messages }: Pick<Recording, 'messages'>): readonly Exchange[] {
  const all: Growing[] = [];
  const open = new OpenRequests();
  for (const recorded of messages) {
    const { at, from, message } = recorded;
    const { id, method, params } = message;
    if (from === 'client' && typeof method === 'string') {
      if (id === undefined) continue;
      const exchange: Growing = { method, params: asRecord(params), id, at, events: [] };
      all.push(exchange);
      open.add(exchange);
      continue;
    }
    const answered = from === 'server' && method === undefined ? open.answered(id) : undefined;
    // What is said of no request belongs to the one that was asked last and still waits.
    const owner = answered ?? open.ownerOf(message) ?? open.latest ?? all.at(-1);
    owner?.events.push(recorded);
    if (answered) answered.answer = message;
  }
  return all;
}

/** Returns the token of a notification of progress. */
export function progressTokenOf({ method, params }: JsonRecord): unknown {
  return method === 'notifications/progress' ? asRecord(params)['progressToken'] : undefined;
}

/** Returns the token by which a request wants to be told of progress. */
export function metaToken(params: JsonRecord): unknown {
  return asRecord(params['_meta'])['progressToken'];
}

/** A request that is not in a recording. */
export interface MissingRequest {
  /** What is nearest to it, in sentences. */
  readonly missing: string;
  /** True if its method is in the recording. */
  readonly isKnown: boolean;
}

/** Requests that any client words in its own way, so that they match by their method alone. */
const ofAnyWords = new Set(['initialize', 'server/discover', 'ping', 'logging/setLevel']);

/** Finds what a request differs in from recorded ones, by the rules of a recording. */
export class RequestMatcher {
  private readonly exchanges: readonly Exchange[];
  private readonly rules: readonly RecordingRule[];
  /** How many times each exchange has been found. */
  private readonly used = new Map<Exchange, number>();

  constructor(recording: Recording) {
    this.exchanges = exchangesOf(recording);
    this.rules = recording.rules;
  }

  /**
   * Finds the recorded exchange for a request: of several that match, the first that has not been found yet, or else the
   * last; or says what the nearest differs in.
   */
  find(method: string, params: JsonRecord): Exchange | MissingRequest {
    const same = this.exchanges.filter((one) => one.method === method);
    const isInOrder = this.rulesFor(method, params).some(({ inOrder }) => inOrder);
    const name = nameOf(params);
    let found: Exchange | undefined;
    for (const one of same) {
      const fits = isInOrder
        ? nameOf(one.params) === name
        : this.differences(method, one.params, params).length === 0;
      if (!fits) continue;
      found = one;
      if (!this.used.has(one)) break;
    }
    if (!found) return { missing: this.missing(method, params, same), isKnown: same.length > 0 };
    this.used.set(found, (this.used.get(found) ?? 0) + 1);
    return found;
  }

  private missing(method: string, params: JsonRecord, same: readonly Exchange[]): string {
    const what = plainLabel([method, nameOf(params)].filter(Boolean).join(' '), 200);
    if (same.length === 0) {
      const known = [...new Set(this.exchanges.map((one) => one.method))].join(', ');
      return `Not in the recording: ${what}. Recorded are: ${plainLabel(known, 500) || 'no requests'}.`;
    }
    const [nearest] = same
      .slice(0, maxCompared)
      .map((one) => ({ one, found: this.differences(method, one.params, params) }))
      .toSorted((a, b) => a.found.length - b.found.length);
    const differs = (nearest?.found ?? [])
      .slice(0, maxTold)
      .map(({ path, want, have }) => `${path}: recorded ${shown(want)}, asked ${shown(have)}`);
    const near = plainLabel([method, nameOf(nearest?.one.params ?? {})].filter(Boolean).join(' '));
    return `Not in the recording: ${what}. The nearest recorded request is ${near}, which differs in ${differs.join('; ')}.`;
  }

  private differences(method: string, recorded: JsonRecord, asked: JsonRecord) {
    if (ofAnyWords.has(method)) return [];
    const ignored = this.rulesFor(method, recorded).flatMap(({ ignore }) => ignore);
    return differencesOf(withoutMeta(recorded), withoutMeta(asked), ignored);
  }

  private rulesFor(method: string, params: JsonRecord): readonly RecordingRule[] {
    return rulesFor(this.rules, method, params);
  }
}

/** At most this many recorded requests are compared to find the nearest one. */
const maxCompared = 1000;
/** At most this many differences are named. */
const maxTold = 5;
/** At most this many differences of two values are looked for. */
const maxDifferences = 50;

/** Returns the rules that are about a request. */
export function rulesFor(
  rules: readonly RecordingRule[],
  method: string,
  params: JsonRecord,
): readonly RecordingRule[] {
  return rules.filter(
    (rule) =>
      (rule.method === undefined || rule.method === method) &&
      (rule.name === undefined || rule.name === nameOf(params)),
  );
}

/** Returns what a request is about: the name of a tool or prompt, or the URI of a resource. */
export function nameOf({ name, uri }: JsonRecord): string {
  return typeof name === 'string' ? name : typeof uri === 'string' ? uri : '';
}

function withoutMeta({ _meta, ...params }: JsonRecord): JsonRecord {
  const { arguments: args, ...others } = params;
  // A client may leave out what has nothing in it.
  return isRecord(args) && Object.keys(args).length === 0 ? others : params;
}

/** One place where a value is another than the recorded one; a value is `undefined` if there is none. */
export interface RecordedDifference {
  readonly path: string;
  readonly want: unknown;
  readonly have: unknown;
}

/** Returns where a value is not as it was recorded; what was masked or is ignored may be any. */
export function differencesOf(
  want: unknown,
  have: unknown,
  ignored: readonly string[],
): readonly RecordedDifference[] {
  const found: RecordedDifference[] = [];
  const patterns = ignored.map((path) => path.split('.'));
  const compare = (a: unknown, b: unknown, path: readonly string[]): void => {
    if (found.length >= maxDifferences || a === b) return;
    if (patterns.some((pattern) => isAt(pattern, path))) return;
    if (typeof a === 'string' && a.includes(redacted) && b !== undefined) return;
    const keys = keysOf(a, b);
    if (!keys) {
      found.push({ path: plainLabel(path.join('.'), 200) || 'the whole', want: a, have: b });
      return;
    }
    for (const key of keys) compare(own(a, key), own(b, key), [...path, key]);
  };
  compare(want, have, []);
  return found;
}

function keysOf(a: unknown, b: unknown): readonly string[] | undefined {
  const areLists = Array.isArray(a) && Array.isArray(b);
  if (!areLists && !(isRecord(a) && isRecord(b))) return undefined;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function own(value: unknown, key: string): unknown {
  return Object.hasOwn(value as object, key) ? (value as JsonRecord)[key] : undefined;
}

function isAt(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, index) => part === '*' || part === path[index])
  );
}

/** Returns a value as it is shown in a sentence. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : plainLabel(shortJson(value), 100);
}
