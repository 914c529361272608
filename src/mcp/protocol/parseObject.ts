import { isRecord } from '../../base/json';
import type { JsonObject } from './types';

/** The JSON object that a text is, if it is one. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
