import { canonicalJson } from '../../base/json';
import type { PickLook } from '../rows/picks';

/** What was given in steps, and the text of a document that was used in their place and left while it was not valid. */
export interface Held<T> {
  readonly values: T;
  readonly unfinished?: string;
}

/** Returns what is held after steps: the text of the document stays until a value changes. */
export function heldAfter<T>(values: T, before: T, unfinished: string | undefined): Held<T> {
  const isOlder = canonicalJson(values) !== canonicalJson(before);
  return { values, ...(unfinished !== undefined && !isOlder && { unfinished }) };
}

/** The values of a series by the key of their step; a step that was skipped has none. */
export type StepValues<V> = ReadonlyMap<string, V>;

/** A row of each step that leads to the step with the key `to`, if it has one. */
export type StepLink = PickLook & { readonly to?: string };

/** The position of a step in its series. */
export interface StepPosition {
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  readonly canGoBack: boolean;
  /** The label of the choice that skips the next optional steps; absent if there is none. */
  readonly rest?: string;
  /** The steps at a glance; absent where a step does not show them. */
  readonly links?: readonly StepLink[];
}

/** The same with the answers so far, including the step's own last one. */
export interface StepPlace<V> extends StepPosition {
  readonly values: StepValues<V>;
  /** Receives what the step holds before it is answered, so that it can outlive the window. */
  readonly keep: (value: V) => void;
}

/**
 * How a step ended. `value` is kept whatever the kind, and `undefined` leaves the step out; `rest` skips the steps up
 * to the next one that must be answered, `leave` ends the series in favor of another way to give the values, which the
 * caller knows, and `decline` ends it because the user does not want to give any.
 */
export interface StepAnswer<V> {
  readonly kind: 'next' | 'rest' | 'back' | 'cancel' | 'leave' | 'decline';
  readonly value: V | undefined;
  /** With `back`: the key of the step to go to in place of the one before. */
  readonly to?: string;
}

/** One question of a series; `key` is unique in it. */
export interface Step<V> {
  readonly key: string;
  /** True if it must be answered. */
  readonly required?: boolean;
  /** True if it need not be answered but is still asked when the rest is skipped. */
  readonly isWanted?: boolean;
  ask(place: StepPlace<V>): Promise<StepAnswer<V>>;
}

/** How a series ended, with every value that was given until then. */
export interface StepsOutcome<V> {
  readonly kind: 'done' | 'back' | 'cancel' | 'leave' | 'decline';
  readonly values: StepValues<V>;
  /** The index of the step that was shown last. */
  readonly at: number;
}

/** How a series runs: the values and the step that it begins with, and what it offers and reports. */
export interface StepsOptions<V> {
  readonly values?: StepValues<V>;
  /** The index of the step to begin with. */
  readonly at?: number;
  /** True if the first step offers *Back*, which ends the series with `back`. */
  readonly backFromFirst?: boolean;
  /** Returns the label of the choice that skips the next steps. */
  readonly rest?: (left: LeftOut) => string;
  /** Returns the steps at a glance, with their values so far. */
  readonly links?: (values: StepValues<V>) => readonly StepLink[];
  /** Receives all values after each step, and whenever a step holds a new one, so that they can outlive the window. */
  readonly onAnswer?: (values: StepValues<V>) => void;
}

/** The steps that are skipped at once: all that follow, or those up to one that must be answered. */
export interface LeftOut {
  readonly isToEnd: boolean;
  /** The keys of those that were not shown yet and have a value from before, which is kept. */
  readonly unseen: readonly string[];
}

/** Asks the steps one after another, back and forth, and keeps every value along the way. */
export async function runSteps<V>(
  steps: readonly Step<V>[],
  { values: initial, at = 0, backFromFirst = false, rest, links, onAnswer }: StepsOptions<V> = {},
): Promise<StepsOutcome<V>> {
  const values = new Map(initial);
  let index = at;
  let shown = at;
  const seen = new Set<string>();
  for (let step = steps[index]; step; step = steps[index]) {
    const required = nextRequired(steps, index, values);
    shown = index;
    seen.add(step.key);
    const ahead = steps.slice(index + 1, required).map(({ key }) => key);
    const unseen = ahead.filter((key) => values.has(key) && !seen.has(key));
    const { kind, value, to } = await step.ask({
      number: index + 1,
      count: steps.length,
      canGoBack: index > 0 || backFromFirst,
      ...(rest &&
        !step.required &&
        ahead.length > 0 && { rest: rest({ isToEnd: required === steps.length, unseen }) }),
      ...(links && { links: links(values) }),
      values: new Map(values),
      keep: (held) => onAnswer?.(new Map(values).set(step.key, held)),
    });
    if (value === undefined) values.delete(step.key);
    else values.set(step.key, value);
    onAnswer?.(new Map(values));
    if (kind === 'rest') {
      index = nextRequired(steps, index, values);
      continue;
    }
    if (kind === 'back' && to !== undefined) {
      index = steps.findIndex(({ key }) => key === to);
      continue;
    }
    if ((kind !== 'next' && kind !== 'back') || (kind === 'back' && index === 0))
      return { kind, values, at: shown };
    index += kind === 'next' ? 1 : -1;
  }
  return { kind: 'done', values, at: shown };
}

/**
 * Returns the index of the next step that is required or wanted and has no value; the number of steps if there is none.
 */
function nextRequired<V>(steps: readonly Step<V>[], index: number, values: StepValues<V>): number {
  const found = steps.findIndex(
    ({ key, required, isWanted }, at) => at > index && (required || isWanted) && !values.has(key),
  );
  return found === -1 ? steps.length : found;
}
