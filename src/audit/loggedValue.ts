import { boundJson } from '../base/boundJson';
import { maskedCopy, type Mask } from '../base/secrets/maskedCopy';
import { redactText } from '../base/secrets/redactText';
import { redactSecrets } from '../base/secrets/secrets';
import { truncate } from '../base/text/text';
import { fingerprint } from '../base/fingerprint';

/** A value as the audit log keeps it: bounded and without secrets, or only its fingerprint. */
export type LoggedValue = { readonly value: unknown } | { readonly fingerprint: string };

/** How the user wants values kept. */
export type Keep = 'redacted' | 'hashes';

/** How the audit log keeps what it is given. */
export interface Keeping {
  readonly keep: () => Keep;
  /** Removes the secrets whose values are known. */
  readonly mask: Mask;
}

const maxString = 4000;
/** Two values and the rest of a record stay below 64 kB. */
const maxBytes = 24_000;
/** A secret that is cut off is not recognized as one. */
const beforeRedaction = { maxString: 2 * maxString, maxBytes: 4 * maxBytes };

/** Returns what the log keeps of a value. */
export async function keptValue(value: unknown, { keep, mask }: Keeping): Promise<LoggedValue> {
  if (keep() === 'hashes') return { fingerprint: await fingerprint(value) };
  const masked = maskedCopy(boundJson(value, beforeRedaction), withoutSecrets(mask));
  const redacted = redactSecrets(masked);
  return { value: boundJson(redacted, { maxString, maxBytes }) };
}

/** Returns what the log keeps of a sentence. */
export function keptText(text: string, { mask }: Pick<Keeping, 'mask'>): string {
  return truncate(withoutSecrets(mask)(truncate(text, beforeRedaction.maxString)), maxString);
}

/** Returns what the log keeps of the name of a server or a tool. */
export function keptName(name: string): string {
  return truncate(name, 500);
}

function withoutSecrets(mask: Mask): Mask {
  return (text) => redactText(mask(text));
}
