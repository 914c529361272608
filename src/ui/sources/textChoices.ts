import { plainLabel } from '../../base/text/text';
import type { SuggestedValues } from '../steps/suggestions';

/** The state of a text step: what is in the box, what is held beside it, and what is offered. */
export interface TextStepState {
  readonly typed: string;
  /** A value that the one-line box cannot hold: with line breaks, or very long. */
  readonly held: string | undefined;
  /** The text that was put into the box or beside it, if the user did not type it. */
  readonly put: string | undefined;
  /** The value from last time. */
  readonly last: string | undefined;
  readonly required: boolean;
  /** The label of the choice that gets the text from elsewhere, offered before all others. */
  readonly source?: string | undefined;
  /** The label of the choice that skips more than this text. */
  readonly rest?: string | undefined;
  readonly suggested: SuggestedValues;
}

/**
 * One line to choose in a text step; choosing it answers with `value`. With `undefined`, the text is left out, which
 * `missing` does not allow.
 */
export interface TextChoice {
  readonly kind: 'source' | 'typed' | 'held' | 'last' | 'skip' | 'missing' | 'rest' | 'suggested';
  readonly value: string | undefined;
}

/** The longest text that is edited in the one-line box, in UTF-16 units. */
const boxLimit = 1000;

/** At most this many suggestions are offered at once; the protocol allows servers at most 100. */
export const maxSuggestions = 200;

/** True for a text that a one-line box shows as it is. */
export function fitsBox(text: string): boolean {
  return text.length <= boxLimit && !/[\r\n\u2028\u2029]/.test(text);
}

/**
 * Returns the choices in the order of what Enter most likely means. Their positions do not depend on what is typed,
 * because the editor reports a click by its position in a list that may be redrawn at that moment: what was put into
 * the box is left out of the other choices from the beginning, and what is typed is not.
 */
export function textChoices(state: TextStepState): readonly TextChoice[] {
  const { typed, held, put, last, required, source, rest, suggested } = state;
  const given: TextChoice[] = [];
  if (held !== undefined) given.push({ kind: 'held', value: held });
  if (last && last !== put) given.push({ kind: 'last', value: last });
  const none: TextChoice = { kind: required ? 'missing' : 'skip', value: undefined };
  const known = new Set([put, ...given.map(({ value }) => value)]);
  const values = [...new Set(suggested.values.slice(0, maxSuggestions))].filter(
    (value) => !known.has(value),
  );
  return [
    ...(source === undefined ? [] : [{ kind: 'source', value: undefined } as const]),
    ...(typed ? [{ kind: 'typed', value: typed } as const, ...given] : [...given, none]),
    ...(rest === undefined ? [] : [{ kind: 'rest', value: undefined } as const]),
    ...values.map((value) => ({ kind: 'suggested', value }) as const),
  ];
}

/**
 * Returns the choice that Enter means where nobody moved to another one: the first suggestion that begins with what was
 * typed, or else what was typed; in an empty box the first one there is, but no suggestion, which nobody chose.
 */
export function meantChoice(state: TextStepState): TextChoice | undefined {
  const choices = textChoices(state);
  const typed = state.typed.toLowerCase();
  const first = (...kinds: readonly TextChoice['kind'][]) =>
    choices.find(({ kind }) => kinds.includes(kind));
  if (typed === '') return first('held', 'last', 'skip') ?? first('source');
  // What was put into the box, or is all of a suggestion, is meant as it is.
  const isWhole = state.typed === state.put || state.suggested.values.includes(state.typed);
  const found =
    !isWhole &&
    choices.find(
      ({ kind, value }) => kind === 'suggested' && value?.toLowerCase().startsWith(typed),
    );
  return found || first('typed');
}

/** Returns a text as one line of a list; `lines` and `bytes` tell what the line does not show. */
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
