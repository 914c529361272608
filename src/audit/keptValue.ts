import { boundJson } from '../base/boundJson';
import { maskedCopy, type Mask } from '../base/secrets/maskedCopy';
import { redactText } from '../base/secrets/redactText';
import { redactSecrets } from '../base/secrets/secrets';
import { truncate } from '../base/text/text';
import { fingerprint } from '../mcp/fingerprint';

/** A value as the audit log has it: bounded and without secrets, or only its fingerprint. */
export type KeptValue = { readonly value: unknown } | { readonly fingerprint: string };

/** What the user wants kept of values. */
export type Keep = 'redacted' | 'hashes';

/** What the audit log keeps of what it is told. */
export interface Keeping {
  readonly keep: () => Keep;
  /** Takes out the secrets that are known by their values. */
  readonly mask: Mask;
}

const maxString = 4000;
/** Two values and what else a record holds stay below 64 kB. */
const maxBytes = 24_000;
/** A secret that is only half there is not known for one. */
const beforeRedaction = { maxString: 2 * maxString, maxBytes: 4 * maxBytes };

/** Makes of a value what the log keeps of it. */
export async function keptValue(value: unknown, { keep, mask }: Keeping): Promise<KeptValue> {
  if (keep() === 'hashes') return { fingerprint: await fingerprint(value) };
  const masked = maskedCopy(boundJson(value, beforeRedaction), withoutSecrets(mask));
  const redacted = redactSecrets(masked);
  return { value: boundJson(redacted, { maxString, maxBytes }) };
}

/** What the log keeps of a sentence. */
export function keptText(text: string, { mask }: Pick<Keeping, 'mask'>): string {
  return truncate(withoutSecrets(mask)(truncate(text, beforeRedaction.maxString)), maxString);
}

/** What the log keeps of a server or a tool. */
export function keptName(name: string): string {
  return truncate(name, 500);
}

function withoutSecrets(mask: Mask): Mask {
  return (text) => redactText(mask(text));
}
