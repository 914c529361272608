import { createScanner } from 'jsonc-parser';
import { shownText } from '../../base/text/text';
import type { Translate } from '../../base/translate';
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

/** A number as it was written, and the different one that would be sent. */
export interface InexactNumber {
  readonly written: string;
  readonly sent: string;
}

/** At most this many characters of a number are shown. */
const shownDigits = 40;

/** Checks whether a written number would be sent as a different one; `undefined` if it would not. */
export function inexactNumber(written: string): InexactNumber | undefined {
  const value = Number(written);
  const sent = JSON.stringify(value);
  const isSame = valueOf(written) === valueOf(sent) || isWholeOfCode(written, value);
  return isSame ? undefined : { written, sent };
}

/** Finds the first such number in JSON, which may contain comments; `undefined` if there is none. */
export function findInexactNumber(json: string): InexactNumber | undefined {
  const scanner = createScanner(json, true);
  for (;;) {
    scanner.scan();
    const mark = json.charAt(scanner.getTokenOffset());
    if (mark === '') return undefined;
    const found = /[-\d]/.test(mark) && inexactNumber(scanner.getTokenValue());
    if (found) return found;
  }
}

/** Says why JSON with such a number cannot be accepted, and what to do. */
export function inexactNumberText({ written, sent }: InexactNumber, t: Translate): string {
  const shown = shownText(written, shownDigits);
  return t(
    'The number {0} cannot be sent exactly: it would arrive as {1}. Write it as text in quotes if the schema takes text, or choose another number.',
    shown,
    sent,
  );
}

/** Returns text that is the same however a decimal number is written; `undefined` if it is not one. */
function valueOf(written: string): string | undefined {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(written.trim());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

/** True for an integer that is written as in code, such as `0xff`, which users may also enter. */
function isWholeOfCode(written: string, value: number): boolean {
  return /^\s*0[xob]/i.test(written) && Number.isSafeInteger(value);
}
