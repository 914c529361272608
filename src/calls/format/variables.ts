import { UserError } from '../../base/errors';
import type { Json, JsonObject } from '../../mcp/protocol/types';

const variable = /(?<!\$)(\$+)\{([\w-]+)\}/g;
const only = /^\$\{([\w-]+)\}$/;

/**
 * Replaces the `${variables}` in all strings of a value; a string that is nothing but a variable becomes its
 * value, of any type. `$$` before a brace stands for `$`; see {@link escapeVariables}. Throws a `UserError`
 * for a variable without a value.
 */
export function fillVariables(value: Json, variables: JsonObject): Json {
  return fill(value, (name) => {
    const found = known(variables, name);
    if (found === undefined) throw new UserError(`The variable \${${name}} has no value.`);
    return found;
  });
}

/** Does the same as {@link fillVariables}, but leaves variables without a value as they are. */
export function fillKnown(value: Json, variables: JsonObject): Json {
  return fill(value, (name) => known(variables, name) ?? `\${${name}}`);
}

function known(variables: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Returns the names of all variables that a value uses. */
export function variablesOf(value: Json): ReadonlySet<string> {
  const names = new Set<string>();
  fill(value, (name) => {
    names.add(name);
    return '';
  });
  return names;
}

/** Escapes a value whose strings are meant literally: {@link fillVariables} returns the original. */
export function escapeVariables<T extends Json>(value: T): T {
  return mapTexts(value, (text) => text.replaceAll(variable, '$1$&')) as T;
}

function fill(value: Json, valueOf: (name: string) => Json): Json {
  return mapTexts(value, (text) => {
    const [, whole] = only.exec(text) ?? [];
    if (whole !== undefined) return valueOf(whole);
    return text.replaceAll(variable, (_, dollars: string, name: string) => {
      const plain = '$'.repeat(Math.floor(dollars.length / 2));
      return plain + (dollars.length % 2 === 0 ? `{${name}}` : textOf(valueOf(name)));
    });
  });
}

function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((part) => mapTexts(part, change));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, part && mapTexts(part, change)]),
  );
}

/** Returns a value as it appears inside a text: a string as it is, and anything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
