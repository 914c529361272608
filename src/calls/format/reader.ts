import { getNodeValue, type Node } from 'jsonc-parser';
import type { JsoncReading } from '../../base/text/jsonc';
import type { TextRange } from '../../base/text/textRange';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { CallsProblem } from './calls';

/** Reads the fields of an object in a parsed file; each value of the wrong type becomes a problem with its range. */
export class FieldReader {
  readonly problems: CallsProblem[];
  private readonly root: Node;
  private readonly rangeOf: JsoncReading['rangeOf'];
  private readonly fields: ReadonlyMap<string, Node>;

  constructor(root: Node, rangeOf: JsoncReading['rangeOf'], problems: CallsProblem[] = []) {
    this.root = root;
    this.rangeOf = rangeOf;
    this.problems = problems;
    this.fields = new Map(
      (root.children ?? []).flatMap(({ children: [key, value] = [] }) =>
        key && value ? [[String(key.value), value]] : [],
      ),
    );
  }

  /** Returns a reader for an object inside; `undefined` if there is none, or the value is not an object. */
  inside(name: string): FieldReader | undefined {
    const node = this.fields.get(name);
    if (!node) return undefined;
    if (node.type === 'object') return new FieldReader(node, this.rangeOf, this.problems);
    this.fail(`"${name}" must be an object.`, node);
    return undefined;
  }

  /** Returns a reader for each object in a list; any other member becomes a problem. */
  list(name: string): readonly FieldReader[] {
    const node = this.fields.get(name);
    if (!node) return [];
    if (node.type !== 'array') {
      this.fail(`"${name}" must be a list.`, node);
      return [];
    }
    return (node.children ?? []).flatMap((child, index) => {
      if (child.type === 'object') return [new FieldReader(child, this.rangeOf, this.problems)];
      this.fail(`Entry ${index + 1} of "${name}" must be an object.`, child);
      return [];
    });
  }

  has(name: string): boolean {
    return this.fields.get(name) !== undefined;
  }

  value(name: string): Json | undefined {
    const node = this.fields.get(name);
    return node && (getNodeValue(node) as Json);
  }

  text(name: string): string | undefined {
    return this.typed(name, 'a string', (value) => typeof value === 'string');
  }

  number(name: string): number | undefined {
    return this.typed(name, 'a number', (value) => typeof value === 'number');
  }

  flag(name: string): boolean | undefined {
    return this.typed(name, 'true or false', (value) => typeof value === 'boolean');
  }

  object(name: string): JsonObject | undefined {
    const isObject = (value: unknown): value is JsonObject =>
      typeof value === 'object' && value !== null && !Array.isArray(value);
    return this.typed(name, 'an object', isObject);
  }

  /** Adds a problem for every field other than these. */
  allow(...names: readonly string[]): void {
    for (const { children: [key] = [] } of this.root.children ?? [])
      if (key && !names.includes(String(key.value)))
        this.fail(`"${String(key.value)}" is not known here. Known: ${names.join(', ')}.`, key);
  }

  /** Adds a problem, at the named field if there is one. */
  problem(message: string, name?: string): void {
    this.fail(message, (name === undefined ? undefined : this.fields.get(name)) ?? this.root);
  }

  range(name?: string): TextRange {
    return this.rangeOf((name === undefined ? undefined : this.fields.get(name)) ?? this.root);
  }

  private typed<T extends Json>(
    name: string,
    kind: string,
    isOfKind: (value: unknown) => value is T,
  ): T | undefined {
    const value: unknown = this.value(name);
    if (value === undefined || isOfKind(value)) return value;
    this.problem(`"${name}" must be ${kind}.`, name);
    return undefined;
  }

  private fail(message: string, node: Node): void {
    this.problems.push({ message, range: this.rangeOf(node) });
  }
}
