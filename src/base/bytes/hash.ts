import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toHex, utf8 } from './bytes';

/* For short texts whose hash is needed immediately; `crypto.subtle` is asynchronous. */

/** The SHA-256 of a text in hexadecimal. */
export function sha256Hex(text: string): string {
  return toHex(sha256(utf8(text)));
}

/** The HMAC with SHA-256 of a text in hexadecimal. */
export function hmacHex(key: string, text: string): string {
  return toHex(hmac(sha256, utf8(key), utf8(text)));
}
