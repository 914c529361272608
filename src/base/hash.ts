import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex, utf8 } from './bytes';

/* For short texts whose hash is needed immediately; `crypto.subtle` is asynchronous. */

/** Returns the SHA-256 of a text in hexadecimal. */
export function sha256Hex(text: string): string {
  return toHex(sha256(utf8(text)));
}

/** Returns the HMAC-SHA-256 of a text in hexadecimal. */
export function hmacHex(key: string, text: string): string {
  return toHex(hmac(sha256, utf8(key), utf8(text)));
}
