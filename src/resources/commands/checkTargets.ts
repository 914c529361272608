import * as vscode from 'vscode';
import { CancelledError, UserError } from '../../base/errors';
import type { PrivateFiles } from '../../mcp/platform';

/**
 * Makes sure that documents end up where their paths say and that hidden ones are wanted: throws a `UserError` for a
 * link out of `folder`, and asks about names that begin with a dot, with a `CancelledError` if the user declines.
 */
export async function checkTargets(
  folder: vscode.Uri,
  paths: readonly (readonly string[])[],
  files: PrivateFiles,
): Promise<void> {
  for (const path of paths) {
    const escape = await files.findEscape(folder, path);
    if (escape !== undefined)
      throw new UserError(
        vscode.l10n.t('Nothing was saved: {0} is a link that leads out of the folder.', escape),
      );
  }
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
