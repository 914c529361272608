import { decodePercent } from '../text/percent';
import { looksSecret, redacted, redactSecrets } from './secrets';

/** Finds the values in a program's arguments that look like secrets: `--token=x`, `--token x`, and what has the form of a key. */
export function secretsOfArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, name, value] = /^--?([\w-]+)=(.+)$/s.exec(arg) ?? [];
    if (name && value) return looksSecret(name) || redactSecrets(value) === redacted ? [value] : [];
    const before = /^--?([\w-]+)$/.exec(args[index - 1] ?? '')?.[1] ?? '';
    const isValue = looksSecret(before) && !arg.startsWith('-');
    return isValue || redactSecrets(arg) === redacted ? [arg] : [];
  });
}

/** Finds the password of a URL, and the values of parameters whose names look secret. */
export function secretsOfUrl(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { password, searchParams, hash } = new URL(url);
  // Behind the address of a socket, what is asked for there follows as a fragment.
  const ofFragment = new URLSearchParams(/\?(.*)$/s.exec(hash)?.[1]);
  const named = [...searchParams, ...ofFragment].filter(([name]) => looksSecret(name));
  return [decodePercent(password), ...named.map(([, value]) => value)].filter(Boolean);
}
