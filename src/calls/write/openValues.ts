import { isRecord } from '../../base/json';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import { looksSecret, redacted, redactSecrets, wordsOf } from '../../base/secrets/secrets';
import { typeOf } from '../expect/matchers';
import { escapeVariables } from '../format/variables';

/** Patterns of values that differ from run to run: times, and generated ids. */
const changing = [
  String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`,
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  String.raw`\b1[5-9]\d{8}(?:\d{3})?\b`,
  String.raw`\b(?=[\da-f]*\d)[\da-f]{16,}\b`,
  String.raw`\b\d\d:\d\d:\d\d\b`,
];
const anyChanging = new RegExp(changing.join('|'), 'gi');
const changingName = /(?:^| )(?:id|uuid|time|timestamp|date|at|duration|ms)$/;

/**
 * Turns a value into an expectation that checks only the type or pattern of secrets and of what differs from
 * run to run.
 */
export function openValues(value: unknown, name = ''): Json {
  if (Array.isArray(value)) return value.map((part) => openValues(part));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, openValues(part, key)]),
    );
  const isOpen = changingName.test(wordsOf(name)) || looksSecret(name);
  if (isOpen && value !== null) return { $type: typeOf(value) };
  if (redactSecrets(value) === redacted) return { $type: 'string' };
  if (typeof value === 'string' && value.search(anyChanging) >= 0)
    return { $matches: openPattern(value) };
  if (typeof value === 'number' && String(value).search(anyChanging) >= 0)
    return { $type: 'number' };
  return value as Json;
}

/**
 * Returns arguments as they are written into a step: each secret becomes a variable of the same name, to be
 * given for each run.
 */
export function withoutSecrets(args: JsonObject): JsonObject {
  const replace = (value: unknown, name: string): Json => {
    if (value === redacted) return `\${${name.replaceAll(/[^\w-]/g, '_') || 'secret'}}`;
    if (Array.isArray(value)) return value.map((part) => replace(part, name));
    if (!isRecord(value)) return escapeVariables(value as Json);
    const entries = Object.entries(value).map(([key, part]) => [key, replace(part, key)]);
    return Object.fromEntries(entries) as JsonObject;
  };
  return replace(redactSecrets(args), '') as JsonObject;
}

/** True if part of a text differs from run to run. */
export function isChanging(text: string): boolean {
  return text.search(anyChanging) >= 0;
}

/** Returns a regular expression for a text that accepts anything in place of what differs from run to run. */
export function openPattern(text: string): string {
  const parts = text
    .split(anyChanging)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return `^${parts.join('.+')}$`;
}
