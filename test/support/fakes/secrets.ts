import type { Secrets } from '../../../src/config/inputs/inputValues';

/** Creates a secret storage that lasts as long as the test. */
export function createSecrets(stored = new Map<string, string>()): Secrets {
  return {
    get: (key) => Promise.resolve(stored.get(key)),
    store: (key, value) => Promise.resolve(void stored.set(key, value)),
    delete: (key) => Promise.resolve(void stored.delete(key)),
    keys: () => Promise.resolve([...stored.keys()]),
  };
}
