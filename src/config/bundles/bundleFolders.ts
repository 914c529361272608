import * as vscode from 'vscode';
import { UserError, errorMessage } from '../../base/errors';
import { sanitize } from '../../base/text/fileName';
import type { PrivateFiles } from '../../mcp/platform';
import { type ConfigLayer, type ConfigPlace, sourceKey } from '../configLayer';
import { type ZipEntry, bundleNameIn, readZipEntry } from './zip';
import type { Disposable } from '../../base/disposable';
import type { Logger } from '../../base/log';
import type { Configuration } from '../configuration';

/**
 * Removes the folder of a bundle when its server is removed from the place that it was added to, unless that place
 * still mentions it, or comes from a workspace that is not trusted.
 */
export function removeBundles(
  configuration: Pick<Configuration, 'onDidChange'>,
  {
    folders,
    textOf,
    isTrusted,
    log,
  }: {
    readonly folders: Pick<BundleFolders, 'nameIn' | 'remove'>;
    /** Reads the text of a place as it is now, whatever of it is understood. */
    readonly textOf: (layer: ConfigLayer) => Promise<string>;
    readonly isTrusted: () => boolean;
    readonly log: Logger;
  },
): Disposable {
  let known = new Map<string, readonly ConfigLayer[]>();
  const remove = async (name: string, layer: ConfigLayer) => {
    if (layer.scope !== 'user' && !isTrusted()) return;
    // A server may be gone only because its file is broken or not read, or its folder was closed.
    if (!(await textOf(layer)).includes(name)) await folders.remove(name, layer);
  };
  return configuration.onDidChange(({ servers, disabled }) => {
    const now = new Map<string, readonly ConfigLayer[]>();
    for (const { definition, layer } of [...servers, ...disabled.map(({ server }) => server)]) {
      const { config } = definition;
      const name = 'cwd' in config && config.cwd ? folders.nameIn(config.cwd) : undefined;
      if (name !== undefined) now.set(name, [...(now.get(name) ?? []), layer]);
    }
    const gone = [...known].filter(([name]) => !now.has(name));
    known = now;
    for (const [name, layers] of gone)
      for (const layer of layers)
        remove(name, layer).catch((error: unknown) =>
          log.warn(`The folder of a bundle could not be removed: ${errorMessage(error)}`),
        );
  });
}

/** The folders that bundles are unpacked into, below the extension's storage. */
export class BundleFolders {
  private readonly root: vscode.Uri;
  private readonly files: Pick<PrivateFiles, 'makeFolder' | 'write' | 'ownFolders'>;

  constructor(root: vscode.Uri, files: Pick<PrivateFiles, 'makeFolder' | 'write' | 'ownFolders'>) {
    this.root = root;
    this.files = files;
  }

  /** Returns a folder that no other bundle has; it is not created yet. */
  reserve(name: string): vscode.Uri {
    const id = crypto.randomUUID().slice(0, 8);
    return vscode.Uri.joinPath(this.root, `${sanitize(name).replaceAll(/\s+/g, '-')}-${id}`);
  }

  /**
   * Unpacks an archive into a reserved folder for the server of a place, and returns a function that removes it; if it
   * fails, nothing is left.
   */
  async unpack(
    folder: vscode.Uri,
    bytes: Uint8Array,
    entries: readonly ZipEntry[],
    place: ConfigPlace,
  ): Promise<() => Promise<void>> {
    const name = folder.path.slice(folder.path.lastIndexOf('/') + 1);
    const remove = async () => {
      await this.remove(name, place);
    };
    const made = new Set(['']);
    const makeFolder = async (path: string) => {
      if (made.has(path)) return;
      made.add(path);
      await this.files.makeFolder(vscode.Uri.joinPath(folder, path));
    };
    await this.files.makeFolder(this.root);
    await this.files.ownFolders(this.root).make(name, sourceKey(place));
    try {
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
      await remove();
      throw error;
    }
    return remove;
  }

  /** Returns the name of the bundle's folder that a path is or is in; `undefined` if it is in none. */
  nameIn(path: string): string | undefined {
    return bundleNameIn(this.root.fsPath, path);
  }

  /** Removes the folder of a bundle that was unpacked for a server of this place; leaves any other as it is. */
  remove(name: string, place: ConfigPlace): Promise<boolean> {
    return this.files.ownFolders(this.root).remove(name, sourceKey(place));
  }
}
