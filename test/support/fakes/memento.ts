import { delay } from '../../../src/base/async';
import type { Memento } from '../../../src/base/memento';

const asJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Creates a store that works like the editor's: stored values go through JSON. */
export function createMemento(initial: Readonly<Record<string, unknown>> = {}): Memento {
  const values = new Map(Object.entries(initial));
  return {
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, asJson(value))),
  };
}

/** Creates such a store with a single value, whatever the key. */
export function createMementoOf(initial?: unknown): Memento {
  let value = initial;
  return {
    get: () => value,
    update: (_key, next) => Promise.resolve(void (value = asJson(next))),
  };
}

/**
 * Creates the stores of windows that share what they keep, as the editor has them: a window writes all of its values at once,
 * and the others have them some milliseconds later.
 */
export function createWindowStores(count: number, ms = 10): readonly Memento[] {
  const windows = Array.from({ length: count }, () => ({ values: {} as Record<string, unknown> }));
  return windows.map((own) => ({
    get: (key) => own.values[key],
    async update(key, value) {
      own.values[key] = asJson(value);
      await delay(ms);
      const written = JSON.stringify(own.values);
      await delay(ms);
      for (const other of windows)
        if (other !== own) other.values = JSON.parse(written) as Record<string, unknown>;
    },
  }));
}
