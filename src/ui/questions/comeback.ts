import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { QuestionQueue } from './queue';
import type { KeyClock } from './stage';

/** A user who has switched to a file or a terminal begins to type there within this many times `quietMs`. */
const settleFactor = 4;

/**
 * Brings back questions that something else has hidden. The editor does not say when its quick input is free, so this
 * watches for signs that it has led somewhere, such as to another editor or terminal. The user is not interrupted
 * there: `busyMs` returns for how many more milliseconds they are assumed to be typing.
 */
export function watchForComeback(
  queue: Pick<QuestionQueue, 'free'>,
  { quietMs }: Pick<KeyClock, 'quietMs'>,
  busyMs: () => number,
): Disposable {
  const store = new DisposableStore();
  const later = store.add(
    new Timer(() => {
      const ms = busyMs();
      if (ms > 0) later.start(ms);
      else queue.free();
    }),
  );
  const settle = () => later.start(settleFactor * quietMs);
  const { window } = vscode;
  store.add(window.onDidChangeActiveTextEditor(settle));
  store.add(window.tabGroups.onDidChangeTabs(settle));
  store.add(window.onDidChangeActiveNotebookEditor(settle));
  store.add(window.onDidChangeActiveTerminal(settle));
  store.add(
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) queue.free();
    }),
  );
  return store;
}
