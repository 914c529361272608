import { errorMessage } from '../../base/errors';
import { looksSecret, redactSecrets, redactText, redacted } from '../../base/secrets';
import { truncate } from '../../base/text/text';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Headers = Readonly<Record<string, string>>;

/** One HTTP request and the beginning of its answer, without bodies and without secrets. */
export interface HttpExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  /** Absent if nothing was answered. */
  readonly status?: number;
  readonly responseHeaders?: Headers;
  /** Why nothing was answered. */
  readonly error?: string;
  /** The milliseconds until the first byte of the answer, or until it was known that there is none. */
  readonly firstByteMs: number;
}

/** Takes an exchange and the body of its request, which may hold secrets, to find the message that it is about. */
export type NoteHttp = (exchange: HttpExchange, body: string | undefined) => void;

/** At most this many headers of a request, or of its answer, are kept. */
export const maxKeptHeaders = 50;

/** The longest URL or value of a header that is kept, in UTF-16 units. */
export const maxHeaderLength = 2000;

/** The headers of requests that are known to hold no secret; of all others, only the name is kept. */
const open = new Set([
  'accept',
  'cache-control',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]);

/** Wraps `send` to note each request once its answer begins, or once it is known that there is none. */
export function notedFetch(send: Fetch, note: NoteHttp | undefined): Fetch {
  if (!note) return send;
  return async (url, init) => {
    const began = performance.now();
    const end = (ended: Pick<HttpExchange, 'status' | 'responseHeaders' | 'error'>) => {
      const exchange = {
        method: init?.method ?? 'GET',
        url: shown(String(url)),
        requestHeaders: kept(new Headers(init?.headers), (name) => !open.has(name)),
        ...ended,
        firstByteMs: performance.now() - began,
      };
      note(exchange, typeof init?.body === 'string' ? init.body : undefined);
    };
    try {
      const response = await send(url, init);
      end({ status: response.status, responseHeaders: kept(response.headers, looksSecret) });
      return response;
    } catch (error) {
      end({ error: shown(errorMessage(error)) });
      throw error;
    }
  };
}

function kept(headers: globalThis.Headers, isSecret: (name: string) => boolean): Headers {
  return Object.fromEntries(
    [...headers]
      .slice(0, maxKeptHeaders)
      .map(([name, value]) => [
        truncate(name, maxHeaderLength),
        isSecret(name) || redactSecrets(value) === redacted ? redacted : shown(value),
      ]),
  );
}

function shown(text: string): string {
  // A secret that is cut off is not recognized as one.
  return truncate(redactText(truncate(text, 8 * maxHeaderLength)), maxHeaderLength);
}
