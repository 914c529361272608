import { createLimiter } from './async';
import { toHex, utf8 } from './bytes/bytes';
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
