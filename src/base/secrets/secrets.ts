const secretName =
  /pass(word|wd|phrase|code)?\b|\bpwd\b|secret|token|credential|\bauth(orization)?\b|\bcookie\b|\b(api|access|private|signing|encryption|ssh|client)\s*key|\bpin\b|\bcvv\b|\botp\b/;

// The first part of a JSON Web Token is matched backward from its end: from each `eyJ`, it would be read again and again.
const secretValue =
  /^(Bearer|Basic)\s+\S{8,}|\b(sk|pk|rk)[-_](live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}|\bgh[opsur]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bxox[abeoprs]-[\w-]{10,}|\bA(KIA|SIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\.(?<=\beyJ[\w-]{8,}\.)[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** Words in the names of numbers that count a model's tokens, such as `maxTokens` and `token_count`. */
const countsTokens = /\btokens\b|\btoken (count|limit|budget|usage)\b/g;

/** The replacement for a value that was removed. */
export const redacted = '‹redacted›';

/** True for names of values that are never stored, such as `apiKey` or `db_password`. */
export function looksSecret(name: string): boolean {
  return secretName.test(wordsOf(name));
}

/** Returns the words of a name such as `apiKey` or `api_key`, in lower case and with spaces between them. */
export function wordsOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[\s_.-]+/g, ' ');
  return words.toLowerCase();
}

/** True if a value must not be stored because of its name; a PIN is a number, too. */
function isSecretBelow(name: string, value: unknown): boolean {
  if (value === null || value === '' || typeof value === 'boolean') return false;
  const words = wordsOf(name);
  return secretName.test(typeof value === 'number' ? words.replaceAll(countsTokens, '') : words);
}

/** Copies a JSON value and redacts everything in it that looks like a secret, by name or by form. */
export function redactSecrets(value: unknown): unknown {
  if (typeof value === 'string') return secretValue.test(value) ? redacted : value;
  if (Array.isArray(value)) return value.map(redactSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretBelow(name, part) ? redacted : redactSecrets(part),
    ]),
  );
}
