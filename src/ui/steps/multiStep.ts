import { canonicalJson } from '../../mcp/serverConfig';

/** What was given in steps, and the text of a document in their place that was left while it could not be read. */
export interface Held<T> {
  readonly values: T;
  readonly unfinished?: string;
}

/** What is held after steps: the text of the document stays until something else is said in its place. */
export function heldAfter<T>(values: T, before: T, unfinished: string | undefined): Held<T> {
  const isOlder = canonicalJson(values) !== canonicalJson(before);
  return { values, ...(unfinished !== undefined && !isOlder && { unfinished }) };
}

/** The values of a series by the key of their step; a step that was left out has none. */
export type StepValues<V> = ReadonlyMap<string, V>;

/** Where a step stands in its series. */
export interface StepPosition {
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  readonly canGoBack: boolean;
  /** What leaves out the next optional steps is called so. */
  readonly rest?: string;
}

/** The same with what was answered so far, its own last answer included. */
export interface StepPlace<V> extends StepPosition {
  readonly values: StepValues<V>;
  /** Is given what the step holds while it is not answered yet, for what outlives the window. */
  readonly keep: (value: V) => void;
}

/**
 * How a step ended. `value` is kept whatever the kind, `undefined` leaves the step out;
 * `rest` leaves out the steps up to the next that must be answered, `leave` ends
 * the series in favour of another way to give the values, which the caller knows, and `decline`
 * because the user does not want to give any.
 */
export interface StepAnswer<V> {
  readonly kind: 'next' | 'rest' | 'back' | 'cancel' | 'leave' | 'decline';
  readonly value: V | undefined;
}

/** One question of a series; `key` is unique in it. */
export interface Step<V> {
  readonly key: string;
  /** It has to be answered. */
  readonly required?: boolean;
  /** It need not be answered, and is asked all the same where the rest is left out. */
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

/** How a series begins: the values that stand already, and where. */
export interface StepsOptions<V> {
  readonly values?: StepValues<V>;
  /** The index of the step to begin with. */
  readonly at?: number;
  /** Whether *Back* on the first step is offered, which ends the series with `back`. */
  readonly backFromFirst?: boolean;
  /** Names what leaves out the next steps. */
  readonly rest?: (left: LeftOut) => string;
  /** Is given all values after each step, and whenever one holds another, for what outlives the window. */
  readonly onAnswer?: (values: StepValues<V>) => void;
}

/** The steps that are left out at once: all that follow, or those up to one that must be answered. */
export interface LeftOut {
  readonly isToEnd: boolean;
  /** The keys of those that were not shown yet and have a value from before, which stays. */
  readonly unseen: readonly string[];
}

/** Asks the steps one after another, back and forth, and keeps every value on the way. */
export async function runSteps<V>(
  steps: readonly Step<V>[],
  { values: initial, at = 0, backFromFirst = false, rest, onAnswer }: StepsOptions<V> = {},
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
    const { kind, value } = await step.ask({
      number: index + 1,
      count: steps.length,
      canGoBack: index > 0 || backFromFirst,
      ...(rest &&
        !step.required &&
        ahead.length > 0 && { rest: rest({ isToEnd: required === steps.length, unseen }) }),
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
    if ((kind !== 'next' && kind !== 'back') || (kind === 'back' && index === 0))
      return { kind, values, at: shown };
    index += kind === 'next' ? 1 : -1;
  }
  return { kind: 'done', values, at: shown };
}

/** The index of the next step that must be answered, or is wanted, and is not yet; that behind the last one otherwise. */
function nextRequired<V>(steps: readonly Step<V>[], index: number, values: StepValues<V>): number {
  const found = steps.findIndex(
    ({ key, required, isWanted }, at) => at > index && (required || isWanted) && !values.has(key),
  );
  return found === -1 ? steps.length : found;
}
