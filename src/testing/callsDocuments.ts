import * as vscode from 'vscode';
import { UserError, errorMessage } from '../base/errors';
import { callsExtension, maxCallsBytes } from '../calls/format/calls';
import { parseCalls, type ParsedCalls } from '../calls/format/parseCalls';
import { maxSnapshotBytes, type Snapshots } from '../calls/expect/judge';
import { readFileInUtf8 } from '../ui/documents/readTextFile';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';

/** The glob of all files of saved calls. */
export const callsGlob = `**/*${callsExtension}`;

/** Returns the text of a file as it is in an editor, or else on disk; rejects with a `UserError` if it is no file, or too large. */
export async function readCallsText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open.getText();
  return readFileInUtf8(uri, maxCallsBytes);
}

/** Reads a file of saved calls; why one cannot be read is a problem of its first line. */
export async function readCalls(uri: vscode.Uri): Promise<ParsedCalls> {
  try {
    return parseCalls(await readCallsText(uri));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const range = { line: 0, character: 0, endLine: 0, endCharacter: 0 };
    const message = errorMessage(error, vscode.l10n.t);
    return { file: undefined, steps: [], problems: [{ message, range }] };
  }
}

/** Returns functions that read and write the snapshots beside a file of calls. */
export function snapshotsBeside(file: vscode.Uri, writer: WorkspaceWriter): Snapshots {
  const folder = vscode.Uri.joinPath(file, '..');
  const at = (path: string) => vscode.Uri.joinPath(folder, path);
  return {
    read: (path) => writer.read(at(path), folder, maxSnapshotBytes),
    write: (path, text) => writer.write(at(path), text, folder),
  };
}

/** Converts a range of a file to one of the editor. */
export function toRange(range: {
  readonly line: number;
  readonly character: number;
  readonly endLine: number;
  readonly endCharacter: number;
}): vscode.Range {
  return new vscode.Range(range.line, range.character, range.endLine, range.endCharacter);
}
