import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { sanitize } from '../../base/text/fileName';
import type { PrivateFiles } from '../../mcp/platform';
import { isFileMissing } from '../fileText';
import { readZipEntry, type ZipEntry } from './zip';

/** The folders that bundles are unpacked into, below the extension's storage. */
export class BundleFolders {
  private readonly root: vscode.Uri;
  private readonly files: Pick<PrivateFiles, 'makeFolder' | 'write'>;

  constructor(root: vscode.Uri, files: Pick<PrivateFiles, 'makeFolder' | 'write'>) {
    this.root = root;
    this.files = files;
  }

  /** Returns a folder that no other bundle has; it is not created yet. */
  reserve(name: string): vscode.Uri {
    const id = crypto.randomUUID().slice(0, 8);
    return vscode.Uri.joinPath(this.root, `${sanitize(name).replaceAll(/\s+/g, '-')}-${id}`);
  }

  /** Unpacks an archive into a reserved folder and returns a function that removes it; if it fails, nothing is left. */
  async unpack(
    folder: vscode.Uri,
    bytes: Uint8Array,
    entries: readonly ZipEntry[],
  ): Promise<() => Promise<void>> {
    const made = new Set<string>();
    const makeFolder = async (path: string) => {
      if (made.has(path)) return;
      made.add(path);
      await this.files.makeFolder(vscode.Uri.joinPath(folder, path));
    };
    try {
      await makeFolder('');
      for (const entry of entries) {
        const content = await readZipEntry(bytes, entry);
        if (!content)
          throw new UserError(
            vscode.l10n.t('The bundle is damaged: {0} cannot be unpacked.', entry.path),
          );
        await makeFolder(entry.path.split('/').slice(0, -1).join('/'));
        const file = vscode.Uri.joinPath(folder, entry.path);
        await this.files.write(file, content, entry.isExecutable ? 'program' : undefined);
      }
    } catch (error) {
      await this.remove(folder);
      throw error;
    }
    return () => this.remove(folder);
  }

  /** Returns the name of the bundle's folder that a path is or is in; `undefined` if it is in none. */
  nameIn(path: string): string | undefined {
    const [start, rest] = [this.root.fsPath, path.slice(this.root.fsPath.length)];
    const isBelow = path.toLowerCase().startsWith(start.toLowerCase()) && /^[\\/]/.test(rest);
    return isBelow ? rest.split(/[\\/]/)[1] : undefined;
  }

  /** Removes a folder by its name, if it exists. */
  async removeNamed(name: string): Promise<void> {
    await this.remove(vscode.Uri.joinPath(this.root, name));
  }

  private async remove(folder: vscode.Uri): Promise<void> {
    try {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    } catch (error) {
      if (!isFileMissing(error)) throw error;
    }
  }
}
