import { hmacHex } from '../../base/hash';
import { changeAddresses, looksSecret, redactSecrets, redacted } from '../../base/secrets';
import { type Translate, inEnglish } from '../../base/translate';
import { isDecisive, isShownWhole } from './decisiveVariables';
import { variable } from './variables';

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

/** Values by name: texts, or null for a name that is removed. */
export type Values = Readonly<Record<string, string | null | undefined>>;

/** Values as they were written and as they will be, except that inputs are not filled in. */
export interface LaunchValues {
  readonly written: Values;
  readonly config: Values;
}

/**
 * Lists names with their values, one per line. Every value is shown except recognized secrets: those appear as
 * their variables if they were written that way, otherwise as a mark made with `key` that tells two apart.
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

/** Returns what a decision is bound to: each value as it was shown, or in full if a mark was shown. */
export function boundValues(values: LaunchValues): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    sortedNames(values).map((name) => [name, standsFor(name, values).text]),
  );
}

/** True if the name, the value or a variable that it was written with suggests a secret. */
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

interface Meaning {
  readonly kind: 'shown' | 'reference' | 'secret';
  readonly text: string | null;
}

function standsFor(name: string, { written, config }: LaunchValues): Meaning {
  const text = config[name] ?? null;
  const original = (Object.hasOwn(written, name) ? written[name] : text) ?? text;
  if (text === null || original === null) return { kind: 'shown', text };
  const isSecret = isSecretValue(name, text, original);
  if (!isSecret || isDecisive(name)) return { kind: 'shown', text };
  const besides = original.replaceAll(variable, '').trim();
  const isReference = besides !== original.trim() && /^(?:Bearer|Basic|token)?$/i.test(besides);
  return isReference ? { kind: 'reference', text: original } : { kind: 'secret', text };
}

/** True for what {@link looksSecret}, and for anything called a key or an assertion. */
function isSecretName(name: string): boolean {
  return looksSecret(name) || /(?:^|[_.-])key$/i.test(name) || name.toLowerCase() === 'assertion';
}

/** Masks the passwords in addresses, whose rest is worth reading; values that load code are shown exactly. */
function maskPasswords(name: string, text: string, key: string): string {
  if (isShownWhole(name)) return text;
  return changeAddresses(text, (called, value) =>
    looksSecret(called) ? `‹mark ${markOf(value, key)}›` : value,
  );
}

/** Makes a mark of 64 bits: without the key, nobody can find the value, or another one with the same mark. */
function markOf(value: string, key: string): string {
  return hmacHex(key, value).slice(0, 16);
}
