import * as vscode from 'vscode';
import type { PrivateFiles } from '../../mcp/platform';
import { UserError } from '../../base/errors';
import { isRecord } from '../../base/json';
import { maxOwnBytes, readFileBytes } from '../../ui/documents/readTextFile';
import { installExtension, uninstallExtension } from '../../ui/editorCommands';
import { ContextKey } from '../../ui/ids';
import {
  type WorkspaceParts,
  companion,
  companionFiles,
  companionManifest,
  readParts,
} from './companionManifest';
import { escapeMarkup } from '../../base/text/markdown';
import { withProgress } from '../../ui/messages';

/** The fields of an extension's manifest that its package needs. */
interface VsixManifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
}

/** Makes the package (VSIX) of an extension that consists of its manifest and of files, given by their paths in it. */
export async function createVsix(
  manifest: VsixManifest,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  return zipSync({
    '[Content_Types].xml': strToU8(contentTypes),
    'extension.vsixmanifest': strToU8(packageManifest(manifest)),
    'extension/package.json': strToU8(JSON.stringify(manifest)),
    ...Object.fromEntries(
      Object.entries(files).map(([path, content]) => [
        `extension/${path}`,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  });
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/><Default Extension=".md" ContentType="text/markdown"/><Default Extension=".png" ContentType="image/png"/></Types>
`;

function packageManifest(manifest: VsixManifest): string {
  const [name, version, publisher] = [manifest.name, manifest.version, manifest.publisher].map(
    escapeMarkup,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escapeMarkup(manifest.displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeMarkup(manifest.description)}</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
}

/** The longest time that installing one version takes: anything older was left behind by a killed window. */
const longestInstallMs = 600_000;

/** Returns a version of the generated extension, higher than all earlier ones, and the file to install it from. */
export function newPackage(now: number): { readonly version: string; readonly file: string } {
  const version = `1.0.${now}`;
  return { version, file: `${companion.name}-${version}.vsix` };
}

/** Returns those file names in a folder that windows killed during an install left behind. */
export function leftPackages(names: readonly string[], now: number): readonly string[] {
  return names.filter((name) => {
    // This includes partially written files, whose names have something after the extension.
    const [begin = '', rest] = name.split('.vsix');
    const prefix = `${companion.name}-1.0.`;
    if (rest === undefined || !begin.startsWith(prefix)) return false;
    return now - Number(begin.slice(prefix.length)) > longestInstallMs;
  });
}

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
    await withProgress({ location, title }, () => this.write(parts));
  }

  private async write(parts: WorkspaceParts): Promise<void> {
    const { version, file: name } = newPackage(Date.now());
    const manifest = companionManifest(parts, version, ContextKey.palettePrompts, vscode.l10n.t);
    const file = vscode.Uri.joinPath(this.folder, name);
    const contents = {
      ...companionFiles(parts, vscode.l10n.t),
      [companion.icon]: await readFileBytes(this.icon, maxOwnBytes),
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
