import { isRecord } from '../../base/json';
import type { JsonObject } from './types';

/** Parses text as a JSON object; `undefined` if it is not one. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
