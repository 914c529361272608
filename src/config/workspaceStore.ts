import type { Memento } from '../base/memento';
import { firstWindowFolder } from '../base/uri/firstWindowFolder';

/** What the editor gives an extension to keep things in. */
interface Stores {
  readonly globalState: Memento;
  readonly workspaceState: Memento;
  readonly storageUri: { toString(): string } | undefined;
}

/**
 * What is kept for one workspace, by the folder that the editor gives the extension there, in the store that the editor
 * keeps alike in all windows: that of the workspace itself is read once by each window. What stands there from earlier
 * is read as well.
 */
export function workspaceStore({ globalState, workspaceState, storageUri }: Stores): Memento {
  if (storageUri === undefined) return workspaceState;
  const id = firstWindowFolder(storageUri.toString());
  const keyOf = (key: string) => `${key} ${id}`;
  return {
    get: (key) => globalState.get(keyOf(key)) ?? workspaceState.get(key),
    update: (key, value) => globalState.update(keyOf(key), value),
  };
}
