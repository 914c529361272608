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
