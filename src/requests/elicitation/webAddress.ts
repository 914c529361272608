import { toUnicode } from 'punycode.js';
import { isLoopback } from '../../mcp/auth/secureUrl';

/** Something about an address that the user should know. */
export type AddressConcern = 'lookAlike' | 'credentials' | 'port' | 'ipAddress' | 'thisMachine';

/** The longest address that is opened, in UTF-16 units: all of it is shown first. */
export const maxAddressLength = 8000;

/** A page that a server wants the user to visit. */
export interface WebAddress {
  /** The full address, exactly as it is opened. */
  readonly href: string;
  /** Who is behind the page: the registrable domain, or the host if it has none. */
  readonly site: string;
  /** The host in Unicode, if it contains Punycode. */
  readonly written?: string;
  readonly concerns: readonly AddressConcern[];
}

/**
 * Reads the address of a question in URL mode; `undefined` for one that is never opened: it is neither `https:` nor
 * `http:` on this machine (elicitation, safe URL handling), or it is invalid or too long to read.
 */
export async function readWebAddress(text: string): Promise<WebAddress | undefined> {
  if (text.length > maxAddressLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { hostname, href, protocol, port, username, password } = url;
  const local = isLoopback(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && local)) return undefined;
  // Loaded on demand: the list of public suffixes is large.
  const { parse } = await import('tldts');
  const { domain, isIp } = parse(hostname, { allowPrivateDomains: true });
  const isPunycode = hostname.split('.').some((label) => label.startsWith('xn--'));
  return {
    href,
    site: domain ?? hostname,
    ...(isPunycode && { written: toUnicode(hostname) }),
    concerns: [
      ...(isPunycode ? (['lookAlike'] as const) : []),
      ...(username || password ? (['credentials'] as const) : []),
      ...(local ? (['thisMachine'] as const) : []),
      ...(isIp && !local ? (['ipAddress'] as const) : []),
      ...(port && !local ? (['port'] as const) : []),
    ],
  };
}
