import { errorMessage } from '../../base/errors';
import type { Fetch } from '../auth/secureUrl';
import type { ServerTransport } from '../session/serverTransport';
import type { RetryPlan } from './retryPlan';

/** What a server or what stands before it answers for a while; another refusal says that there is no such stream. */
const passing: readonly number[] = [429, 502, 503, 504];

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}

/**
 * `send`, which tries until the stream of the server's own messages is open, since the transport opens only one again
 * that was open. It tells when one that was open is lost, and when it is opened again or late.
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
      if (isResponse && !passing.includes(answer.status)) {
        opened = answer.ok && isStream(answer);
        if (opened && failures > 0) transport().onResumed?.();
        if (opened || !answer.ok) return answer;
        // A page for people, as some have it at this address: the transport would ask for it every second.
        await answer.body?.cancel().catch(() => {});
        return new Response(null, { status: 405 });
      }
      // Nothing is lost by it, and some have a gateway that never lets one through: the log alone says so.
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
