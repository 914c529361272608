import { changePasswords, passwordsIn, saidOfValues } from './secretOptions';
import { groupEnd, literalEnd, textEnd } from './text/jsonText';
import { decodePercent } from './text/text';

/**
 * Redacts what looks like a secret in a text: by its form, by the name that it is assigned to, also in JSON, or by its
 * place in a URL.
 */
export function redactText(text: string): string {
  const named = changeNamed(redactPairs(text), () => redacted);
  return changePasswords(named, () => redacted).replaceAll(
    /\b(?:Bearer|Basic)\s+\S+|\S+/g,
    (word) =>
      redactSecrets(word) === redacted || cutSecret.test(word)
        ? redacted
        : changeAddresses(word, (name, value) => (looksSecret(name) ? redacted : value)),
  );
}

/** Where a name begins: not within another, nor behind what belongs to an address; after `\n` in JSON, only an option. */
const nameStart = /(?<![\w.?&#-])(?=[\w.-])|(?<=\\[nrt])(?=-)/gi;

/** How a name is written before its value, the first that fits. */
const namings = [
  /(?<assigned>[\w.-]{1,100})(?:=|[ \t]{1,3}=[ \t]{1,3}(?=\\?["']))/y,
  // An option, and blanks, or what is between two texts in a list, as of JSON.
  /(?<option>--?[A-Za-z][\w.-]{0,99})(?:[ \t]{1,20}|(?<run>\\*)"\s{0,20},\s{0,20}\k<run>"|'\s{0,20},\s{0,20}(?='))/y,
  // A header of several words: without a blank, what follows may be the port of a host.
  /(?<header>\w{1,50}-[\w-]{1,50}'?:[ \t]{1,20})/y,
  // One that is known, also after the letter of `\n` in JSON.
  /(?<header>[nrt]?(?:x-[\w-]{1,100}|(?:proxy-)?authorization|(?:set-)?cookie)'?:[ \t]{0,20})/iy,
] as const;

/** A name before its value, which begins at `to`. */
interface FoundName {
  readonly at: number;
  readonly to: number;
  readonly assigned?: string;
  readonly option?: string;
  /** What is before each quote, where an option is in a list of JSON. */
  readonly run?: string;
  readonly header?: string;
}

function nameAfter(text: string, from: number): FoundName | undefined {
  nameStart.lastIndex = from;
  for (let start = nameStart.exec(text); start; start = nameStart.exec(text)) {
    const at = start.index;
    for (const naming of namings) {
      naming.lastIndex = at;
      const found = naming.exec(text);
      if (found) return { at, to: naming.lastIndex, ...found.groups };
    }
    nameStart.lastIndex = at + 1;
  }
  return undefined;
}

/**
 * Changes the values in `name=value`, behind `--name` and in the lines of headers, wherever these begin: in a command line, in
 * quotes, in the text of JSON.
 */
export function changeNamed(
  text: string,
  change: (called: string, value: string, isAssigned: boolean) => string,
): string {
  const pieces: string[] = [];
  let done = 0;
  let from: number;
  for (let found = nameAfter(text, 0); found; found = nameAfter(text, from)) {
    const { at, assigned, option, run, header } = found;
    from = found.to;
    const written = assigned ?? option ?? header?.replace(/'?:[ \t]*$/, '') ?? '';
    // After `\n` in the text of JSON, its letter is no part of the name.
    const called = text[at - 1] === '\\' ? `${written} ${written.slice(1)}` : written;
    if (!looksSecret(called)) continue;
    const isCookie = header !== undefined && /cookie$/i.test(written);
    const to = run === undefined ? valueEnd(text, from, isCookie) : textEnd(text, from, run);
    const value = text.slice(from, to);
    const isOther = assigned === undefined && (saidOfValues.test(value) || isOption(value));
    if (isOther || !isSecretBelow(called, asNumber(value))) continue;
    pieces.push(text.slice(done, from), change(called, value, assigned !== undefined));
    done = from = to;
  }
  return pieces.join('') + text.slice(done);
}

function valueEnd(text: string, from: number, isCookie: boolean): number {
  const value = isCookie ? cookies : assignedValue;
  scheme.lastIndex = from;
  value.lastIndex = scheme.test(text) ? scheme.lastIndex : from;
  return value.test(text) ? value.lastIndex : from;
}

/** What says how a value is meant stands before it. */
const scheme = /(?:Bearer|Basic|Digest|Token|ApiKey)[ \t]{1,20}(?=\S)/iy;
const cookies = /[^\n"'\\]+/y;

/** A value in quotes, or one that ends with its word, with the text of JSON that it stands in, or with a parameter. */
const assignedValue =
  /"[^"\\\n]*(?:\\[^][^"\\\n]*){0,1000}"?|'[^'\n]*'?|\\"[^"\\\n]*(?:\\(?!")[^"\\\n]*){0,1000}(?:\\")?|(?=\S)[^\s"'&\\]*(?:(?:&(?![\w.%-]{1,100}=)|["'](?![\s,;:)\]}]|$)|\\(?![nrt"]))[^\s"'&\\]*){0,1000}/y;

/* JSON in a text, as `jsonText` reads it. */

/** A name, the backslashes of its quotes, and what its value begins with: a text, a list, an object, or all of a number. */
const pairStart = /"([^"\\\n]{1,100})(\\*)"\s{0,20}:\s{0,20}(\2"|[[{]|-?\d[\w.+-]*)/g;

/** What is between the value of a name and that of the next. */
const nextPair =
  /(?:\s|\\{1,99}[nrt]){0,100},(?:\s|\\{1,99}[nrt]){0,100}(\\*)"([^"\\\n]{1,100})\1"\s{0,20}:\s{0,20}/y;

/** The beginning of an empty list or object, or of a schema, which describes what is called like a secret. */
const emptyOrSchema =
  /^(?:\{\s*\}|\[\s*\]|\{(?:\s*\\*"(?:title|description)\\*"\s*:\s*\\*"[^"\\]{0,500}\\*"\s*,){0,2}\s*\\*"(?:type\\*"\s*:\s*(?:\\*"(?:string|number|integer|boolean|object|array|null)\\*"|\[)|(?:anyOf|oneOf|allOf|\$ref)\\*"))/;

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

/** A value in JSON that is called like a secret: where it is, without its quotes, and what is before each quote in it. */
export interface NamedSecret {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind: 'text' | 'number' | 'group';
  readonly run: string;
}

/** Finds the values of pairs whose names look secret, also where the name is beside the value, as in a list of headers. */
export function secretsInJson(text: string): readonly NamedSecret[] {
  const found: NamedSecret[] = [];
  const named = new Map<number, string>();
  pairStart.lastIndex = 0;
  for (let pair = pairStart.exec(text); pair; pair = pairStart.exec(text)) {
    const [start, name = '', run = '', opening = ''] = pair;
    const from = pair.index + start.length - opening.length;
    const isGroup = opening === '[' || opening === '{';
    if (!text.startsWith(run, pair.index - run.length)) {
      pairStart.lastIndex = pair.index + 1;
      continue;
    }
    const beside = named.get(from);
    const isNamed = beside !== undefined || looksSecret(name);
    if (!isNamed && name !== 'value' && (isGroup || !namesBeside.has(name))) continue;
    // A group is read to its end only where it is redacted: in groups within groups, each would be read again and again.
    const near = isGroup
      ? readValue(text.slice(from, from + nearby), 0, run, deepestNear)
      : readValue(text, from, run);
    const others = () => pairsAfter(text, isGroup ? from + near.end : near.end, run);
    if (isSecretName(name, near.value))
      for (const other of others()) if (other.name === 'value') named.set(other.from, near.value);
    const [calledBeside = name] =
      name === 'value' && beside === undefined
        ? others().flatMap((other) => (isSecretName(other.name, other.value) ? other.value : []))
        : [];
    const called = beside ?? calledBeside;
    // A token of progress says to which request the progress belongs.
    if (name === 'progressToken' || !isSecretBelow(called, near.value)) continue;
    const [contentFrom, to] = isGroup ? readValue(text, from, run).content : near.content;
    const kind = isGroup ? 'group' : opening.endsWith('"') ? 'text' : 'number';
    found.push({ name: called, from: contentFrom, to, kind, run });
    pairStart.lastIndex = to;
  }
  return found;
}

function redactPairs(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to, kind, run } of secretsInJson(text)) {
    const quote = kind === 'text' ? '' : `${run}"`;
    pieces.push(text.slice(done, from), quote, redacted, quote);
    done = to;
  }
  return pieces.join('') + text.slice(done);
}

/** Returns the pairs that follow a value in the same object, as far as they are near. */
function pairsAfter(
  text: string,
  end: number,
  run: string,
): readonly { readonly name: string; readonly from: number; readonly value: unknown }[] {
  const near = text.slice(end, end + nearby);
  const pairs = [];
  nextPair.lastIndex = 0;
  for (
    let found = nextPair.exec(near);
    found && found[1] === run && pairs.length < maxBeside;
    found = nextPair.exec(near)
  ) {
    const from = nextPair.lastIndex;
    const read = readValue(near, from, run);
    pairs.push({ name: found[2] ?? '', from: end + from, value: read.value });
    nextPair.lastIndex = read.end;
  }
  return pairs;
}

/** Reads the value at a place of a text, to the end of the text where it is cut off, or is nested deeper than `deepest`. */
function readValue(text: string, from: number, run: string, deepest = Infinity): FoundValue {
  const quote = `${run}"`;
  if (text.startsWith(quote, from)) {
    const inside = from + quote.length;
    const to = textEnd(text, inside, run);
    const end = text.startsWith(quote, to) ? to + quote.length : to;
    return { content: [inside, to], end, value: text.slice(inside, to) };
  }
  const opening = text.charAt(from);
  const isGroup = opening === '{' || opening === '[';
  const end = isGroup ? groupEnd(text, from, run, deepest) : literalEnd(text, from);
  const written = text.slice(from, end);
  const value = isGroup
    ? emptyOrSchema.test(text.slice(from, from + nearby))
      ? ''
      : {}
    : Number.parseFloat(written);
  return { content: [from, end], end, value };
}

/** The user of an address, which may be one of mail or a variable, and the password, which ends at the last `@`. */
const userAndPassword =
  /(:\/\/(?:\$\{[^{}]*\}|(?!\$\{)[^\s/?#:"])*:)([^\s/?#"]+(?=@)|(?!\d{0,5}(?:[/?#]|$))[^\s@"]{1,200}(?=@))/g;
const parameter = /([?&#]([^\s=?&#]{1,100})=)([^\s&#"<>\\]+)/g;

/** Changes in the addresses of a text the passwords, and the values of parameters, given their names. */
export function changeAddresses(
  text: string,
  change: (name: string, value: string) => string,
): string {
  return text
    .replaceAll(
      userAndPassword,
      (_whole, lead: string, value: string) => lead + change('password', value),
    )
    .replaceAll(
      parameter,
      (_whole, lead: string, name: string, value: string) =>
        lead + change(decodePercent(name), value),
    );
}

const secretName =
  /pass(word|wd|phrase|code)?\d*\b|\bpwd\d*\b|[a-z]{2}pw\b|secret|token|credential|\bauth(orization)?\b|\bcookie\b|\b(api|access|account|subscription|master|private|signing|encryption|ssh|client)\s*key|\bpin\b|\bcvv\b|\botp\b/;

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
  return redactPart(value, '');
}

function redactPart(value: unknown, command: unknown): unknown {
  if (typeof value === 'string') return secretValue.test(value) ? redacted : value;
  if (Array.isArray(value))
    return withoutPasswords(value, command).map((part) => redactPart(part, ''));
  if (typeof value !== 'object' || value === null) return value;
  const beside = 'command' in value ? value.command : '';
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretBelow(calledIn(value, name), part) ? redacted : redactPart(part, beside),
    ]),
  );
}

/**
 * Returns a list without the secrets behind options in it; `command` is the program that it is for. Each is replaced by what
 * `replace` makes of it and of what it is called, and any other text by what `other` makes of it.
 */
export function withoutPasswords(
  list: readonly unknown[],
  command: unknown,
  replace: (called: string, secret: string) => string = () => redacted,
  other: (text: string, called: string, index: number) => string = (text) => text,
): readonly unknown[] {
  const words = [command, ...list].map((word) => (typeof word === 'string' ? word : ''));
  const passwords = new Map(passwordsIn(words).map((found) => [found.index - 1, found]));
  return list.map((part, index) => {
    if (typeof part !== 'string') return part;
    const called = calledInList(list, index);
    // A key may be written as an assignment is: `YWJjZA==`.
    if (isSecretBelow(called, part)) return replace(called, part);
    const { from, to } = passwords.get(index) ?? {};
    return from === undefined
      ? other(part, called, index)
      : part.slice(0, from) + replace('password', part.slice(from, to)) + part.slice(to);
  });
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

/** Returns the name of the option, as a program has it, that a value follows in a list; empty if it follows none. */
function calledInList(list: readonly unknown[], index: number): string {
  const [before, value] = [list[index - 1], list[index]];
  if (typeof before !== 'string' || typeof value !== 'string' || isOption(value)) return '';
  const name = /^--?([\w.-]+)$/.exec(before)?.[1] ?? '';
  return looksSecret(name) && !isSecretBelow(name, asNumber(value)) ? '' : name;
}

/** True for an argument that is an option rather than a value that begins with a dash. */
export function isOption(argument: string): boolean {
  return /^-(?:[A-Za-z]|-?[a-z]+(?:[.-][a-z]+)*|-[A-Za-z][\w.-]*)(?:=|$)/.test(argument);
}

/** Returns a text of digits as a number, which may count tokens. */
export function asNumber(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
