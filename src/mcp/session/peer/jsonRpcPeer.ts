import type { Transport } from '@modelcontextprotocol/client';
import { AbortListeners, deferred, delay } from '../../../base/async';
import { type DisposableStore, toDisposable } from '../../../base/disposable';
import { CancelledError } from '../../../base/errors';
import { Emitter } from '../../../base/event';
import { asRecord } from '../../../base/json';
import type { SpanContext } from '../../../base/tracing';
import type { LocalizableMessage } from '../../../base/translate';
import type { Meta, Progress } from '../../protocol/types';
import { HandshakeAnswers } from '../handshake/normalizeInitializeResult';
import type { DeadlineHold } from '../../transport/serverTransport';
import { type Frame, UnsentAnswers, idOfText, readFrame, withReadableMeta } from './frames';
import { PendingRequest, readProgress } from './pendingRequest';
import { RequestSpans, withTraceparent } from './requestSpans';
import type { Deadlines } from '../../serverConfig';
import {
  ConnectionLostError,
  DeadlineError,
  readHttpError,
  readRpcError,
} from '../../protocol/rpcError';

/** The first id of our requests: the SDK numbers its own from zero, so both can share one connection. */
const firstId = 1_000_000;

/** The options of one request. */
export interface PeerRequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Progress is passed on even after the answer, until this is disposed. */
  readonly progressUntil?: DisposableStore | undefined;
  readonly deadlines?: Deadlines | undefined;
  /** Waits up to the ceiling even without progress, because the answer comes only when some work has ended. */
  readonly patient?: boolean;
  /** What it is a part of, in traces. */
  readonly span?: SpanContext | undefined;
  /** HTTP headers of this request alone. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Params = Readonly<Record<string, unknown>>;

/**
 * A transport that sits between another one and the SDK's `Client`. The client handles the session:
 * handshake, questions from the server, subscriptions. Our requests bypass the client, because it
 * would reject a whole answer for one malformed entry, drop progress that comes with the answer, and
 * stop waiting without telling the server.
 */
export class JsonRpcPeer implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport['onmessage'];

  /** Called with the notifications of the server, in order of arrival, except for progress of our requests. */
  onnotification: ((method: string, params: Params) => void) | undefined;
  /** Called once when the transport has closed, no matter who closed it. */
  onlost: (() => void) | undefined;
  /** Called with every message, for a trace of the traffic. */
  ontraffic: ((direction: 'sent' | 'received', message: unknown) => void) | undefined;
  /** The requests that are followed, for traces. */
  readonly spans = new RequestSpans();
  /** Called with the id of a request and why it rejects, even if it was answered with an error. */
  onfailed: ((id: number, error: unknown) => void) | undefined;
  /** Turns errors of the transport into ours, before a request rejects with them. */
  readError: (error: unknown) => unknown = (error) => error;
  /** Called with what was thrown because of a message, and with that message, if it is known. */
  onfault: ((error: unknown, message?: unknown) => void) | undefined;
  /** Called with what is wrong with a message that is read all the same. */
  onodd: ((sentence: LocalizableMessage) => void) | undefined;
  /** The answers to the requests with which the client above opens the session. */
  readonly handshakes = new HandshakeAnswers();
  /** The answers to the server's questions that it has not taken yet. */
  readonly answers = new UnsentAnswers();
  /** Goes into `_meta` of every message of a stateless session (2026-07-28). */
  envelope: Meta | undefined;

  private readonly transport: Transport;
  private readonly deadlines: Deadlines;
  private readonly hold: DeadlineHold | undefined;
  private readonly pending = new Map<number, PendingRequest>();
  private readonly givenUp = new Emitter<PendingRequest>();
  /** The listeners of requests that want progress even after the answer, because the work goes on. */
  private readonly listeners = new Map<number, (progress: Progress) => void>();
  private readonly aborts = new AbortListeners();
  private nextId = firstId;
  private started: Promise<void> | undefined;
  private readonly closed = deferred<never>();
  private readonly end = new AbortController();
  /** Aborts when the transport below has closed, before anything else ends questions of the server for that reason. */
  readonly ended = this.end.signal;

  /** @param hold stops the clock of every request, including those that are sent in the meantime. */
  constructor(transport: Transport, deadlines: Deadlines, hold?: DeadlineHold) {
    this.transport = transport;
    this.deadlines = deadlines;
    this.hold = hold;
    hold?.onDidChange((isHeld) => {
      for (const request of this.pending.values())
        if (isHeld) request.pause();
        else request.resume();
    });
    transport.onmessage = (message, extra) => {
      // Whatever one message does, the next one is read.
      try {
        this.receive(message, extra);
      } catch (error) {
        this.onfault?.(error, message);
      }
    };
    transport.onerror = (error) => this.onerror?.(error);
    transport.onclose = () => this.lose();
    this.closed.promise.catch(() => {});
  }

  get sessionId(): string | undefined {
    return this.transport.sessionId;
  }

  /** True after the transport below closed. */
  get isLost(): boolean {
    return this.ended.aborted;
  }

  get hasPerRequestStream(): boolean {
    return this.transport.hasPerRequestStream ?? false;
  }

  /** Starts the transport below, once, however many clients attach. */
  start(): Promise<void> {
    this.started ??= Promise.race([this.transport.start(), this.closedMeanwhile()]);
    return this.started;
  }

  async send(...[message, options]: Parameters<Transport['send']>): Promise<void> {
    const pass = (requestSignal?: AbortSignal, sent = message) => {
      this.ontraffic?.('sent', sent);
      return this.transport.send(sent, requestSignal ? { ...options, requestSignal } : options);
    };
    if (!('method' in message)) return this.answers.send(message, () => pass());
    const isOfClient = 'id' in message && !this.pending.has(message.id as number);
    if (!isOfClient) {
      const { method, params } = message;
      if (method === 'notifications/cancelled')
        this.spans.failed(asRecord(params)['requestId'], new CancelledError());
      return pass();
    }
    await this.spans.send(message, options?.requestSignal, (sent) =>
      pass(this.handshakes.sent(message), sent),
    );
  }

  /** Detaches the client above; the transport below stays open for another. */
  close(): Promise<void> {
    const { onclose } = this;
    // The next client would pass everything on to the one before.
    this.onclose = undefined;
    this.onerror = undefined;
    this.onmessage = undefined;
    this.spans.failAll(new CancelledError());
    onclose?.();
    return Promise.resolve();
  }

  setProtocolVersion(version: string): void {
    this.spans.version = version;
    this.transport.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.transport.setSupportedProtocolVersions?.(versions);
  }

  /**
   * Sends a request and resolves with its result, unchecked. Rejects with `RpcError`,
   * `DeadlineError`, `ConnectionLostError` or `CancelledError`, or what the transport throws.
   */
  async request(
    method: string,
    params: Params,
    options: PeerRequestOptions = {},
  ): Promise<unknown> {
    const { signal, onProgress, progressUntil, deadlines = this.deadlines, headers } = options;
    const { ceiling } = deadlines;
    if (signal?.aborted) throw new CancelledError();
    if (this.isLost) throw new ConnectionLostError((t) => t('The connection is closed.'));
    const id = this.nextId++;
    // Only HTTP has a stream for each request; elsewhere there is nothing to abort.
    const stream = this.hasPerRequestStream ? new AbortController() : undefined;
    const span = this.spans.begin({ method, params, id }, options.span);
    const giveUp = (error: Error) => {
      if (!this.pending.delete(id)) return;
      pending.fail(error);
      this.cancel(id, error.message, stream, method);
      this.givenUp.fire(pending);
    };
    const pending = new PendingRequest(
      options.patient ? { request: ceiling, ceiling } : deadlines,
      onProgress,
      (waited) =>
        giveUp(
          new DeadlineError((t) =>
            t(
              'No answer to {0} within {1} s. "{2}" in the server\'s configuration sets how long to wait.',
              method,
              String(Math.round(waited / 1000)),
              waited < ceiling ? 'timeouts.request' : 'timeouts.total',
            ),
          ),
        ),
    );
    if (this.hold?.isHeld) pending.pause();
    this.pending.set(id, pending);
    const stopListening = signal && this.aborts.add(signal, () => giveUp(new CancelledError()));
    if (onProgress && progressUntil) {
      this.listeners.set(id, onProgress);
      progressUntil.add(toDisposable(() => this.listeners.delete(id)));
    }
    const fail = (error: unknown) => {
      if (this.pending.delete(id)) pending.fail(readHttpError(error) ?? this.readError(error));
    };
    this.send(
      {
        jsonrpc: '2.0',
        id,
        method,
        params: this.withMeta(span ? withTraceparent(params, span.traceparent) : params, {
          progressToken: id,
        }),
      },
      {
        headers,
        requestSignal: stream?.signal,
        onRequestStreamEnd: () =>
          fail(
            new ConnectionLostError((t) => t('The server ended its response without an answer.')),
          ),
      },
    ).catch(fail);
    try {
      const result = await pending.promise;
      span?.answered(result);
      return result;
    } catch (error) {
      span?.failed(error);
      this.onfailed?.(id, error);
      throw error;
    } finally {
      stopListening?.();
    }
  }

  /**
   * Runs `task`, which answers a question of the server; meanwhile, no pending request runs out of time. A question does
   * not say to which request it belongs: its signal aborts when the last one that it may belong to is given up, or the
   * transport has closed.
   */
  async whileAnswering<T>(task: (over: AbortSignal) => Promise<T>): Promise<T> {
    const waiting = [...this.pending];
    for (const [, request] of waiting) request.pause();
    const givenUp = new AbortController();
    const watch = this.givenUp.event((request) => {
      const isOne = waiting.some(([, one]) => one === request);
      const isLast = waiting.every(([id, one]) => this.pending.get(id) !== one);
      if (isOne && isLast) givenUp.abort(new CancelledError());
    });
    try {
      return await task(AbortSignal.any([givenUp.signal, this.ended]));
    } finally {
      watch.dispose();
      for (const [id, request] of waiting) if (this.pending.get(id) === request) request.resume();
    }
  }

  /** Sends a notification. */
  notify(method: string, params?: Params): Promise<void> {
    const full = this.envelope || params ? this.withMeta(params ?? {}, {}) : undefined;
    return this.send({
      jsonrpc: '2.0',
      method,
      ...(full && { params: full }),
    });
  }

  /** Rejects when the transport closes, as not every one then gives up its start; one that does says better why. */
  private async closedMeanwhile(): Promise<never> {
    try {
      return await this.closed.promise;
    } catch (error) {
      await delay(0);
      throw error;
    }
  }

  private withMeta(params: Params, own: Meta): Params {
    const given = params['_meta'] as Meta | undefined;
    return { ...params, _meta: { ...this.envelope, ...given, ...own } };
  }

  private receive(...[message, extra]: Parameters<NonNullable<Transport['onmessage']>>): void {
    this.ontraffic?.('received', message);
    const frame = this.withOwnId(readFrame(message));
    const { id, method, params, result, error } = frame;
    if (method === undefined && typeof id === 'number' && id >= firstId) {
      const pending = this.pending.get(id);
      // The answer to a request that was cancelled in the meantime is of no use.
      if (!pending) return;
      this.pending.delete(id);
      if (error === undefined) pending.succeed(result);
      else pending.fail(readRpcError(error));
      return;
    }
    if (typeof method === 'string' && id === undefined) {
      const fields = (typeof params === 'object' && params !== null ? params : {}) as Params;
      const token = this.ownNumber(fields['progressToken']);
      if (method === 'notifications/progress' && typeof token === 'number') {
        const pending = this.pending.get(token);
        const listener = this.listeners.get(token);
        if (pending) return pending.progress(fields);
        if (listener) return listener(readProgress(fields));
      }
      this.onnotification?.(method, fields);
    }
    if (method !== undefined && id !== undefined && !this.answers.take()) return;
    // A message that the client above would not answer, or that would make it wait forever, is normalized.
    if (method === undefined) this.spans.answered(id, frame);
    const normalized =
      method === undefined
        ? this.handshakes.normalized(message, frame)
        : withReadableMeta(message, params);
    this.onmessage?.(normalized, extra);
  }

  /** Reads the id of an answer that came back as a text as the number that it is. */
  private withOwnId(frame: Frame): Frame {
    if (frame.method !== undefined || typeof frame.id !== 'string') return frame;
    const id = this.ownNumber(frame.id);
    return id === frame.id ? frame : { ...frame, id: id as number };
  }

  /** Returns the number that a text stands for if it is one of a request of ours; any other value as it is. */
  private ownNumber(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const number = idOfText(value);
    if (number === undefined) return value;
    const isOurs = this.pending.has(number) || this.listeners.has(number);
    if (!isOurs && !this.handshakes.awaits(number)) return value;
    this.onodd?.((t) => t('Ids of requests come back as texts: they are read as numbers.'));
    return number;
  }

  private cancel(
    id: number,
    reason: string,
    stream: AbortController | undefined,
    method: string,
  ): void {
    // A stateless HTTP server knows a request only by its stream (2026-07-28, cancellation).
    const isStateless = this.envelope !== undefined || method === 'server/discover';
    if (!(isStateless && this.hasPerRequestStream)) {
      this.notify('notifications/cancelled', { requestId: id, reason }).catch((error: unknown) =>
        this.onerror?.(asError(error)),
      );
    }
    stream?.abort();
  }

  private lose(): void {
    if (this.isLost) return;
    this.closed.reject(
      new ConnectionLostError((t) => t('The connection closed before it was established.')),
    );
    const requests = [...this.pending.values()];
    this.pending.clear();
    this.spans.failAll(new ConnectionLostError((t) => t('The connection is closed.')));
    for (const request of requests)
      request.fail(
        new ConnectionLostError((t) => t('The connection closed before the answer came.')),
      );
    this.end.abort(
      new ConnectionLostError((t) => t('The connection closed before the question was answered.')),
    );
    this.onclose?.();
    this.onlost?.();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
