import * as vscode from 'vscode';
import { sanitize } from '../../base/text/fileName';
import { plainLabel } from '../../base/text/text';
import { askSaveAs, openFile } from '../keyboard';
import { showMessage } from '../messages';
import type { WorkspaceWriter } from './workspaceWriter';
import type { UserAction } from '../questions/question';

/** What is exported, as it is once the user has chosen where to save it. */
export interface ExportedText {
  readonly text: string;
  /** Returns the message that it was saved, and how much, to the file of this name. */
  readonly told: (file: string) => string;
}

/** Asks where to save an export, suggesting the file name `name`, saves it, and offers to open it. */
export async function saveExport(
  action: UserAction,
  exporting: {
    readonly title: string;
    readonly name: string;
    readonly filters: Record<string, string[]>;
    readonly writer: WorkspaceWriter;
    readonly exported: () => ExportedText | Promise<ExportedText>;
    /** What is offered besides opening the file. */
    readonly next?: {
      readonly title: string;
      readonly run: (file: vscode.Uri, action: UserAction) => void;
    };
  },
): Promise<void> {
  const { title, name, filters, writer, exported, next } = exporting;
  const folder =
    vscode.workspace.workspaceFolders?.[0]?.uri ??
    (writer.home === undefined ? undefined : vscode.Uri.file(writer.home));
  const target = await askSaveAs(action, {
    title,
    filters,
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, sanitize(name)) }),
  });
  if (!target) return;
  const { text, told } = await exported();
  await writer.write(target, text);
  const open = vscode.l10n.t('Open');
  const message = told(plainLabel(target.path.split('/').at(-1) ?? target.path));
  const buttons = [open, ...(next ? [next.title] : [])];
  void showMessage('info', message, ...buttons).then((pressed) => {
    if (pressed?.button === open) void openFile(target, pressed.action);
    else if (pressed) next?.run(target, pressed.action);
  });
}
