import { decodePercent } from '../text/percent';
import { looksSecret, redacted, redactSecrets } from './secrets';

/** The values in the arguments of a program that look like secrets: `--token=x`, `--token x`, and what is a key by its form. */
export function secretsOfArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, name, value] = /^--?([\w-]+)=(.+)$/s.exec(arg) ?? [];
    if (name && value) return looksSecret(name) || redactSecrets(value) === redacted ? [value] : [];
    const before = /^--?([\w-]+)$/.exec(args[index - 1] ?? '')?.[1] ?? '';
    const isValue = looksSecret(before) && !arg.startsWith('-');
    return isValue || redactSecrets(arg) === redacted ? [arg] : [];
  });
}

/** The password of an address, and its parameters that look like secrets by their names. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams } = new URL(url);
  const named = [...searchParams].filter(([name]) => looksSecret(name));
  return [decodePercent(password), ...named.map(([, value]) => value)].filter(Boolean);
}
