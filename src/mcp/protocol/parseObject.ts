import { isRecord } from '../../base/json';
import type { Translate } from '../../base/translate';
import { findInexactNumber, inexactNumberText } from './inexactNumber';
import type { JsonObject } from './types';

/** The JSON object that a user wrote, or a sentence why it cannot be taken: `otherwise` where it is none. */
export function readWrittenObject(
  text: string,
  t: Translate,
  otherwise: string,
): { readonly object: JsonObject } | { readonly problem: string } {
  const object = parseObject(text);
  if (!object) return { problem: otherwise };
  const inexact = findInexactNumber(text);
  return inexact ? { problem: inexactNumberText(inexact, t) } : { object };
}

/** The JSON object that a text is, if it is one. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
