import * as vscode from 'vscode';
import { UnchangedFileError, UserError } from '../../base/errors';

/** Replaces the text of a file and saves it; throws a `UserError` if that fails or if `change` throws one. */
export async function replaceText(
  uri: vscode.Uri,
  change: (text: string) => string,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  edit.replace(
    uri,
    whole,
    changed(uri, () => change(document.getText())),
  );
  if (!(await vscode.workspace.applyEdit(edit)) || !(await save(document)))
    throw new UserError(vscode.l10n.t('{0} could not be written.', uri.fsPath));
}

/**
 * Saves a document and returns true if its file was written: where somebody types meanwhile, the editor says that it was
 * not saved.
 */
async function save(document: vscode.TextDocument): Promise<boolean> {
  let isWritten = false;
  const listener = vscode.workspace.onDidSaveTextDocument((saved) => {
    if (saved === document) isWritten = true;
  });
  try {
    return (await document.save()) || isWritten;
  } finally {
    listener.dispose();
  }
}

function changed(uri: vscode.Uri, change: () => string): string {
  try {
    return change();
  } catch (error) {
    throw error instanceof UserError
      ? new UnchangedFileError(uri.toString(), uri.fsPath, error)
      : error;
  }
}
