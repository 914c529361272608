import { delay } from '../../base/async';
import { errorMessage } from '../../base/errors';
import type { Fetch } from '../auth/secureUrl';
import { parseObject } from '../protocol/parseObject';

/** How long the acknowledgement of a notification is waited for before what follows is sent, in milliseconds. */
const acknowledgementMs = 2000;

/** How a request of ours begins, which all calls are, so that their bodies are not parsed again. */
const requestOfLane = /^\{"jsonrpc":"2\.0","id":\d+,"method":/;

/** What is done about notifications that a server does not acknowledge. */
export interface Unacknowledged {
  /** After this many milliseconds, the request that carries the notification is ended. */
  readonly limitMs: number;
  /** Called for each notification that is not waited for any longer. */
  onSilence(): void;
  /** Called with a sentence if the server refuses a notification that was not waited for. */
  onRefused(why: string): void;
}

/**
 * Wraps `send` so that a notification without an acknowledgement holds up nothing: after a short wait it counts as
 * accepted, and its request is ended at the limit. Some servers have no answer to give and so never end the response.
 */
export function notificationFetch(send: Fetch, unacknowledged: Unacknowledged): Fetch {
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
    const patience = delay(Math.min(acknowledgementMs, limitMs / 4), waited.signal);
    const response = await Promise.race([answered, patience]).finally(() => {
      waited.abort();
      patience.catch(() => {});
    });
    if (response) return response;
    unacknowledged.onSilence();
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
  if (method !== 'POST' || typeof body !== 'string' || requestOfLane.test(body)) return false;
  const message = parseObject(body);
  return typeof message?.['method'] === 'string' && message['id'] === undefined;
}
