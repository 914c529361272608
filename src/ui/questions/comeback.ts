import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { QuestionQueue } from './queue';
import type { KeyClock } from './stage';

/** Whoever has gone to a file or a terminal begins to type there within so many times as long as keys are ignored. */
const settleFactor = 4;

/**
 * Lets questions come back that something else has hidden. The editor does not say when its quick input
 * is free, so this goes by what happens when one has led somewhere: another editor or terminal, where
 * the user is not interrupted: `busyMs` tells for how many milliseconds more they are taken to type.
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
