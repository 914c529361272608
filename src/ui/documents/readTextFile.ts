import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { looksBinary } from '../../base/mediaTypes';
import { formatBytes, plainLabel } from '../../base/text/text';
import { showPick } from '../rows/picks';
import type { UserAction } from '../questions/question';

/** True if there is a file or folder that can be reached. */
export async function fileExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Reads a text file in UTF-8 that the user chose; rejects with a `UserError` if it is larger than `most` bytes. */
export async function readChosenFile(uri: vscode.Uri, most: number): Promise<string> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > most) {
    const name = plainLabel(vscode.workspace.asRelativePath(uri));
    throw new UserError(vscode.l10n.t('{0} is larger than {1}.', name, formatBytes(most)));
  }
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

const maxFiles = 5000;
const maxBytes = 20_000_000;

/**
 * Lets the user pick a file of the workspace and returns its text, `undefined` if they dismissed the list; throws a
 * `UserError` if it is too long or not text.
 */
export async function readWorkspaceFile(action: UserAction): Promise<string | undefined> {
  const cancel = new vscode.CancellationTokenSource();
  const found = vscode.workspace.findFiles('**/*', undefined, maxFiles, cancel.token);
  const items = Promise.resolve(found).then((uris) =>
    uris.map((uri) => ({
      label: uri.path.split('/').at(-1) ?? uri.path,
      description: vscode.workspace.asRelativePath(uri),
      uri,
    })),
  );
  const picked = await showPick(action, items, {
    title: vscode.l10n.t("Insert a File's Text"),
    placeHolder: vscode.l10n.t('Select a file in the workspace'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  cancel.cancel();
  return picked && (await readText(picked.uri));
}

async function readText(uri: vscode.Uri): Promise<string> {
  const name = vscode.workspace.asRelativePath(uri);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxBytes)
    throw new UserError(
      vscode.l10n.t('{0} is {1}, which is too long for an argument.', name, formatBytes(size)),
    );
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (looksBinary(bytes)) throw new UserError(vscode.l10n.t('{0} is not a text file.', name));
  return await vscode.workspace.decode(bytes, { uri });
}
