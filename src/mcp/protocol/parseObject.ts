import { isRecord, parseJson } from '../../base/json';
import type { JsonObject } from './types';

/** The places where servers write the id of a response: before its content, or after it. */
const idAtTheStart =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,(?!\s*"method")/;
const idAtTheEnd = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
const beginsAsQuestion = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;

/** Reads which request a message answers from its beginning and, if known, its end; `undefined` if there is no id. */
export function answeredId(head: string, tail = ''): number | undefined {
  const atTheEnd = beginsAsQuestion.test(head) ? undefined : idAtTheEnd.exec(tail)?.[1];
  const id = idAtTheStart.exec(head)?.[1] ?? atTheEnd;
  return id === undefined ? undefined : Number(id);
}

/** Parses text as a JSON object; `undefined` if it is not one. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isRecord(value) ? (value as JsonObject) : undefined;
}

/** Over HTTP, a result that is a list stands under this name in the object that the transports need. */
export const unreadableResult = '_unreadableResult';
