import { trimEnd } from '../../base/text/text';

/** Where an address leads: to this machine, to a network that is not the internet, or into the internet. */
export type Reach = 'machine' | 'network' | 'internet';

const nearness: Readonly<Record<Reach, number>> = { internet: 0, network: 1, machine: 2 };

/** True if what is at `from` may lead to `to`: to what is as near to this machine as itself, or farther away. */
export function mayLead(from: Reach, to: Reach): boolean {
  return nearness[to] <= nearness[from];
}

/** Returns the one of several that is farthest from this machine; `undefined` if there are none. */
export function farthest(all: readonly Reach[]): Reach | undefined {
  return all.toSorted((a, b) => nearness[a] - nearness[b])[0];
}

/** Returns the one of several that is nearest to this machine; `undefined` if there are none. */
export function nearest(all: readonly Reach[]): Reach | undefined {
  return all.toSorted((a, b) => nearness[b] - nearness[a])[0];
}

/** Returns where the host of a URL is if its name says so; `undefined` if only its addresses do. */
export function reachOfName(hostname: string): Reach | undefined {
  const name = trimEnd(hostname.toLowerCase(), /\./);
  if (/^(.+\.)?localhost$/.test(name)) return 'machine';
  const written = addressIn(name);
  return written === undefined ? undefined : reachOf(written);
}

/** Returns the address that stands in place of a name as the host of a URL; `undefined` for a name. */
export function addressIn(hostname: string): string | undefined {
  const name = trimEnd(hostname, /\./);
  return /^\[(.*)\]$/.exec(name)?.[1] ?? (ipv4Bytes(name) ? name : undefined);
}

/** True if two texts are one address, however they write it. */
export function isSameAddress(a: string, b: string): boolean {
  const [one, other] = [a, b].map((address) => {
    const bytes = ipv4Bytes(address) ?? ipv6Bytes(address);
    return bytes?.length === 16 && isIn(bytes, mapped, 96) ? bytes.slice(12) : bytes;
  });
  return one !== undefined && String(one) === String(other);
}

/** The blocks of IPv4 that no router of the internet forwards (IANA's special-purpose addresses, multicast). */
const ipv4Blocks: readonly (readonly [readonly number[], number, Reach])[] = [
  [[0], 8, 'machine'],
  [[127], 8, 'machine'],
  [[10], 8, 'network'],
  [[100, 64], 10, 'network'],
  [[169, 254], 16, 'network'],
  [[172, 16], 12, 'network'],
  [[192, 0, 0], 24, 'network'],
  [[192, 0, 2], 24, 'network'],
  [[192, 88, 99], 24, 'network'],
  [[192, 168], 16, 'network'],
  [[198, 18], 15, 'network'],
  [[198, 51, 100], 24, 'network'],
  [[203, 0, 113], 24, 'network'],
  [[224], 3, 'network'],
];

/** The beginning of an address of IPv6 that is one of IPv4. */
const mapped = bytesOf([0, 0, 0, 0, 0, 0xffff]);

/** The blocks of IPv6 whose last or middle bytes are an address of IPv4: their beginning, and where that is. */
const embeddings: readonly (readonly [readonly number[], number])[] = [
  // Compatible, mapped and translated addresses (RFC 4291, 2.5.5; RFC 2765).
  [bytesOf([0, 0, 0, 0, 0, 0]), 12],
  [mapped, 12],
  [bytesOf([0, 0, 0, 0, 0xffff, 0]), 12],
  // NAT64 (RFC 6052) and 6to4 (RFC 3056).
  [bytesOf([0x64, 0xff9b, 0, 0, 0, 0]), 12],
  [bytesOf([0x2002]), 2],
];

/** The blocks of global addresses of IPv6 that are not for the internet: protocols such as Teredo, and documentation. */
const ipv6Blocks: readonly (readonly [readonly number[], number])[] = [
  [bytesOf([0x2001, 0]), 23],
  [bytesOf([0x2001, 0x0db8]), 32],
  [bytesOf([0x3fff, 0]), 20],
];

/** Returns where an IP address leads; what is no address counts as this machine, where least may lead to. */
export function reachOf(address: string): Reach {
  const four = ipv4Bytes(address);
  if (four) return reachOfIpv4(four);
  const bytes = ipv6Bytes(address);
  if (!bytes) return 'machine';
  if (bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1) return 'machine';
  const embedded = embeddings.find(([start]) => isIn(bytes, start, start.length * 8));
  if (embedded) return reachOfIpv4(bytes.slice(embedded[1], embedded[1] + 4));
  const isGlobal = isIn(bytes, [0x20], 3);
  return isGlobal && !ipv6Blocks.some(([start, bits]) => isIn(bytes, start, bits))
    ? 'internet'
    : 'network';
}

function reachOfIpv4(bytes: readonly number[]): Reach {
  return ipv4Blocks.find(([start, bits]) => isIn(bytes, start, bits))?.[2] ?? 'internet';
}

/** True if the first bits of an address are those of a block; bytes that the block does not name are zero. */
function isIn(bytes: readonly number[], start: readonly number[], bits: number): boolean {
  for (let at = 0; at * 8 < bits; at += 1) {
    const kept = Math.min(8, bits - at * 8);
    const mask = (0xff << (8 - kept)) & 0xff;
    if (((bytes[at] ?? 0) & mask) !== ((start[at] ?? 0) & mask)) return false;
  }
  return true;
}

function ipv4Bytes(text: string): readonly number[] | undefined {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  return bytes?.every((byte) => byte <= 255) ? bytes : undefined;
}

function ipv6Bytes(text: string): readonly number[] | undefined {
  // A zone names an interface of this machine, not an address.
  const address = text.replace(/%.*$/s, '');
  if (!URL.canParse(`http://[${address}]`)) return undefined;
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((one) => Number.parseInt(one, 16));
  const [before, after] = [groups(left), groups(right ?? '')];
  const between = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return bytesOf([...before, ...between, ...after]);
}

function bytesOf(groups: readonly number[]): readonly number[] {
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

/** What decides on the connections of one sign-in. */
export interface SignInRoute {
  /** Decides on each address that a connection would be made to. */
  readonly admits: (reach: Reach) => Promise<boolean>;
  /** Connections are only used again by requests of the same name. */
  readonly name: string;
}

/** The network as sign-ins use it: that of a machine, which knows addresses, or that of a page, which does not. */
export interface SignInNetwork {
  /**
   * Sends one request like `fetch`, which follows no redirect, and connects to no address that is not admitted. Where
   * only a proxy knows addresses, it decides.
   */
  send(url: URL, init: RequestInit, route: SignInRoute): Promise<Response>;
  /** Returns where a host is, by the nearest of its addresses, as a browser takes any; `undefined` if nobody here knows. */
  locate(hostname: string): Promise<Reach | undefined>;
}
