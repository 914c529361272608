import { isWorthHiding } from './launchSecrets';

/**
 * Names with their values as they were written, a line each: references to variables as they are, and
 * what may be a secret by a mark alone, which tells two values apart and neither of them.
 */
export function shownValues(
  written: Readonly<Record<string, string | null | undefined>>,
  mayBeSecret: (name: string, value: string) => boolean = isWorthHiding,
): string {
  return Object.entries(written)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (value === null) return `${name} (removed)`;
      const rest = value.replaceAll(/\$\{[^}]*\}/g, '').trim();
      const isHidden = rest === value ? mayBeSecret(name, value) : isWorthHiding('', rest);
      return isHidden ? `${name} (hidden, mark ${markOf(value)})` : `${name} = ${value}`;
    })
    .join('\n');
}

/** Four hexadecimal digits (FNV-1a, folded): far too few to find the value by. */
function markOf(value: string): string {
  let hash = 0x811c9dc5;
  for (const character of value)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (((hash >>> 16) ^ hash) & 0xffff).toString(16).padStart(4, '0');
}
