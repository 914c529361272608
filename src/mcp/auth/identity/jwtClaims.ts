import { isRecord, type JsonRecord } from '../../../base/json';
import { decodeBase64 } from '../../protocol/content';

/** How far the clocks of two machines may differ. */
const leewayMs = 30_000;

/** What a signed token says, unchecked: who receives it checks the signature. None where it is no JWT. */
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

/** True where the time of a token is over, or about to be. */
export function isExpired({ exp }: JsonRecord): boolean {
  return typeof exp === 'number' && exp * 1000 - leewayMs <= Date.now();
}

/** True for two ways to write the same issuer: some end it with a slash, others do not. */
export function sameIssuer(a: string, b: string): boolean {
  return a.replace(/\/$/, '') === b.replace(/\/$/, '');
}
