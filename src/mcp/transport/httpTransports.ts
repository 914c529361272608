import { gatewayStatuses } from '../protocol/errorFacts';
import { Timer, delay } from '../../base/async';
import { type Backoff, ReopenPace, backoffMs, patientBackoff } from '../../base/pace';
import type { Authorization } from '../auth/authorization';
import type { Fetch } from '../http/secureUrl';
import type * as sdk from '../sdk';
import { type HttpServerConfig, defaultLimits } from '../serverConfig';
import type { ServerTransport, TransportContext } from './serverTransport';
import { followRedirects, sameOriginOnly } from '../http/followRedirects';
import { limitedFetch } from '../http/limitedFetch';
import { sendRequest } from '../http/pageFetch';
import { encryptEndpoint, fetchReadableMeta, fetchReadableType } from '../http/readableMeta';
import { isEventStream, withBody } from '../http/responseBody';
import { errorMessage } from '../../base/errors';
import { parseObject } from '../protocol/parseObject';
import { notedFetch } from '../traffic/httpExchange';
import type { LocalizableMessage } from '../../base/translate';
import { type Disposable, DisposableStore } from '../../base/disposable';

/** The shortest pause that a server may ask for, so that it is not flooded. */
const shortestPauseMs = 100;

/** The longest pause that a server may ask for: none plans further ahead, but one may count in a smaller unit. */
const longestPauseMs = 60 * 60_000;

/** Reopens the streams of one session after pauses; reopens nothing after it is disposed. */
class RetryPlan implements Disposable {
  private readonly timers = new DisposableStore();
  private readonly backoff: Backoff;
  private readonly pace: ReopenPace;

  constructor(backoff: Backoff) {
    this.backoff = backoff;
    this.pace = new ReopenPace(backoff);
  }

  /** Notes that a stream is open. */
  opened(): void {
    this.pace.opened();
  }

  /**
   * Runs `reconnect` after a pause, which is longer the more attempts have failed since the stream was lost, and the more
   * streams ended right after they were opened.
   * @param askedMs the shortest pause that the server asked for, in milliseconds.
   */
  plan(reconnect: () => void, failures: number, askedMs: number = this.backoff.firstMs): void {
    const pauseMs =
      failures === 0 ? this.first(askedMs) : Math.max(askedMs, backoffMs(this.backoff, failures));
    const timer = new Timer(() => {
      this.timers.delete(timer);
      reconnect();
    });
    timer.start(Math.min(Math.max(pauseMs, shortestPauseMs), longestPauseMs));
    // Added last: if the plan is disposed already, this stops the timer.
    this.timers.add(timer);
  }

  /** A server may end its streams on purpose at the pace that it asked for, but not at any (SEP-1699). */
  private first(askedMs: number): number {
    const { firstMs } = this.backoff;
    if (askedMs > firstMs) return askedMs;
    if (askedMs === firstMs) return this.pace.lost();
    return this.pace.lost({ firstMs: Math.max(askedMs, shortestPauseMs), longestMs: firstMs });
  }

  dispose(): void {
    this.timers.dispose();
  }
}

/** The statuses that a server or its gateway returns temporarily; any other refusal means that there is no stream. */
const passing: readonly number[] = [429, ...gatewayStatuses];

/**
 * Wraps `send` to try until the stream of the server's own messages is open, since the transport only reopens one that
 * was open. Tells the transport when an open stream is lost, and when it is reopened or opened late.
 */
function watchOwnStream(send: Fetch, retries: RetryPlan, transport: () => ServerTransport): Fetch {
  let opened = false;
  let listening = true;
  const setListening = (now: boolean) => {
    if (now === listening) return;
    listening = now;
    transport().onListening?.(now);
  };

  const openFirst: Fetch = async (url, init) => {
    for (let failures = 0; ; failures += 1) {
      const answer = await send(url, init).catch((error: unknown) => {
        if (init?.signal?.aborted) throw error;
        return errorMessage(error);
      });
      const isResponse = typeof answer !== 'string';
      if (isResponse && !passing.includes(answer.status)) {
        opened = answer.ok && isEventStream(answer);
        if (opened) retries.opened();
        if (opened && failures > 0) transport().onResumed?.();
        if (opened || !answer.ok) return answer;
        // A page for people, which some servers have at this address: the transport would request it every second.
        await answer.body?.cancel().catch(() => {});
        return new Response(null, { status: 405 });
      }
      // Nothing is lost, and some servers have a gateway that never lets a stream through, so this is only logged.
      if (failures === 0) {
        const reason = isResponse ? `HTTP status ${answer.status}` : answer;
        const said = `The stream of the server's own messages cannot be opened yet: ${reason}`;
        transport().channel.onerror?.(new Error(said));
      }
      if (isResponse) await answer.body?.cancel().catch(() => {});
      // Once the session has ended, this never resolves, and nobody waits for it.
      await new Promise<void>((again) => retries.plan(again, failures));
    }
  };

  return async (url, init) => {
    if (init?.method !== 'GET') return send(url, init);
    // If it resumes after an event, the server sends again what was missed.
    const isNew = !new Headers(init.headers).has('last-event-id');
    // A stream that resumes before this one was ever open is the answer to a request.
    if (!opened && isNew) return openFirst(url, init);
    const response = await send(url, init).catch((error: unknown) => {
      if (opened && !init.signal?.aborted) setListening(false);
      throw error;
    });
    if (response.ok) retries.opened();
    if (!opened) return response;
    setListening(response.ok);
    if (isNew && response.ok) transport().onResumed?.();
    return response;
  };
}

/** How long the acknowledgement of a notification is waited for before what follows is sent, in milliseconds. */
const acknowledgementMs = 2000;

/** How a request of ours begins, which all calls are, so that their bodies are not parsed again. */
const requestBeginning = /^\{"jsonrpc":"2\.0","id":\d+,"method":/;

/** What is done about notifications that a server does not acknowledge. */
interface Unacknowledged {
  /** After this many milliseconds, the request that carries the notification is ended. */
  readonly limitMs: number;
  /** Called with a sentence for each notification that is not waited for any longer. */
  onSilence(sentence: LocalizableMessage): void;
  /** Called with a sentence if the server refuses a notification that was not waited for. */
  onRefused(why: string): void;
}

/**
 * Wraps `send` so that a notification without an acknowledgement holds up nothing: after a short wait it counts as
 * accepted, and its request is ended at the limit. Some servers have no answer to give and so never end the response.
 */
function notificationFetch(send: Fetch, unacknowledged: Unacknowledged): Fetch {
  const { limitMs } = unacknowledged;
  return async (url, init) => {
    if (!isNotification(init)) return send(url, init);
    const over = new AbortController();
    const end = setTimeout(() => over.abort(), limitMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal;
    const answered = send(url, { ...init, signal })
      .then(whole)
      .finally(() => clearTimeout(end));
    const waited = new AbortController();
    const timeout = delay(Math.min(acknowledgementMs, limitMs / 4), waited.signal);
    const response = await Promise.race([answered, timeout]).finally(() => {
      waited.abort();
      timeout.catch(() => {});
    });
    if (response) return response;
    unacknowledged.onSilence((t) =>
      t('The server does not acknowledge notifications. It is not waited for.'),
    );
    void answered.then(
      ({ ok, status }) => {
        if (!ok) unacknowledged.onRefused(`HTTP status ${status}`);
      },
      (error: unknown) => {
        if (!signal.aborted) unacknowledged.onRefused(errorMessage(error));
      },
    );
    return new Response(null, { status: 202 });
  };
}

/** Returns an accepted response when its body has ended, since nothing in it matters; any other as it is. */
async function whole(response: Response): Promise<Response> {
  if (!response.ok || !response.body) return response;
  await response.text();
  const { status, statusText, headers } = response;
  return new Response(null, { status, statusText, headers });
}

function isNotification(init: RequestInit | undefined): boolean {
  const { method, body } = init ?? {};
  if (method !== 'POST' || typeof body !== 'string' || requestBeginning.test(body)) return false;
  const message = parseObject(body);
  return typeof message?.['method'] === 'string' && message['id'] === undefined;
}

/**
 * Wraps `send` so that a stream that resumes after an event begins with the id of that event: the transport forgets
 * the id if the stream ends before another event, and would then open a stream of another kind.
 */
export function keepEventId(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const id = new Headers(init?.headers).get('last-event-id');
    if (id === null || !response.ok) return response;
    const event = new TextEncoder().encode(`id: ${id}\ndata:\n\n`);
    return withBody(response, (piece) => ({ pieces: [piece] }), event);
  };
}

/** How long the end of a session waits for the server to hear of it, in milliseconds. */
const terminationMs = 1000;

/** True if the headers already say who the user is, so that no sign-in is needed. */
export function hasAuthorization(headers: HttpServerConfig['headers']): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** What a server is reached by in place of the network, at the address that stands for it; it cannot be signed in to. */
interface Over {
  readonly url: string;
  readonly send: Fetch | undefined;
}

/**
 * Creates the ways to reach a server at a URL: streamable HTTP, and the HTTP+SSE of 2024-11-05.
 * @param backoff when a lost stream is reopened, for as long as the session lives.
 */
export async function httpTransports(
  config: HttpServerConfig & { readonly over?: Over | undefined },
  {
    authorization,
    maxMessageBytes,
    t,
    definition,
    onHttp,
  }: Pick<TransportContext, 'authorization' | 'maxMessageBytes' | 't' | 'onHttp'> &
    Partial<Pick<TransportContext, 'definition'>>,
  backoff: Backoff = patientBackoff,
): Promise<Readonly<Record<'streamable' | 'sse', () => ServerTransport>>> {
  const { SSEClientTransport, StreamableHTTPClientTransport, withDpop } = await import('../sdk');
  const { over } = config;
  const url = new URL(over?.url ?? config.url);
  // A header that the user configured is the sign-in; if it is refused, that is reported.
  const signIn = over || hasAuthorization(config.headers) ? undefined : authorization;
  signIn?.attach(config);
  const network = notedFetch(over?.send ?? sendRequest, onHttp);
  const send = signIn ? signed(signIn, withDpop, network) : network;
  const options = {
    requestInit: { headers: { ...config.headers } },
    ...(signIn && { authProvider: signIn }),
  };

  /** Creates the `fetch` of a transport, which normalizes what is read although the protocol forbids it. */
  const normalizingFetch = (
    onFault: ((sentence: LocalizableMessage) => void) | undefined,
  ): Fetch => {
    const follow = followRedirects(send, sameOriginOnly);
    const typed = onFault ? fetchReadableType(follow, onFault) : follow;
    return fetchReadableMeta(limitedFetch(maxMessageBytes, typed, t));
  };
  const { deadlines } = definition?.limits ?? defaultLimits;
  const acknowledged = (transport: () => ServerTransport, way: 'streamable' | 'sse'): Fetch => {
    const onFault = (sentence: LocalizableMessage) => transport().onFault?.(sentence);
    // Over HTTP+SSE, answers come by the stream, and nothing in that of a request matters.
    return notificationFetch(normalizingFetch(way === 'streamable' ? onFault : undefined), {
      limitMs: deadlines.initialize,
      onSilence: onFault,
      onRefused: (why) =>
        transport().channel.onerror?.(new Error(`A notification was refused: ${why}`)),
    });
  };

  const streamable = () => {
    const transport: ServerTransport = streamableTransport(
      (how) => new StreamableHTTPClientTransport(url, { ...options, ...how }),
      acknowledged(() => transport, 'streamable'),
      backoff,
    );
    return transport;
  };
  const sse = (): ServerTransport => {
    const channel = new SSEClientTransport(url, {
      ...options,
      fetch: encryptEndpoint(
        acknowledged(() => transport, 'sse'),
        url,
      ),
    });
    const transport: ServerTransport = { channel, close: () => channel.close() };
    return transport;
  };

  return { streamable, sse };
}

/** Creates the transport of streamable HTTP, whose lost streams are reopened after pauses. */
function streamableTransport(
  create: (
    how: ConstructorParameters<typeof sdk.StreamableHTTPClientTransport>[1],
  ) => sdk.StreamableHTTPClientTransport,
  send: Fetch,
  backoff: Backoff,
): ServerTransport {
  const retries = new RetryPlan(backoff);
  const channel = create({
    fetch: watchOwnStream(keepEventId(send), retries, () => transport),
    reconnectionOptions: {
      initialReconnectionDelay: backoff.firstMs,
      reconnectionDelayGrowFactor: 2,
      maxReconnectionDelay: backoff.longestMs,
      maxRetries: Number.MAX_SAFE_INTEGER,
    },
    // If the server asked for a pause, the SDK passes that each time, however often it failed.
    reconnectionScheduler: (reconnect, pauseMs, failures) =>
      retries.plan(reconnect, failures, pauseMs),
  });
  const transport: ServerTransport = {
    channel,
    close: async () => {
      retries.dispose();
      await terminateSession(channel);
      await channel.close();
    },
  };
  return transport;
}

/** Tells the server that the session ends: a courtesy that must not delay the end, and may fail. */
async function terminateSession(channel: sdk.StreamableHTTPClientTransport): Promise<void> {
  const over = new AbortController();
  const timeout = delay(terminationMs, over.signal);
  await Promise.race([channel.terminateSession(), timeout]).catch(() => {});
  over.abort();
  await timeout.catch(() => {});
}

/** Signs requests if the tokens are bound to a key, and lets the authorization look at all responses. */
function signed(
  authorization: Authorization,
  withDpop: typeof sdk.withDpop,
  network: Fetch,
): Fetch {
  const sendSigned = withDpop(
    () => authorization.dpop(),
    () => authorization.token(),
  )(network);
  return async (url, init) => {
    // The transports only report that a permission or a sign-in is missing; the response says which one.
    return authorization.observe(await sendSigned(url, init), init);
  };
}
