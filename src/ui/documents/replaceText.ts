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
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save()))
    throw new UserError(vscode.l10n.t('{0} could not be written.', uri.fsPath));
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
