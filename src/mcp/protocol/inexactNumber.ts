import { createScanner } from 'jsonc-parser';
import { shownText } from '../../base/text/text';
import type { Translate } from '../../base/translate';

/** A number as somebody wrote it that would be sent as another one. */
export interface InexactNumber {
  readonly written: string;
  readonly sent: string;
}

/** So much of a number is shown. */
const shownDigits = 40;

/** Says of one written number whether it would be sent as another one. */
export function inexactNumber(written: string): InexactNumber | undefined {
  const value = Number(written);
  const sent = JSON.stringify(value);
  const isSame = valueOf(written) === valueOf(sent) || isWholeOfCode(written, value);
  return isSame ? undefined : { written, sent };
}

/** The first such number of a text of JSON, comments and all. */
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

/** Why JSON with such a number cannot be taken, and what to do. */
export function inexactNumberText({ written, sent }: InexactNumber, t: Translate): string {
  const shown = shownText(written, shownDigits);
  return t(
    'The number {0} cannot be sent exactly: it would arrive as {1}. Write it as text in quotes if the schema takes text, or choose another number.',
    shown,
    sent,
  );
}

/** What a decimal number is worth, the same text however it is written. */
function valueOf(written: string): string | undefined {
  const match = /^\s*([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?\s*$/i.exec(written);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

/** Numbers may also be entered as in code: `0xff`. */
function isWholeOfCode(written: string, value: number): boolean {
  return /^\s*0[xob]/i.test(written) && Number.isSafeInteger(value);
}
