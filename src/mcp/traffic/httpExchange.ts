import { errorMessage } from '../../base/errors';
import { type Mask, SecretMask } from '../../base/secretMask';
import { looksSecret, redactSecrets, redactText, redacted } from '../../base/secrets';
import { type JsonRecord, asRecord, isRecord, parseJson } from '../../base/json';
import { boundJson } from '../../base/measureJson';
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
  /** What a request of a sign-in was answered: an object, of which what may hold a secret is the name alone, or a text. */
  readonly answer?: JsonRecord | string;
  /** Why nothing was answered. */
  readonly error?: string;
  /** The milliseconds until the first byte of the answer, or until it was known that there is none. */
  readonly firstByteMs: number;
}

/** One HTTP request and the beginning of its answer as they are, which only {@link keptExchange} makes fit to be kept. */
export type SentExchange = Omit<
  HttpExchange,
  'requestHeaders' | 'responseHeaders' | 'parameters' | 'answer'
> & {
  readonly requestHeaders: GivenHeaders;
  readonly responseHeaders?: GivenHeaders;
  /** The body of a request of a sign-in: a form, or an object as JSON. */
  readonly form?: string | undefined;
  /** The beginning of the body that answers a request of a sign-in, or what the browser brings back as JSON. */
  readonly answered?: string;
};

/** Takes an exchange and the body of its request, which may hold secrets, to find the message that it is about. */
export type NoteHttp = (exchange: SentExchange, body: string | undefined) => void;

/** At most this many headers of a request, or of its answer, are kept. */
export const maxKeptHeaders = 50;

/** The longest URL or value of a header that is kept, in UTF-16 units. */
export const maxHeaderLength = 2000;

/** So much of one is looked at for secrets. */
const longestLookedAt = 8 * maxHeaderLength;

/** So much of the answer to a request of a sign-in is read, in bytes. */
export const maxReadAnswer = 50_000;

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
  'prompt',
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

/** The names in what answers a sign-in, such as the parts of metadata, that are known to have no secret. */
const openAnswer =
  /^(?:issuer|iss|error|resource|resource_name|scope|authorization_servers|mtls_endpoint_aliases|\w+_(?:description|documentation|uris?|endpoint|supported|required|type|in|at))$/;

/** The names of codes that tokens are given for; others, such as that of an error, are of use to a reader. */
const grantingCode = /^(?:(?:auth(?:orization)?|device|user)_?)?code$/i;

/** Wraps `send` to note each request once its answer begins, or once it is known that there is none. */
export function notedFetch(send: Fetch, note: NoteHttp | undefined): Fetch {
  return note ? noting(send, (exchange, body) => note(exchange, body)) : send;
}

/**
 * Wraps `send` to note each request of a sign-in, which is no message of the protocol, once the beginning of its answer
 * was read, or once it is known that there is none.
 */
export function notedSignIn(send: Fetch, note: (exchange: SentExchange) => void): Fetch {
  return noting(send, (exchange, form, response) => {
    const copy = response?.clone();
    if (copy?.body)
      void beginningOf(copy.body).then((answered) => note({ ...exchange, form, answered }));
    else note({ ...exchange, form });
  });
}

function noting(
  send: Fetch,
  note: (exchange: SentExchange, body: string | undefined, response?: Response) => void,
): Fetch {
  return async (url, init) => {
    const began = performance.now();
    const end = (
      ended: Pick<SentExchange, 'status' | 'responseHeaders' | 'error'>,
      response?: Response,
    ) => {
      const exchange = {
        method: init?.method ?? 'GET',
        url: String(url),
        requestHeaders: init?.headers,
        ...ended,
        firstByteMs: performance.now() - began,
      };
      const { body } = init ?? {};
      const isText = typeof body === 'string' || body instanceof URLSearchParams;
      note(exchange, isText ? String(body) : undefined, response);
    };
    try {
      const response = await send(url, init);
      end({ status: response.status, responseHeaders: response.headers }, response);
      return response;
    } catch (error) {
      end({ error: errorMessage(error) });
      throw error;
    }
  };
}

async function beginningOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let left = maxReadAnswer; left > 0;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
    // Whoever sent the request reads the rest.
    void reader.cancel().catch(() => {});
  } catch {
    // What came before it broke off says more than nothing.
  }
  return text;
}

/** Returns what is kept of an exchange: bounded, without what `mask` knows and without what looks like a secret. */
export function keptExchange(exchange: SentExchange, mask: Mask): HttpExchange {
  const { method, url, requestHeaders, form, status, responseHeaders, error, firstByteMs } =
    exchange;
  const answer = keptAnswer(exchange, mask);
  return {
    method,
    url: kept(url, mask),
    requestHeaders: keptHeaders(requestHeaders, mask, (name) => !open.has(name)),
    ...(form !== undefined && { parameters: keptParameters(form, mask) }),
    ...(status !== undefined && { status }),
    ...(responseHeaders && { responseHeaders: keptHeaders(responseHeaders, mask, looksSecret) }),
    ...(answer !== undefined && { answer }),
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
  return Object.fromEntries(
    partsOfForm(form)
      .slice(0, maxKeptHeaders)
      .map(([name, value]) => [
        kept(name, mask),
        openParameters.has(name) ? kept(value, mask) : redacted,
      ]),
  );
}

function partsOfForm(form: string): readonly (readonly [string, string])[] {
  const read = parseJson(form);
  return isRecord(read)
    ? Object.entries(read).map(([name, value]) => [name, textOf(value)])
    : [...new URLSearchParams(form)];
}

function keptAnswer(
  { answered = '', form = '', status = 0 }: SentExchange,
  mask: Mask,
): HttpExchange['answer'] {
  // What refuses a code or a secret may repeat it.
  const sent = new SecretMask();
  sent.hide(
    partsOfForm(form).flatMap(([name, value]) => (openParameters.has(name) ? [] : [value])),
  );
  const keptPart = (text: string) => kept(sent.apply(truncate(text, longestLookedAt)), mask);
  const read = parseJson(answered);
  const isFailure = status >= 400;
  if (!isRecord(read))
    // A page in place of an answer tells what is wrong; anything else, also in other marks, could be a token.
    return isFailure || /^\s*<(?:!doctype|html)\b/i.test(answered)
      ? keptPart(answered) || undefined
      : undefined;
  const isKnown = (name: string) => openAnswer.test(name) || openParameters.has(name);
  const isInnocent = (name: string) =>
    isKnown(name) || !(looksSecret(name) || grantingCode.test(name));
  const copy = (value: unknown, isOpen: (name: string) => boolean): unknown => {
    if (typeof value === 'string') return keptPart(value);
    if (Array.isArray(value)) return value.map((part) => copy(part, isOpen));
    return isRecord(value) ? copyFields(value, isOpen) : value;
  };
  const copyFields = (fields: JsonRecord, isOpen: (name: string) => boolean): JsonRecord =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        keptPart(name),
        isOpen(name) ? copy(value, isInnocent) : redacted,
      ]),
    );
  const bounds = { maxString: longestLookedAt, maxBytes: maxReadAnswer };
  return copyFields(
    asRecord(boundJson(read, bounds)),
    isFailure || 'error' in read ? isInnocent : isKnown,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function kept(text: string, mask: Mask): string {
  // A secret that is cut off is not recognized as one.
  return truncate(redactText(mask(truncate(text, longestLookedAt))), maxHeaderLength);
}
