import type { Memento } from '../../base/memento';
import { firstWindowFolder } from '../../base/uri/firstWindowFolder';

/**
 * What is kept for one workspace, by the folder that the editor gives the extension there, in the store that the editor
 * keeps alike in all windows: that of the workspace itself is read once by each window. What stands there from earlier
 * is read as well.
 */
export function workspaceStore(
  stores: { readonly shared: Memento; readonly workspace: Memento },
  workspace: string | undefined,
): Memento {
  if (workspace === undefined) return stores.workspace;
  const id = firstWindowFolder(workspace);
  const keyOf = (key: string) => `${key} ${id}`;
  return {
    get: (key) => stores.shared.get(keyOf(key)) ?? stores.workspace.get(key),
    update: (key, value) => stores.shared.update(keyOf(key), value),
  };
}
