import { boundJson } from '../../base/measureJson';
import { CancelledError } from '../../base/errors';
import { Emitter } from '../../base/event';
import { asRecord, parseJson } from '../../base/json';
import { type Mask, maskedCopy } from '../../base/secretMask';
import { keptExchange, type HttpExchange, type NoteHttp, type SentExchange } from './httpExchange';
import {
  type TrafficAnswer,
  type TrafficEntry,
  type TrafficFailure,
  type TrafficMessage,
  estimateSize,
} from './trafficEntry';
import { truncate } from '../../base/text/text';

/** What stands before the id of an entry; the ids of servers are words. */
const ofAgents = 'agent:/';

/** Returns by which id the traffic of an agent is found, as that of a server is by its own. */
export function agentTrafficId(entry: string): string {
  return `${ofAgents}${entry}`;
}

/** The traffic of each server and each agent. That of servers outlives changes to its configuration. */
export class TrafficRecords {
  private readonly recorders = new Map<string, TrafficRecorder>();
  private readonly mask: Mask;

  /** @param mask removes the known secrets */
  constructor(mask: Mask) {
    this.mask = mask;
  }

  /** Returns the recorder for the server with this id, and creates it if necessary. */
  of(serverId: string): TrafficRecorder {
    const known = this.recorders.get(serverId);
    if (known) return known;
    const recorder = new TrafficRecorder(this.mask);
    this.recorders.set(serverId, recorder);
    return recorder;
  }

  /** Returns the recorder for the agent outside of the editor that has this entry, which is kept until it is discarded. */
  ofAgent(entry: string): TrafficRecorder {
    return this.of(agentTrafficId(entry));
  }

  /** Discards the traffic of an agent. */
  discardAgent(entry: string): void {
    this.recorders.delete(agentTrafficId(entry));
  }

  /** Discards the traffic of all servers except these. */
  keepOnly(serverIds: ReadonlySet<string>): void {
    for (const id of this.recorders.keys())
      if (!serverIds.has(id) && !id.startsWith(ofAgents)) this.recorders.delete(id);
  }
}

/** At most this much of a server's latest traffic is kept, in bytes as {@link estimateSize} counts them. */
export const maxTrafficBytes = 10_000_000;

/** At most this many of a server's latest requests, notifications and lines are kept. */
export const maxTrafficEntries = 5000;

/** The largest message that is kept as a whole, in bytes. */
export const maxKeptMessage = 1_000_000;

/** At most this many requests over HTTP are kept of one message, the latest. */
export const maxExchanges = 8;

/** What is kept of a larger message. */
const cutBounds = { maxString: 10_000, maxBytes: 100_000 };

/** How much of it is looked at for secrets: one that is cut off is not recognized. */
const maskedBounds = { maxString: 20_000, maxBytes: 200_000 };

/** The longest id by which an answer finds its request, as ids are kept and a server may make them any length. */
const maxIdLength = 200;

/** The longest body of a request in which a message is looked for, in UTF-16 units. */
const maxLookedAt = 100_000;

/** The size of an entry in addition to its messages, in bytes. */
const entryBytes = 200;

interface RecordedEntry extends TrafficEntry {
  answer?: TrafficAnswer;
  failure?: TrafficFailure;
  http?: readonly HttpExchange[];
  /** The id by which the answer finds it, among the requests of its session. */
  readonly id: unknown;
  readonly session: RequestEntries;
  /** When it began, on a clock that is never adjusted. */
  readonly begun: number;
  weight: number;
}

type Direction = TrafficEntry['direction'];

/**
 * The kept requests of one session, by their ids: those that have ended, too, since what HTTP made of one may be known
 * only after its answer or its cancellation.
 */
interface RequestEntries extends Readonly<Record<Direction, Map<unknown, RecordedEntry>>> {
  readonly peer?: TrafficEntry['peer'];
  /** The latest notification that was sent, while it is kept. */
  lastNotification: RecordedEntry | undefined;
}

/** What the tab of an app tells of its traffic. */
export interface AppNotes extends Pick<TrafficRecorder, 'note'> {
  /** Records that what is open has no answer any more, as the app ended or starts anew. */
  readonly noteEnd: () => void;
}

/** What a session tells of its traffic. */
export interface TrafficNotes extends Pick<TrafficRecorder, 'note' | 'noteFailure' | 'noteStderr'> {
  readonly noteHttp: NoteHttp;
  /**
   * Returns what records a session beside the server's own in the same list, and in `also`: both sessions give their
   * requests the same ids.
   */
  beside(also?: TrafficNotes): TrafficNotes;
}

/**
 * Keeps the latest traffic of one server, across its restarts. It keeps the messages themselves and formats none
 * of them, so that it costs next to nothing if nobody looks: whoever shows one masks it. What is kept in part, or is no
 * message, is masked before it is cut.
 */
export class TrafficRecorder implements TrafficNotes {
  /** A ring buffer, with the oldest entry at `first`. */
  private readonly ring: (RecordedEntry | undefined)[] = [];
  private first = 0;
  private count = 0;
  private weight = 0;
  private numbers = 0;
  private readonly ownRequests = noRequests();
  private readonly changed = new Emitter<void>();
  private readonly mask: Mask;

  /** @param mask removes the known secrets */
  constructor(mask: Mask) {
    this.mask = mask;
  }

  /** Fires for each message. */
  readonly onDidChange = this.changed.event;

  /** The kept entries, the oldest first. */
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

  beside(also?: TrafficNotes): TrafficNotes {
    const session = noRequests();
    return {
      note: (direction, message) => {
        this.note(direction, message, session);
        also?.note(direction, message);
      },
      noteFailure: (id, error) => {
        this.noteFailure(id, error, session);
        also?.noteFailure(id, error);
      },
      noteHttp: (exchange, body) => {
        this.noteHttp(exchange, body, session);
        also?.noteHttp(exchange, body);
      },
      noteStderr: (line) => {
        this.noteStderr(line);
        also?.noteStderr(line);
      },
      beside: (other) => this.beside(other),
    };
  }

  /** Returns what records an app of the server in the same list, where its messages are marked as such. */
  besideApp(): AppNotes {
    const session = { ...noRequests(), peer: 'app' } as const;
    return {
      note: (direction, message) => this.note(direction, message, session),
      noteEnd: () => {
        for (const requests of [session.sent, session.received])
          for (const id of requests.keys()) this.fail(requests, id, new CancelledError());
      },
    };
  }

  /** Records a message of the protocol. */
  note(direction: Direction, message: unknown, session = this.ownRequests): void {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
    const hasMethod = typeof method === 'string';
    if (!hasMethod && this.answer(session, direction, id, message)) return;
    const kind = hasMethod ? (id === undefined ? 'notification' : 'request') : 'response';
    const usable = kind === 'request' && isUsable(id) ? id : undefined;
    const entry = this.add(direction, kind, hasMethod ? method : '', message, {
      id: usable,
      session,
    });
    if (usable !== undefined) session[direction].set(usable, entry);
    if (kind === 'notification' && direction === 'sent') session.lastNotification = entry;
    // For requests that we cancel ourselves, `noteFailure` gets the reason.
    if (direction === 'received' && method === 'notifications/cancelled')
      this.fail(
        session.received,
        asRecord(asRecord(message)['params'])['requestId'],
        new CancelledError(),
      );
  }

  /** Records why a request of ours ended without an answer; ignores one that was answered. */
  noteFailure(id: number, error: unknown, session = this.ownRequests): void {
    this.fail(session.sent, id, error);
  }

  /** Records a request over HTTP: with the message that it carried, if that is kept, or else by itself. */
  noteHttp(sent: SentExchange, body: string | undefined, session = this.ownRequests): void {
    const exchange = keptExchange(sent, this.mask);
    const carried = body === undefined ? undefined : carriedBy(body);
    const entry =
      carried?.method === undefined
        ? undefined
        : carried.id === undefined
          ? session.lastNotification
          : session.sent.get(carried.id);
    if (entry && entry.method === carried?.method) this.addHttp(entry, exchange);
    else if (!carried || exchange.status === undefined || exchange.status >= 400)
      this.addHttp(this.add('sent', 'exchange', exchange.method, { url: exchange.url }), exchange);
  }

  private addHttp(entry: RecordedEntry, exchange: HttpExchange): void {
    entry.http = [...(entry.http ?? []), exchange].slice(-maxExchanges);
    const weight = estimateSize(exchange, maxKeptMessage);
    entry.weight += weight;
    this.weight += weight;
    this.makeRoom();
    this.changed.fire();
  }

  /** Records a line that the server wrote to stderr. */
  noteStderr(line: string): void {
    this.add('received', 'stderr', '', line);
  }

  private fail(requests: RequestEntries[Direction], id: unknown, error: unknown): void {
    const entry = waiting(requests.get(id));
    if (!entry) return;
    entry.failure = { error, durationMs: performance.now() - entry.begun };
    this.changed.fire();
  }

  private answer(
    { sent, received }: RequestEntries,
    direction: Direction,
    id: unknown,
    message: unknown,
  ): boolean {
    const entry = waiting((direction === 'sent' ? received : sent).get(id));
    if (!entry) return false;
    const { value, isCut, weight } = this.keep(message);
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
    found: Pick<RecordedEntry, 'id' | 'session'> = { id: undefined, session: this.ownRequests },
  ): RecordedEntry {
    const kept = this.keep(message);
    const entry: RecordedEntry = {
      number: (this.numbers += 1),
      time: Date.now(),
      direction,
      ...(found.session.peer && { peer: found.session.peer }),
      kind,
      // The method may be what makes the message too large.
      method: kept.isCut
        ? this.mask(truncate(method, maskedBounds.maxString)).slice(0, maxIdLength)
        : method,
      value: kept.value,
      isCut: kept.isCut,
      ...found,
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

  private keep(message: unknown): TrafficMessage & { readonly weight: number } {
    const weight = estimateSize(message, maxKeptMessage);
    if (weight <= maxKeptMessage) return { value: message, isCut: false, weight };
    const bounded = boundJson(message, maskedBounds);
    // One look at the whole text is much less work than one at each of its parts, and most messages hold nothing to mask.
    const text = JSON.stringify(bounded) ?? '';
    const masked = this.mask(text) === text ? bounded : maskedCopy(bounded, this.mask);
    return { value: boundJson(masked, cutBounds), isCut: true, weight: cutBounds.maxBytes };
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
    const { session } = oldest;
    const requests = session[oldest.direction];
    if (requests.get(oldest.id) === oldest) requests.delete(oldest.id);
    if (session.lastNotification === oldest) session.lastNotification = undefined;
  }
}

function noRequests(): RequestEntries {
  return { sent: new Map(), received: new Map(), lastNotification: undefined };
}

/** Returns a request if it has not ended. */
function waiting(entry: RecordedEntry | undefined): RecordedEntry | undefined {
  return entry?.answer || entry?.failure ? undefined : entry;
}

/** Returns what finds the message in the body of a request; `undefined` if there is none, as in a sign-in. */
function carriedBy(body: string): { readonly id?: unknown; readonly method?: unknown } | undefined {
  const [, id, method] = /^\{"jsonrpc":"2\.0","id":(\d+),"method":"([^"\\]*)"/.exec(body) ?? [];
  if (id !== undefined) return { id: Number(id), method };
  // Only calls begin so; of what else is long, the method is not looked for.
  const message = body.length > maxLookedAt ? undefined : asRecord(parseJson(body));
  return message?.['jsonrpc'] === '2.0' ? message : undefined;
}

function isUsable(id: unknown): boolean {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= maxIdLength);
}
