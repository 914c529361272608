import { causesOf, UserError } from '../../base/errors';
import { asRecord } from '../../base/json';
import { plainLabel, withoutColors } from '../../base/text/text';
import { inEnglish, type Translate } from '../../base/translate';
import { RpcError } from './rpcError';

/** What is known about a failed connection: an HTTP status, an error code, the text or content type of a response. */
export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly code?: unknown;
  readonly text?: string;
  /** The content type of a response that contains no messages. */
  readonly contentType?: string;
}

/** Returns the HTTP status of an error that the transport threw, if it has one. */
export function httpStatus(error: unknown): number | undefined {
  return readFacts(error).status;
}

/** Collects what an error from the SDK or `fetch`, or one of its causes, says besides its message. */
export function readFacts(error: unknown): ErrorFacts {
  const facts: { -readonly [K in keyof ErrorFacts]: ErrorFacts[K] } = {};
  for (const one of causesOf(error)) {
    // Apart from its HTTP status, a JSON-RPC error says nothing about the connection, whatever its code.
    if (one instanceof RpcError) facts.status ??= one.httpStatus;
    if (one instanceof RpcError) continue;
    const { code, data } = one as { readonly code?: unknown; readonly data?: unknown };
    const { status, text, contentType } = asRecord(data);
    if (code !== undefined) facts.code = code;
    if (typeof status === 'number') facts.status ??= status;
    if (typeof text === 'string') facts.text ??= withoutColors(text);
    if (typeof contentType === 'string') facts.contentType ??= contentType;
    // The SDK's SSE transport carries the HTTP status as its code.
    if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code;
    // Several addresses were tried: each has its own reason, usually the same.
    if (one instanceof AggregateError && code === undefined)
      facts.code = (one.errors[0] as { readonly code?: unknown } | undefined)?.code;
  }
  return facts;
}

/** The most of a server's own text that is quoted in a sentence about its response, in UTF-16 units. */
const shownAnswer = 500;

/** Says what was wrong with the response to an HTTP request; `undefined` if the error's own message is to be used. */
export function responseFailure(error: unknown, t: Translate = inEnglish): string | undefined {
  if (error instanceof SyntaxError) return t('The response of the server is not JSON.');
  // Their messages are sentences already.
  if (error instanceof RpcError || error instanceof UserError) return undefined;
  const { status, text, code } = readFacts(error);
  if (status !== undefined) {
    return text
      ? t(
          'The server answered with HTTP status {0}: {1}',
          String(status),
          plainLabel(text, shownAnswer),
        )
      : t('The server answered with HTTP status {0}.', String(status));
  }
  switch (code) {
    case 'ECONNREFUSED':
      return t('Nothing listens there (connection refused).');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return t('The host was not found. Check the network.');
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return t('The connection was closed before the whole response came.');
    case 'UND_ERR_HEADERS_OVERFLOW':
      return t('The headers of the response are too large.');
    default:
      return typeof code === 'string' && /^HPE_|_CONTENT_LENGTH_MISMATCH$/.test(code)
        ? t('The response is not valid HTTP.')
        : undefined;
  }
}

/** The statuses with which a gateway says that it does not reach the server behind it. */
export const gatewayStatuses: readonly number[] = [502, 503, 504];
