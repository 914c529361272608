import * as vscode from 'vscode';
import { CancelledError } from '../../base/errors';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';

/**
 * Makes sure that documents end up where their paths say and that hidden ones are wanted: throws a `UserError` for a
 * link out of `folder`, and asks about names that begin with a dot, with a `CancelledError` if the user declines.
 */
export async function checkTargets(
  folder: vscode.Uri,
  paths: readonly (readonly string[])[],
  writer: WorkspaceWriter,
): Promise<void> {
  for (const path of paths) await writer.check(vscode.Uri.joinPath(folder, ...path), folder);
  const hidden = paths.filter((path) => path.some((segment) => segment.startsWith('.')));
  if (hidden.length === 0) return;
  const save = vscode.l10n.t('Save');
  const question = vscode.l10n.t(
    'Save hidden files? The editor and other programs may read them as settings.',
  );
  const detail = hidden.map((path) => path.join('/')).join('\n');
  const options = { modal: true, detail };
  if ((await vscode.window.showWarningMessage(question, options, save)) !== save)
    throw new CancelledError();
}
