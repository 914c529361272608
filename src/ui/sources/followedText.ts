import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { showMessage } from '../messages';

/** Tells the user that the text to be replaced has changed, so that the result of `name` is in a document. */
export function sayTextChanged(name: string): void {
  void showMessage(
    'info',
    vscode.l10n.t('The selected text was changed, so the result of {0} is in a document.', name),
  );
}

/** A text in a document, or a place for one, which is found again after the text around it was edited. */
export class FollowedText implements Disposable {
  readonly document: vscode.TextDocument;
  readonly text: string;
  private readonly edits: vscode.Disposable;
  private start: number;

  constructor(document: vscode.TextDocument, range: vscode.Range) {
    this.document = document;
    this.text = document.getText(range);
    this.start = document.offsetAt(range.start);
    this.edits = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document) return;
      for (const { rangeOffset, rangeLength, text } of event.contentChanges)
        if (rangeOffset + rangeLength <= this.start) this.start += text.length - rangeLength;
    });
  }

  /** Where the text is now; `undefined` if it was edited itself or its document was closed. */
  get range(): vscode.Range | undefined {
    const { document, start, text } = this;
    if (document.isClosed) return undefined;
    const range = new vscode.Range(
      document.positionAt(start),
      document.positionAt(start + text.length),
    );
    return document.getText(range) === text ? range : undefined;
  }

  dispose(): void {
    this.edits.dispose();
  }
}
