import * as vscode from 'vscode';
import { utf8 } from '../../base/bytes/bytes';
import { sanitize } from '../../base/text/fileName';
import { plainLabel } from '../../base/text/text';

/** What is exported, as it is when the user has said where to. */
export interface ExportedText {
  readonly text: string;
  /** Says that it was saved, and how much, to the file of this name. */
  readonly told: (file: string) => string;
}

/** Asks where to save what is exported, offering a file called `name`, saves it, and says so with a button that opens it. */
export async function saveExport({
  title,
  name,
  filters,
  home,
  exported,
}: {
  readonly title: string;
  readonly name: string;
  readonly filters: Record<string, string[]>;
  /** Where files go that belong to no folder of a workspace. */
  readonly home: string | undefined;
  readonly exported: () => ExportedText | Promise<ExportedText>;
}): Promise<void> {
  const folder =
    vscode.workspace.workspaceFolders?.[0]?.uri ??
    (home === undefined ? undefined : vscode.Uri.file(home));
  const target = await vscode.window.showSaveDialog({
    title,
    filters,
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, sanitize(name)) }),
  });
  if (!target) return;
  const { text, told } = await exported();
  await vscode.workspace.fs.writeFile(target, utf8(text));
  const open = vscode.l10n.t('Open');
  const message = told(plainLabel(target.path.split('/').at(-1) ?? target.path));
  void vscode.window.showInformationMessage(message, open).then((choice) => {
    if (choice === open) void vscode.commands.executeCommand('vscode.open', target);
  });
}
