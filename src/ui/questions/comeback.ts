import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { QuestionQueue } from './queue';

/**
 * Lets questions come back that something else has hidden. The editor does not say when its quick input
 * is free, so this goes by what happens when one has led somewhere: another editor or terminal.
 */
export function watchForComeback(queue: QuestionQueue): Disposable {
  const store = new DisposableStore();
  const free = () => queue.free();
  const { window } = vscode;
  store.add(window.onDidChangeActiveTextEditor(free));
  store.add(window.tabGroups.onDidChangeTabs(free));
  store.add(window.onDidChangeActiveNotebookEditor(free));
  store.add(window.onDidChangeActiveTerminal(free));
  store.add(
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) free();
    }),
  );
  return store;
}
