import type { Translate } from '../../base/translate';
import { findInexactNumber, inexactNumberText } from './inexactNumber';
import { parseObject } from './parseObject';
import type { JsonObject } from './types';

/** Reads the JSON object that a user wrote, or says why it cannot be accepted: `otherwise` if it is not an object. */
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
