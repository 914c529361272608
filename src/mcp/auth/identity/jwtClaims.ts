import { isRecord, type JsonRecord } from '../../../base/json';
import { decodeBase64 } from '../../protocol/content';
import { sameIssuer } from '../client/issuers';

/** How far the clocks of two machines may differ. */
const leewayMs = 30_000;

/** Reads the claims of a signed token, whose recipient verifies the signature; `undefined` if it is not a JWT. */
export function jwtClaims(token: string): JsonRecord | undefined {
  try {
    const bytes = decodeBase64(token.split('.')[1] ?? '');
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** True for a token that is meant for `audience`. */
export function isFor({ aud }: JsonRecord, audience: string): boolean {
  const all: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return all.some((one) => typeof one === 'string' && sameIssuer(one, audience));
}

/** True if a token has expired or is about to. */
export function isExpired({ exp }: JsonRecord): boolean {
  return typeof exp === 'number' && exp * 1000 - leewayMs <= Date.now();
}
