import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { looksBinary, mediaTypeOfFile } from '../../base/mediaTypes';
import { formatBytes, plainLabel } from '../../base/text/text';
import { shownPath } from '../../base/uri/fileAddress';
import { showPick } from '../rows/picks';
import type { UserAction } from '../questions/question';
import { toBase64 } from '../../contracts/modelMessages';

/** True if there is a file or folder that can be reached. */
export async function fileExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a file through the editor, which alone would read a device or a pipe for ever and hold all of what is endless:
 * rejects with a `UserError`, before anything is read, if it is neither a file nor a link to one, or larger than `most`
 * bytes.
 */
export async function readFileBytes(uri: vscode.Uri, most: number): Promise<Uint8Array> {
  const { fs } = vscode.workspace;
  refuseOthers(uri, await fs.stat(uri), most);
  const bytes = await fs.readFile(uri);
  // It may have grown, and some file systems do not know how large a file is.
  if (bytes.length > most) throw tooLarge(uri, most);
  return bytes;
}

/** Reads a text file in UTF-8; rejects as {@link readFileBytes} does. */
export async function readFileInUtf8(uri: vscode.Uri, most: number): Promise<string> {
  // Removes a byte order mark, which some editors write.
  return new TextDecoder().decode(await readFileBytes(uri, most));
}

/** The largest file of our own storage, or of the package, that is read, in bytes. */
export const maxOwnBytes = 20_000_000;

/** The largest file that is opened as a document, in bytes: the editor tells extensions of no larger one. */
export const maxDocumentBytes = 50_000_000;

/** Opens the document of a file; rejects as {@link readFileBytes} does, unless the editor has it open already. */
export async function openTextFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const { workspace } = vscode;
  const open = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open;
  // A document that another extension makes is in no file system.
  const found = await Promise.resolve(workspace.fs.stat(uri)).catch(() => undefined);
  if (found) refuseOthers(uri, found, maxDocumentBytes);
  return workspace.openTextDocument(uri);
}

/** Throws for what must not be read: a folder, what is no file, and what is larger than `most` bytes. */
function refuseOthers(uri: vscode.Uri, { type, size }: vscode.FileStat, most: number): void {
  const { FileType, FileSystemError } = vscode;
  if ((type & FileType.Directory) !== 0) throw FileSystemError.FileIsADirectory(uri);
  if ((type & FileType.File) === 0)
    throw new UserError(vscode.l10n.t('{0} is not a file.', nameOf(uri)));
  if (size > most) throw tooLarge(uri, most);
}

/** Says of a file, or of a document of it that is open, that it is larger than `most` bytes. */
export function tooLarge(uri: vscode.Uri, most: number): UserError {
  return new UserError(vscode.l10n.t('{0} is larger than {1}.', nameOf(uri), formatBytes(most)));
}

/** Returns how a file is called: in the workspace, or where it lies. */
function nameOf(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri);
  return plainLabel(path === uri.fsPath ? shownPath(uri) : path, 300);
}

const maxFiles = 5000;
const maxBytes = 20_000_000;

/** What a file gives: its text, or its bytes in base64, alone or as a `data:` URL. */
export type FileForm = 'text' | 'base64' | 'dataUrl';

/**
 * Lets the user pick a file of the workspace and returns what it gives, `undefined` if they dismissed the list; throws a
 * `UserError` if it is too long, or not text where that is wanted.
 */
export async function readWorkspaceFile(
  action: UserAction,
  form: FileForm = 'text',
): Promise<string | undefined> {
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
    title: {
      text: vscode.l10n.t("Insert a File's Text"),
      base64: vscode.l10n.t('Insert a File as Base64'),
      dataUrl: vscode.l10n.t('Insert a File as Data URL'),
    }[form],
    placeHolder: vscode.l10n.t('Select a file in the workspace'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  cancel.cancel();
  if (!picked) return undefined;
  const { uri, label } = picked;
  if (form === 'text') return readText(uri);
  const bytes = await readFileBytes(uri, maxBytes);
  const base64 = toBase64(bytes);
  return form === 'base64' ? base64 : `data:${mediaTypeOfFile(label, bytes)};base64,${base64}`;
}

async function readText(uri: vscode.Uri): Promise<string> {
  const bytes = await readFileBytes(uri, maxBytes);
  if (looksBinary(bytes))
    throw new UserError(vscode.l10n.t('{0} is not a text file.', nameOf(uri)));
  return await vscode.workspace.decode(bytes, { uri });
}
