import type { StreamableHTTPReconnectionOptions } from '@modelcontextprotocol/client';
import { delay, Timer } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import type { Authorization } from '../auth/authorization';
import type { Fetch } from '../auth/secureUrl';
import type * as sdk from '../sdk';
import { hasAuthorization, type HttpServerConfig } from '../serverConfig';
import type { Wire, WireContext } from '../session/wire';
import { followRedirects, sameOriginOnly } from './followRedirects';
import { limitedFetch } from './limitedFetch';

/** When a lost stream is opened again; times in milliseconds. */
export type Reconnection = StreamableHTTPReconnectionOptions;

/** After 1 s, then later and later, for as long as the session lives. */
const defaultReconnection: Reconnection = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 60_000,
  maxRetries: Number.MAX_SAFE_INTEGER,
};

/** A server may ask for another pause, but for none that floods it, and for none that is never over. */
const shortestPauseMs = 100;
const longestPauseMs = 60_000;

const goodbyeMs = 1000;

/** The ways to reach a server at a URL: streamable HTTP first, then the HTTP+SSE of 2024-11-05. */
export async function httpWires(
  config: HttpServerConfig,
  { authorization, maxMessageBytes }: Pick<WireContext, 'authorization' | 'maxMessageBytes'>,
  reconnection: Reconnection = defaultReconnection,
): Promise<readonly (() => Wire)[]> {
  const { SSEClientTransport, StreamableHTTPClientTransport, withDpop } = await import('../sdk');
  const url = new URL(config.url);
  // A header that the person wrote is the sign-in; where it is refused, that is said.
  const signIn = hasAuthorization(config.headers) ? undefined : authorization;
  signIn?.attach(config);
  const options = {
    requestInit: { headers: { ...config.headers } },
    fetch: limitedFetch(
      maxMessageBytes,
      followRedirects(signIn ? signed(signIn, withDpop) : send, sameOriginOnly),
    ),
    ...(signIn && { authProvider: signIn }),
  };

  const streamable = (): Wire => {
    const reconnections = new DisposableStore();
    const transport = new StreamableHTTPClientTransport(url, {
      ...options,
      fetch: noticeBreaks(options.fetch, () => wire),
      reconnectionOptions: reconnection,
      reconnectionScheduler(reconnect, pauseMs) {
        const timer = reconnections.add(
          new Timer(() => {
            reconnections.delete(timer);
            reconnect();
          }),
        );
        timer.start(Math.min(Math.max(pauseMs, shortestPauseMs), longestPauseMs));
      },
    });
    const wire: Wire = {
      transport,
      close: async () => {
        reconnections.dispose();
        // A courtesy that may not hold up the end: whether it succeeds changes nothing here.
        const goodbye = new AbortController();
        const patience = delay(goodbyeMs, goodbye.signal);
        await Promise.race([transport.terminateSession(), patience]).catch(() => {});
        goodbye.abort();
        await patience.catch(() => {});
        await transport.close();
      },
    };
    return wire;
  };
  const sse = (): Wire => {
    const transport = new SSEClientTransport(url, options);
    return { transport, close: () => transport.close() };
  };

  return config.type === 'sse' ? [sse] : [streamable, sse];
}

/** The global `fetch` of the moment: the editor replaces it by one that knows its proxies. */
const send: Fetch = (url, init) => fetch(url, init);

/** Tells when the stream of the server's own messages is opened again, and when it cannot be. */
function noticeBreaks(base: Fetch, wire: () => Wire): Fetch {
  let opened = false;
  let hears = true;
  const hear = (now: boolean) => {
    // A server without such a stream refuses it from the beginning.
    if (!opened || now === hears) return;
    hears = now;
    wire().onHearing?.(now);
  };
  return async (url, init) => {
    if (init?.method !== 'GET') return base(url, init);
    const response = await base(url, init).catch((error: unknown) => {
      if (!init.signal?.aborted) hear(false);
      throw error;
    });
    hear(response.ok);
    // Where it goes on from an event, the server sends again what was missed.
    const isNew = !new Headers(init.headers).has('last-event-id');
    if (isNew && response.ok) {
      if (opened) wire().onResumed?.();
      opened = true;
    }
    return response;
  };
}

/** Signs requests where the tokens are bound to a key, and looks at refusals. */
function signed(authorization: Authorization, withDpop: typeof sdk.withDpop): Fetch {
  const sendSigned = withDpop(
    () => authorization.dpop(),
    () => authorization.token(),
  )(send);
  return async (url, init) => {
    const response = await sendSigned(url, init);
    // The transports only pass on that a permission is missing; which one is in the response.
    await authorization.observe(response);
    return response;
  };
}
