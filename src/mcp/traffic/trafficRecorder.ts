import { boundJson } from '../../base/boundJson';
import { CancelledError } from '../../base/errors';
import { Emitter } from '../../base/event';
import { asRecord } from '../../base/json';
import type { TrafficAnswer, TrafficEntry, TrafficFailure, TrafficMessage } from './trafficEntry';
import { weighMessage } from './weighMessage';

/** So much of the traffic of a server is kept, the latest: in bytes, as {@link weighMessage} counts them. */
export const maxTrafficBytes = 10_000_000;

/** So many requests, notifications and lines of a server are kept, the latest. */
export const maxTrafficEntries = 5000;

/** A message that takes more bytes is kept in part. */
export const maxKeptMessage = 1_000_000;

/** What is kept of such a message. */
const cutBounds = { maxString: 10_000, maxBytes: 100_000 };

/** A longer id finds no request: as many as a server likes would be kept. */
const maxIdLength = 200;

/** What an entry takes beside its messages. */
const entryBytes = 200;

interface KeptEntry extends TrafficEntry {
  answer?: TrafficAnswer;
  failure?: TrafficFailure;
  /** The id by which its answer finds it. */
  readonly id: unknown;
  /** When it began, on a clock that nobody sets. */
  readonly begun: number;
  weight: number;
}

type Direction = TrafficEntry['direction'];

/**
 * Keeps the latest traffic of one server, over its restarts too. It keeps the messages themselves and writes none
 * of them out, so that nearly nothing is done where nobody looks.
 */
export class TrafficRecorder {
  /** A ring: the oldest stands at `first`. */
  private readonly ring: (KeptEntry | undefined)[] = [];
  private first = 0;
  private count = 0;
  private weight = 0;
  private numbers = 0;
  private readonly waiting = {
    sent: new Map<unknown, KeptEntry>(),
    received: new Map<unknown, KeptEntry>(),
  };
  private readonly changed = new Emitter<void>();

  /** Fires with each message. */
  readonly onDidChange = this.changed.event;

  /** What is kept, the oldest first. */
  get entries(): readonly TrafficEntry[] {
    const all: TrafficEntry[] = [];
    for (let at = 0; at < this.count; at += 1) {
      const entry = this.ring[(this.first + at) % maxTrafficEntries];
      if (entry) all.push(entry);
    }
    return all;
  }

  /** The number of the latest entry, 0 before the first. */
  get latest(): number {
    return this.numbers;
  }

  /** Takes a message of the protocol. */
  note(direction: Direction, message: unknown): void {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
    const hasMethod = typeof method === 'string';
    if (!hasMethod && this.answer(direction, id, message)) return;
    const kind = hasMethod ? (id === undefined ? 'notification' : 'request') : 'response';
    const usable = kind === 'request' && isUsable(id) ? id : undefined;
    const entry = this.add(direction, kind, hasMethod ? method : '', message, usable);
    if (usable !== undefined) this.waiting[direction].set(usable, entry);
    // Of what we cancel ourselves it is known why.
    if (direction === 'received' && method === 'notifications/cancelled')
      this.fail(
        'received',
        asRecord(asRecord(message)['params'])['requestId'],
        new CancelledError(),
      );
  }

  /** Takes why a request of ours ended without an answer; nothing of one that has its answer. */
  noteFailure(id: number, error: unknown): void {
    this.fail('sent', id, error);
  }

  /** Takes a line that the server wrote to stderr. */
  noteStderr(line: string): void {
    this.add('received', 'stderr', '', line);
  }

  private fail(direction: Direction, id: unknown, error: unknown): void {
    const entry = this.waiting[direction].get(id);
    if (!entry) return;
    this.waiting[direction].delete(id);
    entry.failure = { error, durationMs: performance.now() - entry.begun };
    this.changed.fire();
  }

  private answer(direction: Direction, id: unknown, message: unknown): boolean {
    const open = this.waiting[direction === 'sent' ? 'received' : 'sent'];
    const entry = open.get(id);
    if (!entry) return false;
    open.delete(id);
    const { value, isCut, weight } = keep(message);
    entry.answer = { value, isCut, durationMs: performance.now() - entry.begun };
    entry.weight += weight;
    this.weight += weight;
    this.makeRoom();
    this.changed.fire();
    return true;
  }

  private add(
    direction: Direction,
    kind: TrafficEntry['kind'],
    method: string,
    message: unknown,
    id?: unknown,
  ): KeptEntry {
    const kept = keep(message);
    const entry: KeptEntry = {
      number: (this.numbers += 1),
      time: Date.now(),
      direction,
      kind,
      // Of a message that is too large it may be what is too large.
      method: kept.isCut ? method.slice(0, maxIdLength) : method,
      value: kept.value,
      isCut: kept.isCut,
      id,
      begun: performance.now(),
      weight: kept.weight + entryBytes,
    };
    if (this.count === maxTrafficEntries) this.dropOldest();
    this.ring[(this.first + this.count) % maxTrafficEntries] = entry;
    this.count += 1;
    this.weight += entry.weight;
    this.makeRoom();
    this.changed.fire();
    return entry;
  }

  private makeRoom(): void {
    while (this.weight > maxTrafficBytes && this.count > 1) this.dropOldest();
  }

  private dropOldest(): void {
    const oldest = this.ring[this.first];
    this.ring[this.first] = undefined;
    this.first = (this.first + 1) % maxTrafficEntries;
    this.count -= 1;
    if (!oldest) return;
    this.weight -= oldest.weight;
    const open = this.waiting[oldest.direction];
    if (open.get(oldest.id) === oldest) open.delete(oldest.id);
  }
}

function isUsable(id: unknown): boolean {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= maxIdLength);
}

function keep(message: unknown): TrafficMessage & { readonly weight: number } {
  const weight = weighMessage(message, maxKeptMessage);
  if (weight <= maxKeptMessage) return { value: message, isCut: false, weight };
  const value = boundJson(message, cutBounds);
  return { value, isCut: true, weight: cutBounds.maxBytes };
}
