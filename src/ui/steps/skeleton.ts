import { stripComments } from 'jsonc-parser';
import * as vscode from 'vscode';
import { jsonText } from '../../base/text/jsonText';
import { asRecord, ownValue, parseJson } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import { inEnglish, listText, type Translate } from '../../base/translate';
import type { Json, JsonObject, JsonSchema } from '../../mcp/protocol/types';
import { readWrittenObject } from '../../mcp/protocol/inexactNumber';
import type { DocumentInput } from '../documents/documentInput';
import { editorSchema } from '../documents/schemaLine';
import { Command } from '../ids';
import { itemField, placeholderOf, readFields, type Field } from './schemaFields';
import type { TextSource } from './textStep';

/** The text of a JSON document with comments that somebody fills in. */
export interface Skeleton {
  readonly text: string;
  /** The first value to fill in, in UTF-16 units; absent if there is none. */
  readonly hole?: { readonly offset: number; readonly length: number };
}

/** At most this many properties are written, and this deep: the rest is left to completion. */
export const maxSkeletonFields = 100;
const maxDepth = 4;
/** The longest comment, in UTF-16 units. */
const maxComment = 160;

/**
 * Writes an object that has only this property, with all that it requires, each below its description. Values to fill
 * in are `""`, or `null` where no text is wanted; defaults and constants are there already.
 */
export function skeletonOf(field: Field, root: JsonSchema, t: Translate = inEnglish): Skeleton {
  const lines: string[] = ['{'];
  let written = 0;
  let hole: Skeleton['hole'];
  const write = (line: string, isHole = false, length = 0) => {
    if (isHole) hole ??= { offset: lines.join('\n').length + 1 + line.length, length };
    lines.push(line);
  };
  const comment = (indent: string, text: string) => {
    if (text.trim() !== '') write(indent + commentOf(text));
  };
  /** Writes a value behind what its line begins with. */
  const writeValue = (one: Field, begin: string, indent: string, depth: number): void => {
    const { value, mayStay } = placeholderOf(one);
    const text = JSON.stringify(value);
    if (!mayStay && (value === '' || value === null)) {
      const isText = value === '';
      const before = isText ? `${begin}"` : begin;
      write(before, true, isText ? 0 : text.length);
      lines[lines.length - 1] = begin + text;
      return undefined;
    }
    if (mayStay || one.kind.kind !== 'json' || depth >= maxDepth) return write(begin + text);
    const item = itemField(one, root);
    if (item || one.schema['type'] === 'array') {
      if (!item) return write(begin + text);
      write(`${begin}[`);
      writeValue(item, `${indent}  `, `${indent}  `, depth + 1);
      return write(`${indent}]`);
    }
    write(`${begin}{`);
    writeMembers(readFields(one.schema, root), `${indent}  `, depth + 1);
    return write(`${indent}}`);
  };
  const writeMembers = (fields: readonly Field[], indent: string, depth: number) => {
    const needed = fields.filter(({ required }) => required).slice(0, maxSkeletonFields - written);
    written += needed.length;
    const others = fields.filter((one) => !needed.includes(one)).map(({ name }) => name);
    for (const [index, one] of needed.entries()) {
      comment(indent, one.description ?? '');
      writeValue(one, `${indent}${JSON.stringify(one.name)}: `, indent, depth);
      if (index < needed.length - 1) lines[lines.length - 1] += ',';
    }
    if (others.length > 0) write(indent + addableText(others, t));
  };
  comment('  ', field.description ?? '');
  writeValue(field, `  ${JSON.stringify(field.name)}: `, '  ', 0);
  write('}');
  return { text: `${lines.join('\n')}\n`, ...(hole && { hole }) };
}

/** Says in a comment which other properties there are. */
export function addableText(names: readonly string[], t: Translate): string {
  return commentOf(t('Can be added: {0}', listText(names, t)));
}

function commentOf(text: string): string {
  return `// ${plainLabel(text, maxComment)}`;
}

/** Returns an object of a schema with all that it requires, at any depth, as {@link skeletonOf} writes it. */
export function requiredOf(schema: JsonSchema): JsonObject {
  const name = 'all';
  const whole = { name, title: name, required: true, schema, kind: { kind: 'json' } } as const;
  const { text } = skeletonOf(whole, schema);
  return asRecord(asRecord(parseJson(stripComments(text)))[name]) as JsonObject;
}

/** What the document for a value needs from its form. */
export interface NestedForm {
  readonly schema: JsonSchema;
  readonly input: DocumentInput;
  /** Says why a value cannot be accepted, `undefined` if it can. */
  readonly problemIn: (value: Json) => Promise<string | undefined>;
}

/**
 * Makes the source of an object or a list of objects: a document with a skeleton, completed and checked by the schema,
 * which ends with the value's text. What is not a value yet is there again when it is opened the next time.
 */
export function nestedSource(field: Field, { schema, input, problemIn }: NestedForm): TextSource {
  const { name, title } = field;
  const { t } = vscode.l10n;
  let unfinished: string | undefined;
  const read = (text: string): { readonly value: Json } | { readonly problem: string } => {
    const written = readWrittenObject(stripComments(text), t, t('This is not a JSON object.'));
    if ('problem' in written) return written;
    const value = ownValue(written.object, name);
    return value === undefined ? { problem: t('"{0}" is missing.', plainLabel(name)) } : { value };
  };
  const begin = (current: string): Skeleton => {
    if (unfinished !== undefined) return { text: unfinished };
    const given = current === '' ? undefined : (parseJson(current) as Json | undefined);
    if (given === undefined) return skeletonOf(field, schema, t);
    return { text: `${JSON.stringify({ [name]: given }, undefined, 2)}\n` };
  };
  return {
    icon: new vscode.ThemeIcon('edit'),
    label: t('Write in an Editor…'),
    inEditor: true,
    read: async (current, { action, signal, keep }) => {
      const { text, hole } = begin(current);
      const answer = await input.ask({
        name: `${title}.jsonc`,
        text,
        permit: action,
        ...(hole && { selected: hole }),
        schema: editorSchema(wholeSchema(field, schema)),
        choices: [
          { id: 'use', title: `$(check) ${t('Use This Value')}`, command: Command.useText },
          { id: 'back', title: t('Cancel') },
        ],
        check: async (edited, choice) => {
          if (choice !== 'use') return undefined;
          const found = read(edited);
          return 'problem' in found ? found.problem : problemIn(found.value);
        },
        onSave: (edited) => {
          const found = read(edited);
          if ('value' in found) keep(jsonText(found.value, 2));
        },
        ...(signal && { signal }),
      });
      const found = answer.choice === 'use' ? read(answer.text) : undefined;
      unfinished = found || answer.text === text ? undefined : answer.text;
      return found && 'value' in found ? jsonText(found.value, 2) : undefined;
    },
  };
}

/** Returns the schema of an object that has this property alone, with what its references lead to. */
function wholeSchema({ name }: Field, root: JsonSchema): JsonSchema {
  const { $defs, definitions } = root;
  const property = ownValue(asRecord(root['properties']), name);
  return {
    type: 'object',
    properties: { [name]: property },
    required: [name],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}
