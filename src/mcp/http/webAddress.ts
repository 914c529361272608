import { toUnicode } from 'punycode.js';
import type { Proof } from '../../base/proof';
import type { Translate } from '../../base/translate';
import { addressIn, type Reach } from './reach';
import { hasLookAlikes, isLoopback } from './secureUrl';

/** Something about a host that the user should know. */
export type HostConcern = 'lookAlike' | 'thisMachine' | 'ipAddress' | 'port';

/** Something about the address of a page that the user should know. */
export type AddressConcern = HostConcern | 'credentials' | 'privateNetwork';

/** The longest address that a browser is sent to, in UTF-16 units. */
export const maxAddressLength = 8000;

/** Who is behind a host, and what a user should know about it. */
export interface JudgedHost<C extends AddressConcern = HostConcern> {
  /** The registrable domain, or the host if it has none. */
  readonly site: string;
  /** The host in Unicode, if it contains Punycode. */
  readonly written?: string;
  readonly concerns: readonly C[];
}

/** A page that a user may be sent to: {@link readWebAddress} has read it, and the browser opens no other. */
export type WebAddress = ReadAddress & Proof<'read address'>;

interface ReadAddress extends JudgedHost<AddressConcern> {
  /** The full address, exactly as it is opened. */
  readonly href: string;
}

/** Returns the registrable domain of a host; `undefined` if it has none, as an IP address. */
export async function registrableDomain(hostname: string): Promise<string | undefined> {
  // Loaded on demand: the list of public suffixes is large.
  const { parse } = await import('tldts');
  return parse(hostname, { allowPrivateDomains: true }).domain ?? undefined;
}

/** Returns what tells one owner of addresses from another: the registrable domain, or host and port without one. */
export async function ownerOf({ hostname, host }: URL): Promise<string> {
  return (await registrableDomain(hostname)) ?? host;
}

/** Judges a host that a user decides about, in the same way for every question; `isHere` if it is known to be this machine. */
export async function judgeHost(
  { hostname, port }: Pick<URL, 'hostname' | 'port'>,
  isHere = isLoopback(hostname),
): Promise<JudgedHost> {
  const isPunycode = hasLookAlikes(hostname);
  return {
    site: (await registrableDomain(hostname)) ?? hostname,
    ...(isPunycode && { written: toUnicode(hostname) }),
    concerns: [
      ...(isPunycode ? (['lookAlike'] as const) : []),
      ...(isHere ? (['thisMachine'] as const) : []),
      ...(addressIn(hostname) !== undefined && !isHere ? (['ipAddress'] as const) : []),
      ...(port && !isHere ? (['port'] as const) : []),
    ],
  };
}

/**
 * Reads the address of a page; `undefined` for one that is never opened: it is neither `https:` nor `http:` on this
 * machine (elicitation, safe URL handling), or it is invalid or too long.
 * @param reach where its host is, if more is known than its name says
 */
export async function readWebAddress(text: string, reach?: Reach): Promise<WebAddress | undefined> {
  if (text.length > maxAddressLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, hostname, href, username, password } = url;
  const isHere = isLoopback(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return undefined;
  const { concerns, ...host } = await judgeHost(url, isHere || reach === 'machine');
  const read: ReadAddress = {
    href,
    ...host,
    concerns: [
      ...(username || password ? (['credentials'] as const) : []),
      ...(reach === 'network' ? (['privateNetwork'] as const) : []),
      ...concerns,
    ],
  };
  return read as WebAddress;
}

/** Says what a user should know about an address. */
export function concernText(concern: AddressConcern, t: Translate): string {
  switch (concern) {
    case 'lookAlike':
      return t('The domain contains look-alike characters');
    case 'credentials':
      return t('The text before @ is not the site');
    case 'port':
      return t('The page uses an unusual port');
    case 'ipAddress':
      return t('The address is an IP address');
    case 'thisMachine':
      return t('The page is served by a program on this machine');
    case 'privateNetwork':
      return t('The page is in a private network');
  }
}
