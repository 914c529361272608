import * as vscode from 'vscode';
import type { PrivateFiles } from '../../mcp/platform';
import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import { installExtension, uninstallExtension } from '../../ui/editorCommands';
import { ContextKey } from '../../ui/ids';
import {
  companion,
  companionFiles,
  companionManifest,
  readParts,
  type WorkspaceParts,
} from './companionManifest';
import { leftPackages, newPackage } from './packageFiles';
import { createVsix } from './vsix';

const appearanceMs = 15_000;

/** The generated extension as it is installed in this profile, shared by all windows. */
export class CompanionExtension {
  private readonly folder: vscode.Uri;
  private readonly files: PrivateFiles;

  private readonly icon: vscode.Uri;

  /** @param folder where the package is written before it is installed. */
  constructor(folder: vscode.Uri, files: PrivateFiles, icon: vscode.Uri) {
    this.folder = folder;
    this.files = files;
    this.icon = icon;
  }

  get installed(): boolean {
    return vscode.extensions.getExtension(companion.id) !== undefined;
  }

  /** The entries that each workspace wants, according to the installed version. */
  get parts(): WorkspaceParts {
    return readParts(vscode.extensions.getExtension(companion.id)?.packageJSON);
  }

  /** Installs a version with these parts; resolves once the editor has it. */
  async install(parts: WorkspaceParts): Promise<void> {
    const location = vscode.ProgressLocation.Window;
    const title = vscode.l10n.t('Updating the prompts of the Command Palette…');
    await vscode.window.withProgress({ location, title }, () => this.write(parts));
  }

  private async write(parts: WorkspaceParts): Promise<void> {
    const { version, file: name } = newPackage(Date.now());
    const manifest = companionManifest(parts, version, ContextKey.palettePrompts, vscode.l10n.t);
    const file = vscode.Uri.joinPath(this.folder, name);
    const contents = {
      ...companionFiles(parts, vscode.l10n.t),
      [companion.icon]: await vscode.workspace.fs.readFile(this.icon),
    };
    await this.files.makeFolder(this.folder);
    await this.removeLeft();
    await this.files.write(file, await createVsix(manifest, contents));
    try {
      await installExtension(file);
      await appearance(() => installedVersion() >= version);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  }

  private async removeLeft(): Promise<void> {
    const { fs } = vscode.workspace;
    const names = (await fs.readDirectory(this.folder)).map(([name]) => name);
    for (const name of leftPackages(names, Date.now()))
      // Another window may have been faster.
      await fs.delete(vscode.Uri.joinPath(this.folder, name)).then(undefined, () => {});
  }

  async uninstall(): Promise<void> {
    if (!this.installed) return;
    const gone = appearance(() => !this.installed);
    try {
      await uninstallExtension(companion.id);
    } catch (error) {
      // If another window was faster, the extension is removed all the same.
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

/** Waits until the editor shows a change, since installing resolves before that; rejects with a `UserError` if it never does. */
async function appearance(seen: () => boolean): Promise<void> {
  if (seen()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(
        new UserError(
          vscode.l10n.t('The editor did not apply the change to the generated extension.'),
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
