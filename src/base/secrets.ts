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
  const pairs = redactPairs(redactPairs(text, jsonForm), innerJsonForm);
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

/** How JSON is written in a text, or in JSON that is a text of JSON; what is there may be cut off. */
interface JsonForm {
  /** A name, and what its value begins with: a text, a list, an object, or all of a number. */
  readonly begin: RegExp;
  readonly quote: string;
  /** A piece of what is in quotes: all of megabytes is too much for an expression. */
  readonly piece: RegExp;
  /** What begins or ends a text, a list, an object, or all of the JSON. */
  readonly mark: RegExp;
  /** What is between the value of a name and that of the next. */
  readonly next: RegExp;
}

const jsonForm: JsonForm = {
  begin: /"([^"\\\n]{1,100})"\s{0,20}:\s{0,20}("|[[{]|-?\d[\w.+-]*)/g,
  quote: '"',
  piece: /(?:[^"\\]|\\(?:[^]|$)){1,1000}/y,
  mark: /["[\]{}]/g,
  next: /\s{0,100},\s{0,100}"([^"\\\n]{1,100})"\s{0,20}:\s{0,20}/y,
};

const innerJsonForm: JsonForm = {
  begin: /\\"([^"\\\n]{1,100})\\"\s{0,20}:\s{0,20}(\\"|[[{]|-?\d[\w.+-]*)/g,
  quote: '\\"',
  piece: /(?:[^"\\]|\\\\(?:[^"\\]|\\["\\])|\\[^"\\]|\\{1,3}$){1,1000}/y,
  mark: /\\"|["[\]{}]/g,
  next: /(?:\s|\\[nrt]){0,100},(?:\s|\\[nrt]){0,100}\\"([^"\\\n]{1,100})\\"\s{0,20}:\s{0,20}/y,
};

/** The beginning of a schema, which describes what is called like a secret. */
const schemaStart =
  /^\{(?:\s*"(?:title|description)"\s*:\s*"[^"\\]{0,500}"\s*,){0,2}\s*"(?:type"\s*:\s*(?:"(?:string|number|integer|boolean|object|array|null)"|\[)|(?:anyOf|oneOf|allOf|\$ref)")/;

/** What is beside a value is looked for in so many UTF-16 units, and in so many pairs of a name and a value. */
const nearby = 1000;
const maxBeside = 10;

/** A group in so many others is looked through to find the end of each of these, so no more of them are. */
const deepestNear = 10;

/** A value in a text: where its content begins and ends, and where what follows it begins. */
interface FoundValue {
  readonly content: readonly [from: number, to: number];
  readonly end: number;
  /** A text or a number, or an object for all that a name can call a secret. */
  readonly value: unknown;
}

/** Redacts the values of pairs whose names look secret, also where the name is beside the value, as in a list of headers. */
function redactPairs(text: string, form: JsonForm): string {
  const { begin, quote } = form;
  const named = new Map<number, string>();
  let shown = '';
  let done = 0;
  begin.lastIndex = 0;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const [start, name = '', opening = ''] = found;
    const from = found.index + start.length - opening.length;
    const isGroup = opening === '[' || opening === '{';
    begin.lastIndex = from + 1;
    if (isGroup && name !== 'value' && !named.has(from) && !looksSecret(name)) continue;
    // A group is read to its end only where it is redacted: in groups within groups, each would be read again and again.
    const near = isGroup
      ? readValue(text.slice(from, from + nearby), 0, form, deepestNear)
      : readValue(text, from, form);
    if (!isGroup) begin.lastIndex = near.content[1];
    const beside = () => pairsAfter(text, isGroup ? from + near.end : near.end, form);
    if (isSecretName(name, near.value))
      for (const other of beside()) if (other.name === 'value') named.set(other.from, near.value);
    const [calledBeside = name] =
      name === 'value'
        ? beside().flatMap((other) => (isSecretName(other.name, other.value) ? other.value : []))
        : [];
    const called = named.get(from) ?? calledBeside;
    // A token of progress says to which request the progress belongs.
    if (name === 'progressToken' || !isSecretBelow(called, near.value)) continue;
    const [contentFrom, contentTo] = isGroup ? readValue(text, from, form).content : near.content;
    const isText = opening === quote;
    shown += text.slice(done, contentFrom) + (isText ? redacted : quote + redacted + quote);
    done = begin.lastIndex = contentTo;
  }
  return shown + text.slice(done);
}

/** Returns the pairs that follow a value in the same object, as far as they are near. */
function pairsAfter(
  text: string,
  end: number,
  form: JsonForm,
): readonly { readonly name: string; readonly from: number; readonly value: unknown }[] {
  const near = text.slice(end, end + nearby);
  const pairs = [];
  form.next.lastIndex = 0;
  for (
    let found = form.next.exec(near);
    found && pairs.length < maxBeside;
    found = form.next.exec(near)
  ) {
    const from = form.next.lastIndex;
    const read = readValue(near, from, form);
    pairs.push({ name: found[1] ?? '', from: end + from, value: read.value });
    form.next.lastIndex = read.end;
  }
  return pairs;
}

/** Reads the value at a place of a text, to the end of the text where it is cut off, or is nested deeper than `deepest`. */
function readValue(text: string, from: number, form: JsonForm, deepest = Infinity): FoundValue {
  const { quote } = form;
  if (text.startsWith(quote, from)) {
    const inside = from + quote.length;
    const to = textEnd(text, inside, form);
    const end = text.startsWith(quote, to) ? to + quote.length : to;
    return { content: [inside, to], end, value: text.slice(inside, to) };
  }
  const opening = text.charAt(from);
  const isGroup = opening === '{' || opening === '[';
  const end = isGroup ? groupEnd(text, from, form, deepest) : literalEnd(text, from);
  const written = text.slice(from, end);
  const value = isGroup
    ? holdsNothing(text.slice(from, from + nearby))
      ? ''
      : {}
    : Number.parseFloat(written);
  return { content: [from, end], end, value };
}

function textEnd(text: string, inside: number, { piece }: JsonForm): number {
  let end = inside;
  piece.lastIndex = inside;
  while (piece.test(text)) end = piece.lastIndex;
  return end;
}

function groupEnd(text: string, from: number, form: JsonForm, deepest: number): number {
  const { mark, quote } = form;
  let depth = 0;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [at] = found;
    if (at === quote) {
      const end = textEnd(text, mark.lastIndex, form);
      mark.lastIndex = text.startsWith(quote, end) ? end + quote.length : end;
    } else if (at === '"') return found.index;
    else if ((depth += at === '{' || at === '[' ? 1 : -1) === 0) return mark.lastIndex;
    else if (depth > deepest) return text.length;
  }
  return text.length;
}

function literalEnd(text: string, from: number): number {
  const literal = /[\w.+-]*/y;
  literal.lastIndex = from;
  literal.test(text);
  return literal.lastIndex;
}

/** True for a list or an object that is empty, or that describes what is called like a secret. */
function holdsNothing(beginning: string): boolean {
  const plain = beginning.replaceAll('\\"', '"');
  return /^(?:\{\s*\}|\[\s*\])/.test(plain) || schemaStart.test(plain);
}

/** Redacts the passwords of URLs in a word, and the values of their parameters whose names look secret. */
function redactUrls(word: string): string {
  return word
    .replaceAll(/(:\/\/[^\s/?#:"]*:)[^\s/?#"]+(?=@)/g, `$1${redacted}`)
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
      isSecretBelow(calledIn(value, name), part) ? redacted : redactSecrets(part),
    ]),
  );
}

/** The names of what says in an object what its `value` is. */
const namesBeside = new Set(['name', 'key', 'header']);

/** Returns what an object calls a part of it: by its name, or beside it where that looks secret, as in a list of headers. */
export function calledIn(whole: object, name: string): string {
  if (name !== 'value') return name;
  const beside = Object.entries(whole).find(([other, said]) => isSecretName(other, said));
  return beside ? String(beside[1]) : name;
}

/** True for a part of an object that calls the `value` beside it what looks like a secret. */
function isSecretName(name: string, said: unknown): said is string {
  return namesBeside.has(name) && typeof said === 'string' && looksSecret(said);
}
