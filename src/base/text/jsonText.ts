import { type JsonRecord, isRecord } from '../json';

/** The longest dump that is read, in UTF-16 units, and the most of its findings that are told. */
const longestDump = 100_000;
const mostFindings = 3;

/**
 * Returns a message with the JSON that a schema checker dumped into it, as those of the SDK and of many
 * servers do, put into words: `field "name" is missing`.
 */
export function withoutDump(message: string): string {
  const start = message.search(/\[\s*\{\s*"/);
  const end = message.lastIndexOf(']') + 1;
  if (start < 0 || end <= start) return message;
  const findings = readFindings(message.slice(start, end));
  return findings === undefined
    ? message
    : `${message.slice(0, start)}${findings}${message.slice(end)}`;
}

function readFindings(dump: string): string | undefined {
  if (dump.length > longestDump) return undefined;
  let issues: unknown;
  try {
    issues = JSON.parse(dump);
  } catch {
    return undefined;
  }
  if (!Array.isArray(issues) || !issues.every(isIssue)) return undefined;
  const told = issues.slice(0, mostFindings).map(describe);
  const more = issues.length - told.length;
  return `${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type Issue = JsonRecord & { readonly path: readonly unknown[]; readonly message: string };

function isIssue(value: unknown): value is Issue {
  if (!isRecord(value)) return false;
  return Array.isArray(value['path']) && typeof value['message'] === 'string' && 'code' in value;
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  int: 'an integer',
  object: 'an object',
  record: 'an object',
};

function describe({ path, code, expected, message, keys }: Issue): string {
  const where = path.map(String).join('.');
  const subject = where === '' ? 'the value' : `field "${where}"`;
  if (code === 'unrecognized_keys' && Array.isArray(keys))
    return `${subject} has unknown fields: ${keys.map((key) => `"${String(key)}"`).join(', ')}`;
  if (code !== 'invalid_type') return `${subject} is not as expected`;
  if (/\bundefined$|^Required$/.test(message)) return `${subject} is missing`;
  return `${subject} is not ${kinds[String(expected)] ?? `a ${String(expected)}`}`;
}

/** The longest JSON that is written for users or models, in UTF-16 units. */
export const maxJsonLength = 1_000_000;

/** The deepest nesting of objects and lists in JSON that is written for users or models. */
export const maxJsonDepth = 128;

/**
 * Writes JSON for users to read, however deep a server nests it and however long indenting makes it: an
 * ellipsis replaces whatever is nested too deep, and everything after `maxLength` UTF-16 units.
 */
export function jsonText(value: unknown, indent = 0, maxLength = maxJsonLength): string {
  const writer = new JsonWriter(indent, maxLength);
  writer.write(value);
  return writer.text;
}

/** Writes JSON as {@link jsonText} does; `undefined` if it would not be the whole value. */
export function wholeJsonText(value: unknown, indent = 0): string | undefined {
  const writer = new JsonWriter(indent, maxJsonLength);
  writer.write(value);
  return writer.isWhole ? writer.text : undefined;
}

class JsonWriter {
  isWhole = true;
  private readonly indent: number;
  private readonly parts: string[] = [];
  private left: number;

  constructor(indent: number, maxLength: number) {
    this.indent = indent;
    this.left = maxLength;
  }

  get text(): string {
    return this.parts.join('');
  }

  write(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null) this.add(this.primitive(value));
    else if (depth >= maxJsonDepth) this.omit();
    else if (Array.isArray(value)) this.list('[', value.entries(), ']', depth);
    else this.list('{', membersOf(value), '}', depth);
  }

  private list(
    open: string,
    entries: Iterable<readonly [string | number, unknown]>,
    close: string,
    depth: number,
  ): void {
    let count = 0;
    this.add(open);
    for (const [key, part] of entries) {
      if (this.left <= 0) break;
      this.add(count === 0 ? '' : ',');
      this.newLine(depth + 1);
      if (typeof key === 'string') this.add(`${this.primitive(key)}:${this.indent > 0 ? ' ' : ''}`);
      this.write(part === undefined ? null : part, depth + 1);
      count += 1;
    }
    if (count > 0) this.newLine(depth);
    this.add(close);
  }

  private primitive(value: unknown): string {
    // Cut before it is escaped: megabytes may be cut off.
    const shown =
      typeof value === 'string' && value.length > this.left ? value.slice(0, this.left + 1) : value;
    return JSON.stringify(shown) ?? '';
  }

  private newLine(depth: number): void {
    if (this.indent > 0) this.add(`\n${' '.repeat(this.indent * depth)}`);
  }

  private omit(): void {
    this.isWhole = false;
    this.add('… (nested too deep)');
  }

  private add(text: string): void {
    if (this.left <= 0) return;
    if (text.length > this.left) {
      this.isWhole = false;
      this.parts.push(`${text.slice(0, this.left - 1).replace(/[\uD800-\uDBFF]$/, '')}…`);
    } else this.parts.push(text);
    this.left -= text.length;
  }
}

function* membersOf(value: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) {
    const part = (value as Readonly<Record<string, unknown>>)[key];
    if (part !== undefined) yield [key, part];
  }
}

/*
 * JSON in a text, also as a text of JSON, and so on; what is there may be cut off. There, quotes have backslashes before them: the
 * deeper, the more, so that what is within a text is told from what ends it by their number.
 */

/** What begins or ends a text, a list, an object, or all of the JSON. */
const mark = /["[\]{}]/g;

/** Returns where the text ends whose quotes have `run` before them: at one of its own, or at one of the text around it. */
export function textEnd(text: string, inside: number, { length }: string): number {
  for (let at = text.indexOf('"', inside); at >= 0; at = text.indexOf('"', at + 1)) {
    const start = runStart(text, at, inside);
    const before = at - start;
    if (before % (length + 1) !== length) return start;
    if (Math.floor(before / (length + 1)) % 2 === 0) return at - length;
  }
  return text.length;
}

/** Returns where the backslashes before a quote begin. */
function runStart(text: string, quote: number, from: number): number {
  let start = quote;
  while (start > from && text[start - 1] === '\\') start -= 1;
  return start;
}

/** Returns where a list or an object ends whose quotes have `run` before them, or the text, if it is nested deeper than `deepest`. */
export function groupEnd(text: string, from: number, run: string, deepest: number): number {
  let depth = 0;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [at] = found;
    if (at === '"') {
      const start = runStart(text, found.index, from);
      if (found.index - start < run.length) return start;
      const end = textEnd(text, mark.lastIndex, run);
      mark.lastIndex = text.startsWith(`${run}"`, end) ? end + run.length + 1 : end;
    } else if ((depth += at === '{' || at === '[' ? 1 : -1) === 0) return mark.lastIndex;
    else if (depth > deepest) return text.length;
  }
  return text.length;
}

/** Returns where a number or a word of JSON ends. */
export function literalEnd(text: string, from: number): number {
  const literal = /[\w.+-]*/y;
  literal.lastIndex = from;
  literal.test(text);
  return literal.lastIndex;
}

/** True for a quotation mark of JSON, of a script or of a shell. */
export function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'" || sign === '`';
}

/** Returns where the text in quotes ends that begins at a place, in its line. */
export function quotedEnd(text: string, begin: number): number {
  const quote = text[begin - 1] ?? '';
  let run = begin - 1;
  while (text[run - 1] === '\\') run -= 1;
  const end =
    quote === '"' ? textEnd(text, begin, text.slice(run, begin - 1)) : text.indexOf(quote, begin);
  const inside = text.slice(begin, end < 0 ? undefined : end);
  const line = inside.indexOf('\n');
  return begin + (line < 0 ? inside.length : line);
}
