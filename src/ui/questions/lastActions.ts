import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { LastActions } from './moment';

/** Watches when the user last did something in a text editor; `noteOwn` is told of what they did with us. */
export function watchActions(
  now: () => number,
): Disposable & { readonly last: LastActions; noteOwn(): void } {
  const store = new DisposableStore();
  const last = { editor: -Infinity, ours: -Infinity };
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
      const byHand =
        kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
        kind === vscode.TextEditorSelectionChangeKind.Mouse;
      if (byHand && textEditor.document.uri.scheme !== 'output') last.editor = now();
    }),
  );
  return {
    last,
    noteOwn: () => {
      last.ours = now();
    },
    dispose: () => store.dispose(),
  };
}
