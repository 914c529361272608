import * as vscode from 'vscode';
import { utf8 } from '../base/bytes/bytes';
import { callsExtension } from '../calls/format/calls';
import { parseCalls, type ParsedCalls } from '../calls/format/parseCalls';
import type { Snapshots } from '../calls/expect/judge';
import { replaceText } from '../ui/documents/replaceText';

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

/** Replaces the text of a file and saves it. */
export async function writeCallsText(uri: vscode.Uri, text: string): Promise<void> {
  await replaceText(uri, () => text);
}

/** Returns functions that read and write the snapshots beside a file of calls. */
export function snapshotsBeside(file: vscode.Uri): Snapshots {
  const at = (path: string) => vscode.Uri.joinPath(file, '..', path);
  return {
    read: async (path) => {
      try {
        return new TextDecoder().decode(await vscode.workspace.fs.readFile(at(path)));
      } catch {
        return undefined;
      }
    },
    write: async (path, text) => vscode.workspace.fs.writeFile(at(path), utf8(text)),
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
