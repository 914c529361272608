import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { formatBytes } from '../base/text/text';
import type { Programs } from '../mcp/platform';

/** The largest file of a configuration that is read, in bytes. */
export const maxConfigBytes = 5_000_000;

/**
 * The text of a file; undefined where there is none. Rejects where it cannot be read or is too large.
 * @param machine reads files of its own at once; through the window each waits until that has time, which it has not while it opens.
 */
export async function readFileText(
  uri: vscode.Uri,
  machine?: Pick<Programs, 'readText'>,
): Promise<string | undefined> {
  if (machine && uri.scheme === 'file') return machine.readText(uri.fsPath, maxConfigBytes);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxConfigBytes)
      throw new UserError(vscode.l10n.t('it is larger than {0}.', formatBytes(maxConfigBytes)));
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

/** True for what the editor's file system throws where a file or folder is not there. */
export function isFileMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}
