import * as vscode from 'vscode';
import { makePrivateFolder, writePrivateFile } from '../../mcp/node/files/privateFiles';
import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import { installExtension, uninstallExtension } from '../../ui/editorCommands';
import { ContextKey } from '../../ui/ids';
import { companion, companionManifest, readParts, type WorkspaceParts } from './companionManifest';
import { createVsix } from './vsix';

const appearanceMs = 15_000;

/** The generated extension as it is installed in this profile, shared by all windows. */
export class CompanionExtension {
  private readonly folder: vscode.Uri;

  /** @param folder where the package is written before it is installed. */
  constructor(folder: vscode.Uri) {
    this.folder = folder;
  }

  get installed(): boolean {
    return vscode.extensions.getExtension(companion.id) !== undefined;
  }

  /** What every workspace wants, as the installed version says. */
  get parts(): WorkspaceParts {
    return readParts(vscode.extensions.getExtension(companion.id)?.packageJSON);
  }

  /** Installs a version with these parts and resolves when its entries are there. */
  async install(parts: WorkspaceParts): Promise<void> {
    const version = `1.0.${Date.now()}`;
    const manifest = companionManifest(parts, version, ContextKey.palettePrompts);
    const file = vscode.Uri.joinPath(this.folder, `${companion.name}-${version}.vsix`);
    await makePrivateFolder(this.folder.fsPath);
    await writePrivateFile(file.fsPath, await createVsix(manifest));
    try {
      await installExtension(file);
      await appearance(() => installedVersion() >= version);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  }

  async uninstall(): Promise<void> {
    if (!this.installed) return;
    const gone = appearance(() => !this.installed);
    try {
      await uninstallExtension(companion.id);
    } catch (error) {
      // Where another window was faster, it goes all the same.
      await gone.catch(() => {
        throw error;
      });
    }
    await gone;
  }
}

function installedVersion(): string {
  const manifest: unknown = vscode.extensions.getExtension(companion.id)?.packageJSON;
  return isRecord(manifest) && 'version' in manifest ? String(manifest['version']) : '';
}

/** Installing resolves before the extension is seen, so the change is waited for. */
async function appearance(seen: () => boolean): Promise<void> {
  if (seen()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(
        new UserError(
          vscode.l10n.t('The editor did not take over the change of the generated extension.'),
        ),
      );
    }, appearanceMs);
    const subscription = vscode.extensions.onDidChange(() => {
      if (!seen()) return;
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    });
  });
}
