import * as vscode from 'vscode';
import { shownPath } from '../../base/uri/fileAddress';
import { utf8 } from '../../base/bytes';
import { UnchangedFileError, UserError } from '../../base/errors';
import type { Platform, WorkspaceFiles } from '../../mcp/platform';
import { openTextFile, readFileInUtf8 } from '../../ui/documents/readTextFile';

/** Whose a file is that lies outside of all folders of the workspace: only the user's own may be a link. */
type Owner = { readonly isOfUser: true };

/** Where a file is: in a folder that it must not leave. */
interface Place {
  readonly folder: vscode.Uri;
  readonly path: readonly string[];
}

/**
 * The only way to write a file that is not the extension's own. What a repository has in the place of a file leads
 * nothing elsewhere: links out of the folder and files that are links are refused with a `UserError`.
 */
export class WorkspaceWriter {
  /** The folder to suggest for a file if no folder is open. */
  readonly home: string | undefined;
  private readonly disk: WorkspaceFiles | undefined;

  constructor({ workspaceFiles, programs }: Pick<Platform, 'workspaceFiles' | 'programs'>) {
    this.disk = workspaceFiles;
    this.home = programs?.home;
  }

  /**
   * Rejects if a file must not be written.
   * @param base the folder that the file must not leave, for one that is in no folder of the workspace
   */
  async check(uri: vscode.Uri, base?: vscode.Uri | Owner): Promise<void> {
    const place = placeOf(uri, base);
    if (place) await this.filesOf(uri).check(place.folder, place.path);
  }

  /** Reads a text file; `undefined` if it does not exist. */
  async read(uri: vscode.Uri, base: vscode.Uri, maxBytes: number): Promise<string | undefined> {
    const { folder, path } = inside(base, uri);
    return this.filesOf(uri).read(folder, path, maxBytes);
  }

  /** Writes a file, and the folders above it that do not exist. */
  async write(
    uri: vscode.Uri,
    content: string | Uint8Array,
    base?: vscode.Uri | Owner,
  ): Promise<void> {
    const place = placeOf(uri, base);
    if (place) return this.filesOf(uri).write(place.folder, place.path, content);
    await vscode.workspace.fs.writeFile(uri, bytesOf(content));
  }

  /** Removes a file, if it exists. */
  async remove(uri: vscode.Uri, base?: vscode.Uri): Promise<void> {
    const { folder, path } = inside(base, uri);
    await this.filesOf(uri).remove(folder, path);
  }

  /**
   * Replaces the text of a file, as an editor may have it already, and saves it; rejects with a `UserError` if that
   * fails or if `change` throws one.
   */
  async replaceText(
    uri: vscode.Uri,
    change: (text: string) => string,
    base?: vscode.Uri | Owner,
  ): Promise<void> {
    await this.check(uri, base);
    const document = await openTextFile(uri);
    const edit = new vscode.WorkspaceEdit();
    const whole = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
    edit.replace(
      uri,
      whole,
      changed(uri, () => change(document.getText())),
    );
    if (!(await vscode.workspace.applyEdit(edit)) || !(await save(document)))
      throw new UserError(vscode.l10n.t('{0} could not be written.', shownPath(uri)));
  }

  /**
   * Writes a setting of the user, the workspace or a folder of it; the editor itself writes the file, through whatever
   * link is in its place.
   */
  async updateSetting(
    key: string,
    value: unknown,
    target: vscode.ConfigurationTarget,
    folder?: vscode.Uri,
  ): Promise<void> {
    const file = settingsFileOf(target, folder);
    if (file) await this.check(file, { isOfUser: true });
    await vscode.workspace.getConfiguration(undefined, folder).update(key, value, target);
  }

  private filesOf({ scheme }: vscode.Uri): WorkspaceFiles {
    return (scheme === 'file' && this.disk) || editorFiles;
  }
}

/** Returns the file of settings of a repository; `undefined` for those of the user. */
function settingsFileOf(
  target: vscode.ConfigurationTarget,
  folder: vscode.Uri | undefined,
): vscode.Uri | undefined {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (target === vscode.ConfigurationTarget.Global) return undefined;
  if (target === vscode.ConfigurationTarget.Workspace && workspaceFile) return workspaceFile;
  const root = folder ?? workspaceFolders?.[0]?.uri;
  return root && vscode.Uri.joinPath(root, '.vscode/settings.json');
}

/** Returns where a file is; `undefined` for one of the user's own, in which links are the user's, too. */
function placeOf(uri: vscode.Uri, base?: vscode.Uri | Owner): Place | undefined {
  if (base && 'isOfUser' in base)
    return vscode.workspace.getWorkspaceFolder(uri) ? inside(undefined, uri) : undefined;
  return inside(base, uri);
}

function inside(base: vscode.Uri | undefined, uri: vscode.Uri): Place {
  const open = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const folder = open ?? base ?? vscode.Uri.joinPath(uri, '..');
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  // The drive letters of Windows come in both cases.
  if (uri.path.slice(0, start.length).toLowerCase() !== start.toLowerCase())
    throw new UserError((t) =>
      t('Nothing was saved: {0}', t('{0} is not a path in the folder.', shownPath(uri))),
    );
  return { folder, path: uri.path.slice(start.length).split('/') };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? utf8(content) : content;
}

/**
 * Files that only the editor can reach, such as those of a virtual workspace: it does not tell where a link leads, so
 * none is followed.
 */
const editorFiles: WorkspaceFiles = {
  async check(folder, path) {
    let at = uriOf(folder);
    for (const segment of path) {
      at = vscode.Uri.joinPath(at, segment);
      const found = await Promise.resolve(vscode.workspace.fs.stat(at)).catch(() => undefined);
      if (!found) return;
      if ((found.type & vscode.FileType.SymbolicLink) !== 0)
        throw new UserError((t) =>
          t(
            'Nothing was saved: {0}',
            t('{0} is a link. Remove it, or choose another name.', at.path),
          ),
        );
    }
  },
  async read(folder, path, maxBytes) {
    const uri = vscode.Uri.joinPath(uriOf(folder), ...path);
    await this.check(folder, path);
    try {
      return await readFileInUtf8(uri, maxBytes);
    } catch {
      return undefined;
    }
  },
  async write(folder, path, content) {
    await this.check(folder, path);
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(uriOf(folder), ...path),
      bytesOf(content),
    );
  },
  async remove(folder, path) {
    await this.check(folder, path);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(uriOf(folder), ...path));
  },
};

function uriOf({ scheme, authority, path }: Pick<vscode.Uri, 'scheme' | 'authority' | 'path'>) {
  return vscode.Uri.from({ scheme, authority, path });
}

/**
 * Saves a document and returns true if its file was written: where somebody types meanwhile, the editor says that it was
 * not saved.
 */
async function save(document: vscode.TextDocument): Promise<boolean> {
  let isWritten = false;
  const listener = vscode.workspace.onDidSaveTextDocument((saved) => {
    if (saved === document) isWritten = true;
  });
  try {
    return (await document.save()) || isWritten;
  } finally {
    listener.dispose();
  }
}

function changed(uri: vscode.Uri, change: () => string): string {
  try {
    return change();
  } catch (error) {
    throw error instanceof UserError
      ? new UnchangedFileError(uri.toString(), shownPath(uri), error)
      : error;
  }
}
