import { isRecord, type JsonRecord } from '../../base/json';
import { parseObject } from '../protocol/parseObject';
import type { Fetch } from './secureUrl';

/** Reads a field of an answer; returns `undefined` for what says nothing or cannot be used. */
type Read = (value: unknown) => unknown;

const text: Read = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A text that a request can carry (RFC 6749, appendix A). */
const token: Read = (value) =>
  typeof value === 'string' && /^[\x20-\x7E]+$/.test(value) ? value : undefined;

const flag: Read = (value) => (typeof value === 'boolean' ? value : undefined);

const words = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return value.split(/\s+/).filter(Boolean);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
};

const scope: Read = (value) => words(value)?.join(' ') || undefined;

const addresses: Read = (value) => words(value)?.filter((one) => /^https?:/i.test(one));

/** A number of seconds, which some write as a text; below zero it means that nobody knows. */
const seconds: Read = (value) => {
  const isDigits = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value);
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && number >= 0 ? number : undefined;
};

/**
 * All fields that a sign-in needs of a protected resource (RFC 9728), an authorization server (RFC 8414), a client
 * (RFC 7591), tokens (RFC 6749, 8693) and errors; a name means the same wherever it stands.
 */
const fields: Readonly<Record<string, Read>> = {
  resource: text,
  authorization_servers: addresses,
  scopes_supported: words,
  issuer: text,
  authorization_endpoint: text,
  token_endpoint: text,
  registration_endpoint: text,
  response_types_supported: words,
  code_challenge_methods_supported: words,
  token_endpoint_auth_methods_supported: words,
  dpop_signing_alg_values_supported: words,
  client_id_metadata_document_supported: flag,
  authorization_response_iss_parameter_supported: flag,
  client_id: token,
  client_secret: token,
  client_secret_expires_at: seconds,
  token_endpoint_auth_method: text,
  access_token: token,
  id_token: text,
  refresh_token: token,
  token_type: text,
  issued_token_type: text,
  expires_in: seconds,
  scope,
  error: text,
  error_description: text,
};

/**
 * Wraps `send` so that answers can be read although their writers were careless: what a sign-in does not need is left
 * out, whatever is in it, and what it needs is read where the meaning is plain.
 */
export function readableAnswers(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const { status, statusText, headers, ok } = response;
    if (!response.body || (!ok && (status < 400 || status > 599))) return response;
    // The body of a refusal may end in any way: its status says enough.
    const body = await (ok ? response.text() : response.text().catch(() => ''));
    const object = parseObject(body);
    const readable = object && JSON.stringify(readAnswer(object, init));
    return new Response(readable ?? body, { status, statusText, headers });
  };
}

/** Returns the fields of an answer that a sign-in needs, and those that only its form needs. */
function readAnswer(answer: JsonRecord, init: RequestInit | undefined): JsonRecord {
  const read = Object.fromEntries(
    Object.entries(fields).flatMap(([name, readField]) => {
      const value = Object.hasOwn(answer, name) ? readField(answer[name]) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { client_secret: secret, token_endpoint_auth_method: method, ...rest } = read;
  const proof =
    secret === undefined && method !== 'none' ? {} : { token_endpoint_auth_method: method };
  return {
    ...assumed(read, init),
    ...rest,
    ...(secret !== undefined && { client_secret: secret }),
    // Without a secret there is nothing that a client could prove itself by.
    ...(method !== undefined && proof),
  };
}

/** Returns what an answer does not have to say: it has one meaning, or none that matters to a sign-in. */
function assumed(read: JsonRecord, init: RequestInit | undefined): JsonRecord {
  // With a token it is the answer to a request for one, whatever else is in it.
  if ('access_token' in read) return { token_type: 'Bearer' };
  if ('client_id' in read) return { redirect_uris: sentRedirects(init) };
  const { token_endpoint: endpoint } = read;
  return endpoint === undefined
    ? {}
    : {
        response_types_supported: ['code'],
        // OpenID Connect requires these of everybody, for identity tokens that are not verified here.
        jwks_uri: endpoint,
        subject_types_supported: [],
        id_token_signing_alg_values_supported: [],
      };
}

/** Returns the addresses that a registration asked for: they hold if the answer names no others. */
function sentRedirects(init: RequestInit | undefined): unknown {
  const sent: unknown = typeof init?.body === 'string' ? parseObject(init.body) : undefined;
  return isRecord(sent) ? sent['redirect_uris'] : [];
}
