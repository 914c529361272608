import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { formatBytes } from '../base/text/text';
import type { Programs } from '../mcp/platform';

/** The largest configuration file that is read, in bytes. */
export const maxConfigBytes = 5_000_000;

/**
 * Reads the text of a file; `undefined` if it does not exist. Rejects if it cannot be read or is too large.
 * @param machine reads its own files at once; a window would take them one by one, and not while it is still opening.
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

/** True for the error that the editor's file system throws if a file or folder does not exist. */
export function isFileMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}
