import type {
  AuthorizationServerMetadata,
  DpopKeyPair,
  DpopSession,
} from '@modelcontextprotocol/client';

type Jwk = DpopKeyPair['publicJwk'];

const alg = 'ES256';
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

/** A key that tokens are bound to, so that stolen tokens are useless without it (RFC 9449). */
export interface DpopKey {
  readonly privateJwk: Jwk;
  readonly publicJwk: Jwk;
  readonly thumbprint: string;
}

/** Creates a key; `undefined` if the authorization server does not bind tokens to ES256 keys. */
export async function createDpopKey(
  metadata: AuthorizationServerMetadata | undefined,
): Promise<DpopKey | undefined> {
  const { dpop_signing_alg_values_supported: supported } = (metadata ?? {}) as {
    readonly dpop_signing_alg_values_supported?: unknown;
  };
  if (!Array.isArray(supported) || !supported.includes(alg)) return undefined;
  const sdk = await import('../../sdk');
  const pair = await sdk.generateDpopKeyPair({ alg, extractable: true });
  const privateJwk = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as Jwk;
  return { privateJwk, publicJwk: pair.publicJwk, thumbprint: pair.thumbprint };
}

/** Creates a session that signs requests with a key and remembers the nonces of servers. */
export async function openDpopSession(key: DpopKey): Promise<DpopSession> {
  const sdk = await import('../../sdk');
  const { privateJwk, publicJwk, thumbprint } = key;
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', privateJwk, algorithm, false, ['sign']),
    crypto.subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']),
  ]);
  const keyPair = { privateKey, publicKey, publicJwk, thumbprint, alg } as const;
  return sdk.DpopSession.create({ alg, keyPair });
}
