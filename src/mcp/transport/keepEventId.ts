import type { Fetch } from '../auth/secureUrl';
import { withBody } from './responseBody';

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
