import * as vscode from 'vscode';
import type { Programs } from '../mcp/platform';
import { readFileInUtf8 } from '../ui/documents/readTextFile';
import { maxConfigBytes } from './places/folderFiles';

/**
 * Reads the text of a file; `undefined` if it does not exist. Rejects if it cannot be read, is no file, or is too large.
 * @param machine reads its own files at once; a window would take them one by one, and not while it is still opening.
 */
export async function readFileText(
  uri: vscode.Uri,
  machine?: Pick<Programs, 'readText'>,
  most = maxConfigBytes,
): Promise<string | undefined> {
  if (machine && uri.scheme === 'file') return machine.readText(uri.fsPath, most);
  try {
    return await readFileInUtf8(uri, most);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A folder counts as no file, too: a sandbox puts an empty one where no file may be made. */
function isMissing(error: unknown): boolean {
  return (
    error instanceof vscode.FileSystemError &&
    /^File(?:NotFound|NotADirectory|IsADirectory)$/.test(error.code)
  );
}
