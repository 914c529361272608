import * as vscode from 'vscode';
import { utf8 } from '../base/bytes/bytes';
import { callsExtension } from '../calls/format/calls';
import { parseCalls, type ParsedCalls } from '../calls/format/parseCalls';
import type { Snapshots } from '../calls/expect/judge';
import { replaceText } from '../ui/documents/replaceText';

/** All files of saved calls, as a glob. */
export const callsGlob = `**/*${callsExtension}`;

/** No larger file is read, in bytes. */
const maxFileBytes = 5_000_000;

/** The text of a file as it is in an editor, else as it is on disk. */
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

/** The snapshots that lie beside a file of calls. */
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

/** A range of a file as the editor has it. */
export function toRange(range: {
  readonly line: number;
  readonly character: number;
  readonly endLine: number;
  readonly endCharacter: number;
}): vscode.Range {
  return new vscode.Range(range.line, range.character, range.endLine, range.endCharacter);
}
