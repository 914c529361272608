import { delay } from '../../base/async';
import { asRecord, isRecord, type JsonRecord } from '../../base/json';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import {
  type Exchange,
  metaToken,
  type MissingRequest,
  progressTokenOf,
  RequestMatcher,
} from './exchanges';
import type { RecordedMessage, Recording } from './recording';

/** The longest wait between two messages that is served, in milliseconds; more of a recorded one helps nobody. */
export const maxServedDelayMs = 60_000;
/** At most this many requests are answered at the same time. */
export const maxServedAtOnce = 1000;

/** How a recording is served. */
export interface ServeOptions {
  readonly send: (message: JsonRecord) => void;
  /** False to answer at once, without the recorded waits. */
  readonly delays: boolean;
  /** Called with what is not in the recording, as a sentence. */
  readonly onMissing?: (sentence: string) => void;
}

interface OpenRequest {
  readonly stop: AbortController;
}

/** A server that answers from a recording: to what is in it as recorded, and to everything else with an error. */
export class RecordedServer {
  private readonly matcher: RequestMatcher;
  private readonly options: ServeOptions;
  private readonly open = new Map<unknown, OpenRequest>();
  /** What waits for the client's answers to the questions of the server, by their ids. */
  private readonly asked = new Map<unknown, () => void>();
  private questions = 0;

  constructor(recording: Recording, options: ServeOptions) {
    this.matcher = new RequestMatcher(recording);
    this.options = options;
  }

  /** Takes a message of the client; a list is a batch. */
  receive(message: unknown): void {
    if (Array.isArray(message)) {
      for (const one of message) this.receive(one);
      return;
    }
    if (!isRecord(message)) {
      this.fail(null, -32600, 'It is not a message of the protocol.');
      return;
    }
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      this.asked.get(id)?.();
      return;
    }
    if (id === undefined) {
      if (method === 'notifications/cancelled')
        this.open.get(asRecord(params)['requestId'])?.stop.abort();
      return;
    }
    void this.answer(id, method, asRecord(params));
  }

  /** Stops all answers that are under way. */
  dispose(): void {
    for (const { stop } of this.open.values()) stop.abort();
  }

  private async answer(id: unknown, method: string, params: JsonRecord): Promise<void> {
    if (this.open.size >= maxServedAtOnce)
      return this.fail(id, ErrorCode.internal, 'Too many requests are open.');
    const found = this.matcher.find(method, params);
    if ('missing' in found) return this.miss(id, method, found);
    const stop = new AbortController();
    this.open.set(id, { stop });
    try {
      await this.play(found, id, metaToken(params), stop.signal);
    } catch {
      // The client has cancelled the request, or is gone.
    } finally {
      this.open.delete(id);
    }
  }

  private miss(id: unknown, method: string, { missing, isKnown }: MissingRequest): void {
    if (method === 'ping') return this.options.send({ jsonrpc: '2.0', id, result: {} });
    this.options.onMissing?.(missing);
    this.fail(id, isKnown ? ErrorCode.invalidParams : ErrorCode.methodNotFound, missing);
  }

  private async play(
    { at, events, answer, params: recorded }: Exchange,
    id: unknown,
    token: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const { send } = this.options;
    let before = at;
    for (const event of events) {
      const { message, from } = event;
      const ms = event.at - before;
      before = event.at;
      // The client of today takes its own time to answer.
      if (from === 'client') continue;
      await this.wait(ms, signal);
      if (message === answer) send({ ...message, id });
      else if (message['method'] !== undefined && message['id'] !== undefined)
        await this.ask(event, signal);
      else if (progressTokenOf(message) === undefined) send(message);
      else if (token !== undefined && progressTokenOf(message) === metaToken(recorded))
        send({ ...message, params: { ...asRecord(message['params']), progressToken: token } });
    }
    if (!answer) this.fail(id, ErrorCode.internal, 'The recording has no answer to this request.');
  }

  private async ask({ message }: RecordedMessage, signal: AbortSignal): Promise<void> {
    const id = `recorded-${(this.questions += 1)}`;
    const answered = new Promise<void>((resolve) => {
      this.asked.set(id, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.options.send({ ...message, id });
    await answered;
    this.asked.delete(id);
    signal.throwIfAborted();
  }

  private async wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.options.delays || ms <= 0) return;
    await delay(Math.min(ms, maxServedDelayMs), signal);
    signal.throwIfAborted();
  }

  private fail(id: unknown, code: number, message: string): void {
    this.options.send({ jsonrpc: '2.0', id, error: { code, message } });
  }
}
