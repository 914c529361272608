import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './paths';

interface Field {
  readonly type: string;
  readonly isRepeated: boolean;
  /** The name of the `oneof` that it belongs to. */
  readonly choice: string | undefined;
}

type Messages = Map<string, Map<string, Field>>;

interface Schema {
  readonly messages: Messages;
  /** The numbers of each enumeration. */
  readonly enums: Map<string, Set<number>>;
}

const root = join(repositoryRoot, 'test', 'fixtures', 'otlp');

/** Reads a file of Protocol Buffers and all that it imports, as far as these use of the language. */
function readSchema(file: string, schema: Schema = { messages: new Map(), enums: new Map() }) {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/\/\/[^\n]*/g, '');
  for (const [, path = ''] of text.matchAll(/^import "([^"]+)";/gm)) readSchema(path, schema);
  const open: { readonly kind: string; readonly name: string }[] = [];
  const statement = /(message|enum|oneof|service)\s+(\w+)\s*\{|([^{};]+);|\{|\}/g;
  for (const [whole, kind, name = '', line] of text.matchAll(statement)) {
    if (kind !== undefined) {
      open.push({ kind, name });
      if (kind === 'message') schema.messages.set(name, new Map());
      if (kind === 'enum') schema.enums.set(name, new Set());
    } else if (whole === '{') open.push({ kind: '', name: '' });
    else if (whole === '}') open.pop();
    else addLine(line ?? '', open, schema);
  }
  return schema;
}

function addLine(
  line: string,
  open: readonly { readonly kind: string; readonly name: string }[],
  schema: Schema,
): void {
  const inside = open.at(-1);
  const message = open.findLast(({ kind }) => kind === 'message');
  if (inside?.kind === 'enum') {
    const [, number] = /^\s*\w+\s*=\s*(\w+)/.exec(line) ?? [];
    if (number !== undefined) schema.enums.get(inside.name)?.add(Number(number));
    return;
  }
  const [, label, type, name] =
    /^\s*(repeated\s+|optional\s+)?([\w.]+)\s+(\w+)\s*=\s*\d+/.exec(line) ?? [];
  if (!message || !inside || type === undefined || name === undefined) return;
  schema.messages.get(message.name)?.set(jsonName(name), {
    type: type.split('.').at(-1) ?? type,
    isRepeated: label?.startsWith('repeated') === true,
    choice: inside.kind === 'oneof' ? inside.name : undefined,
  });
}

function jsonName(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value.isWellFormed(),
  bool: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number',
  // JSON has no integers of 64 bits, so that they are texts.
  fixed64: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value),
  int64: (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value),
  uint64: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value),
  uint32: Number.isSafeInteger,
  fixed32: Number.isSafeInteger,
  int32: Number.isSafeInteger,
  // In OTLP, the ids of traces and spans are in hexadecimal digits, unlike other bytes.
  bytes: (value) => typeof value === 'string' && /^(?:[0-9a-f]{16}){1,2}$/.test(value),
};

/** Returns what a JSON value has that a message of OTLP does not, as paths; in the JSON encoding of OTLP. */
export function otlpProblems(signal: 'trace' | 'metrics', value: unknown): readonly string[] {
  const schema = readSchema(`opentelemetry/proto/collector/${signal}/v1/${signal}_service.proto`);
  const name = signal === 'trace' ? 'ExportTraceServiceRequest' : 'ExportMetricsServiceRequest';
  return problemsOf(value, name, schema, name);
}

function problemsOf(value: unknown, type: string, schema: Schema, path: string): string[] {
  const scalar = scalars[type];
  if (scalar) return scalar(value) ? [] : [`${path}: ${type}`];
  const numbers = schema.enums.get(type);
  if (numbers)
    return numbers.has(Number(value)) && typeof value === 'number' ? [] : [`${path}: ${type}`];
  const fields = schema.messages.get(type);
  if (!fields || typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${path}: ${type}`];
  const chosen = Object.keys(value).flatMap((key) => fields.get(key)?.choice ?? []);
  const twice = chosen.filter((one, at) => chosen.indexOf(one) < at);
  return [
    ...twice.map((one) => `${path}: oneof ${one}`),
    ...Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
      const field = fields.get(key);
      const below = `${path}.${key}`;
      if (!field) return [`${below}: unknown`];
      if (!field.isRepeated) return problemsOf(part, field.type, schema, below);
      if (!Array.isArray(part)) return [`${below}: repeated`];
      return part.flatMap((one, at) => problemsOf(one, field.type, schema, `${below}[${at}]`));
    }),
  ];
}
