import type { TreeView } from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { Event } from '../base/event';
import type { Logger } from '../base/log';
import type { PendingWork } from '../base/async';
import type { TreeNode } from '../ui/tree';

/** Expands the rows that a tree finds; those that it finds while its view is hidden, once that is shown. */
export function openFoundRows(
  view: Pick<TreeView<TreeNode>, 'visible' | 'onDidChangeVisibility' | 'reveal'>,
  onDidFind: Event<TreeNode>,
  log: Pick<Logger, 'debug'>,
  opening: Pick<PendingWork, 'track'>,
): Disposable {
  const found = new Set<TreeNode>();
  const open = () => {
    if (!view.visible) return;
    for (const node of found)
      // The row may be gone by the time the editor looks for it.
      opening
        .track(Promise.resolve(view.reveal(node, { select: false, expand: true })))
        .catch((error: unknown) => log.debug(errorDetail(error)));
    found.clear();
  };
  const store = new DisposableStore();
  store.add(
    onDidFind((node) => {
      found.add(node);
      open();
    }),
  );
  store.add(view.onDidChangeVisibility(open));
  return store;
}
