import { looksSecret, redacted, redactSecrets } from './secrets';

/** Redacts what looks like a secret in a text: by its form, or by the name that it is assigned to. */
export function redactText(text: string): string {
  return text.replaceAll(
    /\b([\w.-]{1,100})=("[^"]*"|\S+)|\b(?:Bearer|Basic)\s+\S+|\S+/g,
    (word, name?: string) => {
      if (redactSecrets(word) === redacted) return redacted;
      return name && looksSecret(name) ? `${name}=${redacted}` : word;
    },
  );
}
