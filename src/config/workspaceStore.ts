import type { Memento } from '../base/memento';
import { firstWindowFolder } from '../base/uri/fileAddress';

/** The storage that the editor gives an extension. */
interface Stores {
  readonly globalState: Memento;
  readonly workspaceState: Memento;
  readonly storageUri: { toString(): string } | undefined;
}

/**
 * Returns a store for one workspace, whose keys end with the workspace's storage folder, in the global store, which the
 * editor keeps in sync between windows: each window reads the workspace's own store only once. Values that are already
 * in the workspace's own store are still read; without a storage folder, it is the only store.
 */
export function workspaceStore({ globalState, workspaceState, storageUri }: Stores): Memento {
  if (storageUri === undefined) return workspaceState;
  const id = firstWindowFolder(storageUri.toString());
  const keyOf = (key: string) => `${key} ${id}`;
  return {
    get: (key) => globalState.get(keyOf(key)) ?? workspaceState.get(key),
    update: (key, value) => globalState.update(keyOf(key), value),
    whole: globalState,
  };
}
