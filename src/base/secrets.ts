import { decodePercent, replaceEach } from './text/text';

/** The shortest value that is hidden: a shorter one cannot be told from other text. */
const minLength = 4;

/** Removes values from texts in which nobody may read them. */
export class SecretMask {
  private readonly forms = new Set<string>();

  /** Hides these values from now on, also in the forms that they have in JSON and in URLs. */
  hide(values: Iterable<string>): void {
    for (const value of values) {
      // A key has many lines, and a log may show one of them.
      for (const part of [value, ...value.split('\n')].map((text) => text.trim()))
        if (part.length >= minLength) for (const form of formsOf(part)) this.forms.add(form);
    }
  }

  /** Returns the text without the hidden values, and without the beginning of one that was cut before it came here. */
  apply(text: string): string {
    return withoutCut(
      replaceEach(text, this.forms, () => redacted),
      this.forms,
    );
  }
}

/** Returns a text without what is before an ellipsis, which every cut leaves behind, and begins one of the values. */
function withoutCut(text: string, values: ReadonlySet<string>): string {
  if (!text.includes('…')) return text;
  const beginnings = new Map<number, number>();
  for (const value of values) {
    const start = value.slice(0, minLength);
    let end = 0;
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      if (end < at + minLength) end = text.indexOf('…', at + minLength);
      if (end < 0) break;
      if (end - at < value.length && value.startsWith(text.slice(at, end)))
        beginnings.set(end, Math.min(at, beginnings.get(end) ?? at));
    }
  }
  const pieces: string[] = [];
  let done = 0;
  for (const [end, at] of [...beginnings].toSorted(([a], [b]) => a - b)) {
    pieces.push(text.slice(done, at), redacted);
    done = end;
  }
  return pieces.join('') + text.slice(done);
}

/** Returns a value as it may stand in a text, in JSON, in JSON that is a text of JSON, in a form, and in each part of a URL. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text);
  const url = new URL('http://host');
  url.password = text;
  url.pathname = text;
  url.search = text.replaceAll('#', '%23');
  url.hash = text;
  const { password, pathname, search, hash } = url;
  const encoded = [
    encodeURIComponent(text.toWellFormed()),
    new URLSearchParams([['', text]]).toString().slice(1),
    password,
    ...[pathname, search, hash].map((part) => part.slice(1)).filter((part) => isWhole(part, text)),
  ];
  const lower = encoded.map((one) => one.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
  return [text, json.slice(1, -1), JSON.stringify(json).slice(3, -3), ...encoded, ...lower].filter(
    (form) => form.length >= minLength,
  );
}

/** False for a part of an address that leaves out steps of the text: what is left may stand anywhere. */
function isWhole(part: string, text: string): boolean {
  const asPath = text.replaceAll('\\', '/').replace(/^\//, '');
  const plain = (one: string) => one.replaceAll(/(?:%[\da-f]{2})+/gi, decodePercent);
  return [text, asPath].some((whole) => plain(part) === plain(whole));
}

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

/** Removes secrets from a text. */
export type Mask = (text: string) => string;

/** Copies a stored message, which is never nested too deep, without secrets; the copy is JSON, whatever they are. */
export function maskedCopy(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((part) => maskedCopy(part, mask));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [mask(name), maskedCopy(part, mask)]),
    );
  return mask(String(value)) === String(value) ? value : redacted;
}

/**
 * Redacts what looks like a secret in a text: by its form, by the name that it is assigned to, also in JSON, or by its
 * place in a URL.
 */
export function redactText(text: string): string {
  const pairs = redactPairs(redactPairs(text, jsonPair), innerJsonPair);
  return redactAssigned(pairs).replaceAll(/\b(?:Bearer|Basic)\s+\S+|\S+/g, (word) =>
    redactSecrets(word) === redacted || cutSecret.test(word) ? redacted : redactUrls(word),
  );
}

/** Redacts the values in `name=value`, wherever that begins: in a command line, in quotes, in the text of JSON. */
function redactAssigned(text: string): string {
  const names = /(?<![\w.?&#-])([\w.-]{1,100})=/g;
  const pieces: string[] = [];
  let done = 0;
  for (let found = names.exec(text); found; found = names.exec(text)) {
    const [, name = ''] = found;
    assignedValue.lastIndex = names.lastIndex;
    if (!looksSecret(name) || !assignedValue.test(text)) continue;
    pieces.push(text.slice(done, names.lastIndex), redacted);
    done = names.lastIndex = assignedValue.lastIndex;
  }
  return pieces.join('') + text.slice(done);
}

/** A value in quotes, or one that ends with its word, with the text of JSON that it stands in, or with a parameter. */
const assignedValue =
  /"[^"\\\n]*(?:\\[^][^"\\\n]*){0,1000}"?|'[^'\n]*'?|\\"[^"\\\n]*(?:\\(?!")[^"\\\n]*){0,1000}(?:\\")?|(?=\S)[^\s"'&\\]*(?:(?:&(?![\w.%-]{1,100}=)|["'](?![\s,;:)\]}]|$)|\\(?![nrt"]))[^\s"'&\\]*){0,1000}/y;

/** A name in JSON and where its text begins, or its number; and what a part of that text is, which may be cut off. */
const jsonPair = {
  begin: /"([\w.-]{1,100})"\s{0,20}:\s{0,20}(?:"|(-?\d[\w.+-]*))/g,
  part: /(?:[^"\\]|\\(?:[^]|$)){1,1000}/y,
};

/** The same in JSON that is a text of JSON. */
const innerJsonPair = {
  begin: /\\"([\w.-]{1,100})\\"\s{0,20}:\s{0,20}(?:\\"|(-?\d[\w.+-]*))/g,
  part: /(?:[^"\\]|\\\\(?:[^"\\]|\\["\\])|\\[^"\\]|\\{1,3}$){1,1000}/y,
};

/** Redacts the values of pairs whose names look secret; each is read part by part, as one of megabytes is too much for an expression. */
function redactPairs(text: string, { begin, part }: typeof jsonPair): string {
  let shown = '';
  let done = 0;
  begin.lastIndex = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const [start, name = '', number] = found;
    const from = found.index + start.length;
    let end = from;
    part.lastIndex = from;
    if (number === undefined) while (part.test(text)) end = part.lastIndex;
    begin.lastIndex = end;
    const value = number === undefined ? text.slice(from, end) : Number.parseFloat(number);
    // A token of progress says to which request the progress belongs.
    if (name === 'progressToken' || !isSecretBelow(name, value)) continue;
    shown += text.slice(done, from - (number ?? '').length);
    shown += number === undefined ? redacted : `"${redacted}"`;
    done = end;
  }
  return shown + text.slice(done);
}

/** Redacts the passwords of URLs in a word, and the values of their parameters whose names look secret. */
function redactUrls(word: string): string {
  return word
    .replaceAll(/(:\/\/[^\s/?#:@"]*:)[^\s/?#"]+(?=@)/g, `$1${redacted}`)
    .replaceAll(
      /([?&#]([^\s=?&#]{1,100})=)[^\s&#"<>\\]+/g,
      (parameter: string, start: string, name: string) =>
        looksSecret(decodePercent(name)) ? `${start}${redacted}` : parameter,
    );
}

const secretName =
  /pass(word|wd|phrase|code)?\b|\bpwd\b|secret|token|credential|\bauth(orization)?\b|\bcookie\b|\b(api|access|private|signing|encryption|ssh|client)\s*key|\bpin\b|\bcvv\b|\botp\b/;

// The first part of a JSON Web Token is matched backward from its end: from each `eyJ`, it would be read again and again.
const secretValue =
  /^(Bearer|Basic)\s+\S{8,}|(?:\b|(?<=\\[nrt]|\[[\d;]{0,9}m))(sk|pk|rk)[-_](live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}|gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abeoprs]-[\w-]{10,}|A(KIA|SIA)[A-Z0-9]{16}\b|AIza[\w-]{30,}|\.(?<=\beyJ[\w-]{8,}\.)[\w-]{8,}\.|-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** The beginning of such a value before an ellipsis, which every cut leaves; matched backward for the same reason. */
const cutSecret =
  /\u2026(?<=\b(?:[spr]k[-_]|gh[opsur]_|github_pat_|xox[abeoprs]-|A(?:KIA|SIA)|AIza|eyJ)[\w.-]{8,}\u2026)/;

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
export function isSecretBelow(name: string, value: unknown): boolean {
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

/** Returns the arguments of a command line with marks in place of what looks like a secret among them. */
export function maskedArguments(args: readonly string[]): readonly string[] {
  const mask = new SecretMask();
  mask.hide(secretsOfArguments(args));
  return args.map((arg) => mask.apply(arg));
}
