import { looksSecret, redacted, redactSecrets } from '../../../base/secrets';

/** Returns the nonempty values that `accept` takes, given their names. */
export function namedValues(
  values: Readonly<Record<string, string | null | undefined>>,
  accept: (name: string, value: string) => boolean,
): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value && accept(name, value) ? [value] : [],
  );
}

/** True for values that look secret, by name or by form, or are more than a short word, a number or a switch. */
export function isWorthHiding(name: string, value: string): boolean {
  return (
    looksSecret(name) ||
    redactSecrets(value) === redacted ||
    !/^(?:[\d.,:-]{0,8}|[A-Za-z]{0,11})$/.test(value)
  );
}
