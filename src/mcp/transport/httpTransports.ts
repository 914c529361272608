import { delay } from '../../base/async';
import { patientBackoff, type Backoff } from '../../base/pace/backoff';
import type { Authorization } from '../auth/authorization';
import type { Fetch } from '../auth/secureUrl';
import type * as sdk from '../sdk';
import type { HttpServerConfig } from '../serverConfig';
import { defaultLimits } from '../serverLimits';
import type { ServerTransport, TransportContext } from '../session/serverTransport';
import { followRedirects, sameOriginOnly } from './followRedirects';
import { keepEventId } from './keepEventId';
import { limitedFetch } from './limitedFetch';
import { notificationFetch } from './notificationFetch';
import { watchOwnStream } from './ownStream';
import { sendRequest } from './pageFetch';
import { fetchReadableMeta } from './readableMeta';
import { RetryPlan } from './retryPlan';

const goodbyeMs = 1000;

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
  }: Pick<TransportContext, 'authorization' | 'maxMessageBytes' | 't'> &
    Partial<Pick<TransportContext, 'definition'>>,
  backoff: Backoff = patientBackoff,
): Promise<Readonly<Record<'streamable' | 'sse', () => ServerTransport>>> {
  const { SSEClientTransport, StreamableHTTPClientTransport, withDpop } = await import('../sdk');
  const { over } = config;
  const url = new URL(over?.url ?? config.url);
  // A header that the user configured is the sign-in; if it is refused, that is reported.
  const signIn = over || hasAuthorization(config.headers) ? undefined : authorization;
  signIn?.attach(config);
  const options = {
    requestInit: { headers: { ...config.headers } },
    fetch: fetchReadableMeta(
      limitedFetch(
        maxMessageBytes,
        followRedirects(
          signIn ? signed(signIn, withDpop) : (over?.send ?? sendRequest),
          sameOriginOnly,
        ),
        t,
      ),
    ),
    ...(signIn && { authProvider: signIn }),
  };

  const { deadlines } = definition?.limits ?? defaultLimits;
  const acknowledged = (transport: () => ServerTransport): Fetch =>
    notificationFetch(options.fetch, {
      limitMs: deadlines.initialize,
      onSilence: () => transport().onUnacknowledged?.(),
      onRefused: (why) =>
        transport().channel.onerror?.(new Error(`A notification was refused: ${why}`)),
    });

  const streamable = (): ServerTransport => {
    const retries = new RetryPlan(backoff);
    const channel = new StreamableHTTPClientTransport(url, {
      ...options,
      fetch: watchOwnStream(keepEventId(acknowledged(() => transport)), retries, () => transport),
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
        // A courtesy that must not delay the end: whether it succeeds makes no difference here.
        const goodbye = new AbortController();
        const patience = delay(goodbyeMs, goodbye.signal);
        await Promise.race([channel.terminateSession(), patience]).catch(() => {});
        goodbye.abort();
        await patience.catch(() => {});
        await channel.close();
      },
    };
    return transport;
  };
  const sse = (): ServerTransport => {
    const channel = new SSEClientTransport(url, {
      ...options,
      fetch: acknowledged(() => transport),
    });
    const transport: ServerTransport = { channel, close: () => channel.close() };
    return transport;
  };

  return { streamable, sse };
}

/** Signs requests if the tokens are bound to a key, and lets the authorization look at all responses. */
function signed(authorization: Authorization, withDpop: typeof sdk.withDpop): Fetch {
  const sendSigned = withDpop(
    () => authorization.dpop(),
    () => authorization.token(),
  )(sendRequest);
  return async (url, init) => {
    const response = await sendSigned(url, init);
    // The transports only report that a permission or a sign-in is missing; the response says which one.
    await authorization.observe(response, init);
    return response;
  };
}
