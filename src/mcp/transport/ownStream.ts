import { errorMessage } from '../../base/errors';
import type { Fetch } from '../auth/secureUrl';
import type { ServerTransport } from '../session/serverTransport';
import { isEventStream } from './mediaTypeOf';
import type { RetryPlan } from './retryPlan';

/** The statuses that a server or its gateway returns temporarily; any other refusal means that there is no stream. */
const passing: readonly number[] = [429, 502, 503, 504];

/**
 * Wraps `send` to try until the stream of the server's own messages is open, since the transport only reopens one that
 * was open. Tells the transport when an open stream is lost, and when it is reopened or opened late.
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
