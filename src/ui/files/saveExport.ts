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

/** What can be done with a file that was saved. */
interface NextStep {
  readonly title: string;
  readonly run: (action: UserAction) => void;
}

/** Asks where to save an export, suggesting the file name `name`, saves it, and offers to open it. */
export async function saveExport(
  action: UserAction,
  exporting: {
    readonly title: string;
    readonly name: string;
    readonly filters: Record<string, string[]>;
    readonly writer: Pick<WorkspaceWriter, 'home' | 'write'>;
    readonly exported: () => ExportedText | Promise<ExportedText>;
    /** Returns what is offered besides opening the file, if anything is. */
    readonly nextOf?: (file: vscode.Uri) => NextStep | undefined;
  },
): Promise<void> {
  const { title, name, filters, writer, exported, nextOf } = exporting;
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
  const next = nextOf?.(target);
  const open = vscode.l10n.t('Open');
  const message = told(plainLabel(target.path.split('/').at(-1) ?? target.path));
  const buttons = [open, ...(next ? [next.title] : [])];
  void showMessage('info', message, ...buttons).then((pressed) => {
    if (pressed?.button === open) void openFile(target, pressed.action);
    else if (pressed) next?.run(pressed.action);
  });
}
