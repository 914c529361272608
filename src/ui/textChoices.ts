import { plainLabel } from '../base/text';
import type { SuggestedValues } from './suggestions';

/** What a text step stands at: what is in the box, what is held beside it, what is offered. */
export interface TextStepState {
  readonly typed: string;
  /** A value that the one-line box cannot hold: with line breaks, or very long. */
  readonly held: string | undefined;
  /** The value of the last time. */
  readonly last: string | undefined;
  readonly required: boolean;
  readonly suggested: SuggestedValues;
}

/** One line to choose in a text step; choosing it answers with `value`. */
export interface TextChoice {
  readonly kind: 'typed' | 'held' | 'skip' | 'last' | 'suggested';
  readonly value: string | undefined;
}

/** The longest text that is edited in the one-line box, in UTF-16 units. */
const boxLimit = 1000;

/** True for a text that a one-line box shows as it is. */
export function fitsBox(text: string): boolean {
  return text.length <= boxLimit && !/[\r\n\u2028\u2029]/.test(text);
}

/** The choices in the order of what Enter most likely means, every value once. */
export function textChoices(state: TextStepState): readonly TextChoice[] {
  const { typed, held, last, required, suggested } = state;
  const choices: TextChoice[] = [];
  if (typed) choices.push({ kind: 'typed', value: typed });
  if (held !== undefined) choices.push({ kind: 'held', value: held });
  const known = new Set(choices.map(({ value }) => value));
  if (last !== undefined && last !== '' && !known.has(last) && last.includes(typed)) {
    choices.push({ kind: 'last', value: last });
    known.add(last);
  }
  const skip: TextChoice = { kind: 'skip', value: undefined };
  if (!typed && held === undefined && !required) choices.push(skip);
  for (const value of suggested.values) {
    if (known.has(value)) continue;
    known.add(value);
    choices.push({ kind: 'suggested', value });
  }
  if (!required && !choices.includes(skip)) choices.push(skip);
  return choices;
}

/** A text as one line of a list; `lines` and `bytes` tell what the line does not show. */
export function describeText(text: string): {
  readonly label: string;
  readonly lines: number;
  readonly bytes: number;
} {
  return {
    label: plainLabel(text.slice(0, boxLimit), 120) || '␣'.repeat(Math.min(text.length, 20)),
    lines: text.split(/\r\n|[\n\r]/).length,
    bytes: new TextEncoder().encode(text).length,
  };
}
