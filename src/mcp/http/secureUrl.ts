import { UserError } from '../../base/errors';
import type { LocalizableMessage } from '../../base/translate';
import { addressLabel } from '../../base/text/address';
import { reachOfName } from './reach';

/** The part of `fetch` that the SDK needs. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Thrown when a request reached no server: a `TypeError` like that of `fetch`, as the SDK checks for that class. */
export class UnreachedError extends TypeError {
  readonly origin: string;

  constructor({ origin }: URL, { message, cause }: TypeError) {
    super(message, { cause });
    this.origin = origin;
  }
}

/** Returns the origin that a failed request could not reach; `undefined` for any other error. */
export function unreachedOrigin(error: unknown): string | undefined {
  return error instanceof UnreachedError ? error.origin : undefined;
}

/** True for a host name that can only be this machine. */
export function isLoopback(hostname: string): boolean {
  return reachOfName(hostname) === 'machine';
}

/** True for the host of a URL whose name has letters that may look like others: it is written in Punycode. */
export function hasLookAlikes(hostname: string): boolean {
  return hostname.split('.').some((label) => label.startsWith('xn--'));
}

/**
 * Returns an address as it is, or encrypted if it is an unencrypted one at the very host of `beside`, which is encrypted:
 * a server does not know what the proxy before it encrypts, and names itself by what it sees.
 */
export function encryptedBeside(url: URL, beside: URL): URL {
  if (url.protocol !== 'http:' || beside.protocol !== 'https:') return url;
  // The port of encryption is the one that an encrypted address does not name.
  const { hostname, port } = url;
  if (hostname !== beside.hostname || (port === '443' ? '' : port) !== beside.port) return url;
  return new URL(url.href.replace(/^http:/, 'https:'));
}

/** Accepts `https:`, and `http:` on this machine; throws a `UserError` for any other URL. */
export function assertSecureUrl(url: URL, what: LocalizableMessage): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw new UserError((t) =>
    t('{0} is not an https: address: {1}', what(t), addressLabel(url.href)),
  );
}

/** Accepts a secure URL without a password; throws a `UserError` for any other, which repeats no password. */
export function assertOpenUrl(url: URL, what: LocalizableMessage): void {
  if (url.username !== '' || url.password !== '')
    throw new UserError((t) => t('{0} contains a password.', what(t)));
  assertSecureUrl(url, what);
}
