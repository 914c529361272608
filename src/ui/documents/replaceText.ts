import * as vscode from 'vscode';
import { UserError } from '../../base/errors';

/** Replaces the text of a file and saves it; throws a `UserError` where that cannot be. */
export async function replaceText(
  uri: vscode.Uri,
  change: (text: string) => string,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
  edit.replace(uri, whole, change(document.getText()));
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save()))
    throw new UserError(vscode.l10n.t('{0} could not be written.', uri.fsPath));
}
