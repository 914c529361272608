import { boundJson } from '../base/boundJson';
import { redactSecrets } from '../base/secrets/secrets';
import { truncate } from '../base/text/text';
import { fingerprint } from '../mcp/fingerprint';

/** A value as the audit log has it: bounded and without secrets, or only its fingerprint. */
export type KeptValue = { readonly value: unknown } | { readonly fingerprint: string };

/** What the user wants kept of values. */
export type Keep = 'redacted' | 'hashes';

const maxString = 4000;
/** Two values and what else a record holds stay below 64 kB. */
const maxBytes = 24_000;
/** A secret that is only half there is not known for one. */
const beforeRedaction = { maxString: 2 * maxString, maxBytes: 4 * maxBytes };

/** Makes of a value what the log keeps of it. */
export async function keptValue(value: unknown, keep: Keep): Promise<KeptValue> {
  if (keep === 'hashes') return { fingerprint: await fingerprint(value) };
  const redacted = redactSecrets(boundJson(value, beforeRedaction));
  return { value: boundJson(redacted, { maxString, maxBytes }) };
}

/** What the log keeps of a sentence. */
export function keptText(text: string): string {
  return truncate(text, maxString);
}

/** What the log keeps of a server or a tool. */
export function keptName(name: string): string {
  return truncate(name, 500);
}
