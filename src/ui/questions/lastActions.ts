import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { chatInputScheme } from '../editorChat';
import type { LastActions } from './moment';

/** Watches when the user last did something in a text editor or the chat; `noteOwn` records what they do with us. */
export function watchActions(
  now: () => number,
): Disposable & { readonly last: LastActions; noteOwn(): void } {
  const store = new DisposableStore();
  let editor = -Infinity;
  let chat = -Infinity;
  let ours = -Infinity;
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
      const byHand =
        kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
        kind === vscode.TextEditorSelectionChangeKind.Mouse;
      if (byHand && textEditor.document.uri.scheme !== 'output') editor = now();
    }),
  );
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== chatInputScheme) return;
      // An empty box means that nobody is writing: the message was sent.
      const isEmpty = document.lineCount === 1 && document.lineAt(0).text === '';
      chat = isEmpty ? -Infinity : now();
    }),
  );
  return {
    last: {
      get elsewhere() {
        return Math.max(editor, chat);
      },
      get ours() {
        return ours;
      },
    },
    noteOwn: () => {
      ours = now();
    },
    dispose: () => store.dispose(),
  };
}
