import { hmacHex } from '../../base/bytes/hash';
import { secretsOfUrl } from '../../base/secrets/lineSecrets';
import { looksSecret, redacted, redactSecrets } from '../../base/secrets/secrets';
import { inEnglish, type Translate } from '../../base/translate';
import { isDecisive, isShownWhole } from './decisiveVariables';

/** Values by name: texts, or null for a name that is taken away. */
export type Values = Readonly<Record<string, string | null | undefined>>;

/** Values as they were written and as they will be; inputs alone are not filled in. */
export interface LaunchValues {
  readonly written: Values;
  readonly config: Values;
}

/**
 * Names with their values, a line each. Every value is shown but recognized secrets: those by their
 * variables where they were written so, else by a mark that is made with `key` and tells two apart.
 */
export function showValues(values: LaunchValues, key: string, t: Translate = inEnglish): string {
  return sortedNames(values)
    .map((name) => {
      const { kind, text } = standsFor(name, values);
      if (text === null) return t('{0} (removed)', name);
      return kind === 'secret'
        ? t('{0} (hidden, mark {1})', name, markOf(text, key))
        : `${name} = ${kind === 'shown' ? maskPasswords(name, text, key) : text}`;
    })
    .map((line) => line.replaceAll(/\r\n?|\n/g, '⏎'))
    .join('\n');
}

/** What of values a decision is bound to: what was shown of each, and the whole of those with a mark. */
export function boundValues(values: LaunchValues): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    sortedNames(values).map((name) => [name, standsFor(name, values).text]),
  );
}

/** True when the name, the value or the variable that it was written as says that it is a secret. */
export function isSecretValue(name: string, value: string, written = value): boolean {
  return (
    isSecretName(name) ||
    redactSecrets(value) === redacted ||
    Array.from(written.matchAll(/\$\{(?:env:)?(\w+)/g)).some(([, from = '']) => isSecretName(from))
  );
}

function sortedNames({ config }: LaunchValues): string[] {
  return Object.keys(config)
    .filter((name) => config[name] !== undefined)
    .toSorted();
}

interface Standing {
  readonly kind: 'shown' | 'reference' | 'secret';
  readonly text: string | null;
}

function standsFor(name: string, { written, config }: LaunchValues): Standing {
  const text = config[name] ?? null;
  const original = (Object.hasOwn(written, name) ? written[name] : text) ?? text;
  if (text === null || original === null) return { kind: 'shown', text };
  const isSecret = isSecretValue(name, text, original);
  if (!isSecret || isDecisive(name)) return { kind: 'shown', text };
  const besides = original.replaceAll(/\$\{[^}]*\}/g, '').trim();
  const isReference = besides !== original.trim() && /^(?:Bearer|Basic|token)?$/i.test(besides);
  return isReference ? { kind: 'reference', text: original } : { kind: 'secret', text };
}

/** Beside what {@link looksSecret}, whatever calls itself a key. */
function isSecretName(name: string): boolean {
  return looksSecret(name) || /(?:^|[_.-])key$/i.test(name) || name.toLowerCase() === 'assertion';
}

/** An address is worth reading, its password is not; the loading of code is shown to the letter. */
function maskPasswords(name: string, text: string, key: string): string {
  if (isShownWhole(name)) return text;
  return secretsOfUrl(text).reduce(
    (shown, secret) => shown.replaceAll(secret, `‹mark ${markOf(secret, key)}›`),
    text,
  );
}

/** 64 bits, which nobody finds a second value for, nor the value itself without the key. */
function markOf(value: string, key: string): string {
  return hmacHex(key, value).slice(0, 16);
}
