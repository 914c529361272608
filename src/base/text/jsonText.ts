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
