import { createLimiter } from './async';
import { canonicalJson } from './json';

/* Digests end in any order, but calls that are proposed together are to be asked about in the order of their proposal. */
const inTurn = createLimiter(1);

/**
 * Returns the SHA-256 of a JSON value in hexadecimal, after all fingerprints that were begun before it; the order of an
 * object's keys does not matter.
 */
export async function fingerprint(value: unknown): Promise<string> {
  const digest = crypto.subtle.digest('SHA-256', utf8(canonicalJson(value)));
  return toHex(new Uint8Array(await inTurn(() => digest)));
}

/* The UTF-8 bytes of characters that structure JSON and lines. */

export const lineFeed = 0x0a;
export const carriageReturn = 0x0d;
export const space = 0x20;
export const quote = 0x22;
export const colon = 0x3a;
export const backslash = 0x5c;

/** Returns bytes in hexadecimal, two digits each. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** True if both contain the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
