import { errorMessage } from '../../base/errors';
import { type Mask, looksSecret, redactSecrets, redactText, redacted } from '../../base/secrets';
import { isRecord, parseJson } from '../../base/json';
import { truncate } from '../../base/text/text';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Headers = Readonly<Record<string, string>>;
type GivenHeaders = ConstructorParameters<typeof globalThis.Headers>[0];

/** One HTTP request and the beginning of its answer, without messages and without secrets. */
export interface HttpExchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  /** What a request of a sign-in sends; of what may hold a secret, the name alone. */
  readonly parameters?: Headers;
  /** Absent if nothing was answered. */
  readonly status?: number;
  readonly responseHeaders?: Headers;
  /** Why nothing was answered. */
  readonly error?: string;
  /** The milliseconds until the first byte of the answer, or until it was known that there is none. */
  readonly firstByteMs: number;
}

/** One HTTP request and the beginning of its answer as they are, which only {@link keptExchange} makes fit to be kept. */
export type SentExchange = Omit<
  HttpExchange,
  'requestHeaders' | 'responseHeaders' | 'parameters'
> & {
  readonly requestHeaders: GivenHeaders;
  readonly responseHeaders?: GivenHeaders;
  /** The body of a request of a sign-in: a form, or an object as JSON. */
  readonly form?: string | undefined;
};

/** Takes an exchange and the body of its request, which may hold secrets, to find the message that it is about. */
export type NoteHttp = (exchange: SentExchange, body: string | undefined) => void;

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

/** The parameters of sign-ins that are known to hold no secret. */
const openParameters = new Set([
  'application_type',
  'audience',
  'client_assertion_type',
  'client_id',
  'client_name',
  'client_uri',
  'code_challenge_method',
  'grant_type',
  'grant_types',
  'redirect_uri',
  'redirect_uris',
  'requested_token_type',
  'resource',
  'response_type',
  'response_types',
  'scope',
  'subject_token_type',
  'token_endpoint_auth_method',
]);

/** Wraps `send` to note each request once its answer begins, or once it is known that there is none. */
export function notedFetch(send: Fetch, note: NoteHttp | undefined): Fetch {
  if (!note) return send;
  return async (url, init) => {
    const began = performance.now();
    const end = (ended: Pick<SentExchange, 'status' | 'responseHeaders' | 'error'>) => {
      const exchange = {
        method: init?.method ?? 'GET',
        url: String(url),
        requestHeaders: init?.headers,
        ...ended,
        firstByteMs: performance.now() - began,
      };
      const { body } = init ?? {};
      const isText = typeof body === 'string' || body instanceof URLSearchParams;
      note(exchange, isText ? String(body) : undefined);
    };
    try {
      const response = await send(url, init);
      end({ status: response.status, responseHeaders: response.headers });
      return response;
    } catch (error) {
      end({ error: errorMessage(error) });
      throw error;
    }
  };
}

/** Returns what is kept of an exchange: bounded, without what `mask` knows and without what looks like a secret. */
export function keptExchange(exchange: SentExchange, mask: Mask): HttpExchange {
  const { method, url, requestHeaders, form, status, responseHeaders, error, firstByteMs } =
    exchange;
  return {
    method,
    url: kept(url, mask),
    requestHeaders: keptHeaders(requestHeaders, mask, (name) => !open.has(name)),
    ...(form !== undefined && { parameters: keptParameters(form, mask) }),
    ...(status !== undefined && { status }),
    ...(responseHeaders && { responseHeaders: keptHeaders(responseHeaders, mask, looksSecret) }),
    ...(error !== undefined && { error: kept(error, mask) }),
    firstByteMs,
  };
}

function keptHeaders(
  headers: GivenHeaders,
  mask: Mask,
  isSecret: (name: string) => boolean,
): Headers {
  return Object.fromEntries(
    [...new Headers(headers)]
      .slice(0, maxKeptHeaders)
      .map(([name, value]) => [
        kept(name, mask),
        isSecret(name) || redactSecrets(value) === redacted ? redacted : kept(value, mask),
      ]),
  );
}

function keptParameters(form: string, mask: Mask): Headers {
  const read = parseJson(form);
  const all = isRecord(read)
    ? Object.entries(read).map(([name, value]) => [name, textOf(value)] as const)
    : [...new URLSearchParams(form)];
  return Object.fromEntries(
    all
      .slice(0, maxKeptHeaders)
      .map(([name, value]) => [
        kept(name, mask),
        openParameters.has(name) ? kept(value, mask) : redacted,
      ]),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function kept(text: string, mask: Mask): string {
  // A secret that is cut off is not recognized as one.
  return truncate(redactText(mask(truncate(text, 8 * maxHeaderLength))), maxHeaderLength);
}
