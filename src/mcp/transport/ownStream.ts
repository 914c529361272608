import { errorMessage } from '../../base/errors';
import type { Fetch } from '../auth/secureUrl';
import type { ServerTransport } from '../session/serverTransport';
import type { RetryPlan } from './retryPlan';

/**
 * Answers to the first request for the stream that another request does not change: it is open, signing in comes before
 * it, the session is unknown or has no such address, or there is no such stream.
 */
const isDecided = ({ ok, status }: Response) => ok || [401, 403, 404, 405].includes(status);

/**
 * `send`, which tries until the stream of the server's own messages is open, since the transport opens only one again
 * that was open; it tells when that is opened again, and when it cannot be.
 */
export function watchOwnStream(
  send: Fetch,
  retries: RetryPlan,
  transport: () => ServerTransport,
): Fetch {
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
      if (isResponse && isDecided(answer)) {
        opened = answer.ok;
        setListening(true);
        if (opened && failures > 0) transport().onResumed?.();
        return answer;
      }
      setListening(false);
      if (failures === 0) {
        const reason = isResponse ? `HTTP status ${answer.status}` : answer;
        const said = `The stream of the server's own messages cannot be opened yet: ${reason}`;
        transport().channel.onerror?.(new Error(said));
      }
      if (isResponse) await answer.body?.cancel().catch(() => {});
      // After the end of the session nobody waits for it.
      await new Promise<void>((again) => retries.plan(again, failures));
    }
  };

  return async (url, init) => {
    if (init?.method !== 'GET') return send(url, init);
    // Where it goes on from an event, the server sends again what was missed.
    const isNew = !new Headers(init.headers).has('last-event-id');
    // What goes on before it was ever open is the answer to a request.
    if (!opened) return isNew ? openFirst(url, init) : send(url, init);
    const response = await send(url, init).catch((error: unknown) => {
      if (!init.signal?.aborted) setListening(false);
      throw error;
    });
    setListening(response.ok);
    if (isNew && response.ok) transport().onResumed?.();
    return response;
  };
}
