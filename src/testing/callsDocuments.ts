import * as vscode from 'vscode';
import { callsExtension } from '../calls/format/calls';
import { parseCalls, type ParsedCalls } from '../calls/format/parseCalls';
import { maxSnapshotBytes, type Snapshots } from '../calls/expect/judge';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';

/** The glob of all files of saved calls. */
export const callsGlob = `**/*${callsExtension}`;

/** The largest file that is read, in bytes. */
const maxFileBytes = 5_000_000;

/** Returns the text of a file as it is in an editor, or else on disk; empty if the file is too large. */
export async function readCallsText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open.getText();
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxFileBytes) return '';
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Reads a file of saved calls. */
export async function readCalls(uri: vscode.Uri): Promise<ParsedCalls> {
  return parseCalls(await readCallsText(uri));
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
