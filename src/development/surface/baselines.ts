import * as vscode from 'vscode';
import { fingerprint, utf8 } from '../../base/bytes';
import { UserError } from '../../base/errors';
import { asRecord } from '../../base/json';
import { formatBytes, plainLabel } from '../../base/text/text';
import type { PrivateFiles } from '../../mcp/platform';
import type { Server } from '../../mcp/server';
import { readFileInUtf8 } from '../../ui/documents/readTextFile';
import { saveExport } from '../../ui/files/saveExport';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { askFile } from '../../ui/keyboard';
import type { UserAction } from '../../ui/questions/question';
import { showPick, type PickLook } from '../../ui/rows/picks';
import { hasGit, readAtRef } from '../../ui/sources/textSources';
import {
  maxSurfaceBytes,
  parseSurface,
  readSurface,
  surfaceText,
  wholeSurfaceOf,
} from './compareSurfaces';
import type { Baseline } from './surfaceHistory';

/** The largest baseline that is kept for a server, in bytes. */
export const maxBaselineBytes = 10_000_000;

/** Keeps what servers are compared with, one file for each, in a folder that is ours. */
export class Baselines {
  private readonly folder: vscode.Uri;
  private readonly files: Pick<PrivateFiles, 'makeFolder' | 'write'>;

  constructor(folder: vscode.Uri, files: Pick<PrivateFiles, 'makeFolder' | 'write'>) {
    this.folder = folder;
    this.files = files;
  }

  /** Resolves with the baseline of a server; with `undefined` if there is none that can be read. */
  async read(serverId: string): Promise<Baseline | undefined> {
    try {
      const text = await readFileInUtf8(await this.fileOf(serverId), maxBaselineBytes);
      const { label, surface } = asRecord(JSON.parse(text));
      if (typeof label !== 'string') return undefined;
      return { label, surface: readSurface(surface, label) };
    } catch {
      // No file, or a broken one: the server is compared as without.
      return undefined;
    }
  }

  /** Keeps the baseline of a server, or removes it; rejects with a `UserError` if it is too large. */
  async keep(serverId: string, baseline: Baseline | undefined): Promise<void> {
    const file = await this.fileOf(serverId);
    if (!baseline) {
      // There may be none.
      await vscode.workspace.fs.delete(file).then(undefined, () => {});
      return;
    }
    const text = JSON.stringify(baseline);
    const most = formatBytes(maxBaselineBytes);
    if (utf8(text).length > maxBaselineBytes)
      throw new UserError((t) => t('{0} is larger than {1}.', baseline.label, most));
    await this.files.makeFolder(this.folder);
    await this.files.write(file, text);
  }

  private async fileOf(serverId: string): Promise<vscode.Uri> {
    return vscode.Uri.joinPath(this.folder, `${await fingerprint(serverId)}.json`);
  }
}

interface Row extends PickLook {
  readonly take: () => Promise<Baseline | undefined>;
}

/**
 * Asks what a server is compared with from now on; resolves with `undefined` if the user dismissed that, or saved the
 * surface for later.
 */
export async function askBaseline(
  action: UserAction,
  server: Server,
  writer: WorkspaceWriter,
): Promise<Baseline | undefined> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const icon = (id: string) => new vscode.ThemeIcon(id);
  const rows: Row[] = [
    {
      label: t('How It Is Now'),
      iconPath: icon('circle-filled'),
      take: () =>
        Promise.resolve({
          label: new Date().toLocaleString(vscode.env.language),
          surface: wholeSurfaceOf(server),
        }),
    },
    {
      label: t('A Saved File…'),
      iconPath: icon('file'),
      take: async () => {
        const file = await askSurfaceFile(action);
        if (!file) return undefined;
        const label = labelOf(file);
        return { label, surface: parseSurface(await readFileInUtf8(file, maxSurfaceBytes), label) };
      },
    },
    ...(hasGit()
      ? [
          {
            label: t('A Saved File at a Branch or Tag…'),
            iconPath: icon('git-branch'),
            take: async () => {
              const file = await askSurfaceFile(action);
              const found = file && (await readAtRef(action, file));
              if (!found) return undefined;
              const label = plainLabel(`${found.ref}:${labelOf(file)}`, 100);
              return { label, surface: parseSurface(found.text, label) };
            },
          },
        ]
      : []),
    {
      label: t('Save to a File…'),
      description: t('to compare with later, here or by mcp-workbench surface'),
      iconPath: icon('save'),
      take: async () => {
        await saveSurface(action, server, writer);
        return undefined;
      },
    },
  ];
  const picked = await showPick(action, rows, { title: t('Compare {0} With', name) });
  return picked?.take();
}

function askSurfaceFile(action: UserAction): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  return askFile(action, { title: t('Compare With'), filters: { JSON: ['json'] } });
}

function labelOf(file: vscode.Uri): string {
  return plainLabel(file.path.split('/').at(-1) ?? file.path, 100);
}

async function saveSurface(
  action: UserAction,
  server: Server,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  const text = surfaceText(wholeSurfaceOf(server));
  await saveExport(action, {
    title: t('Compare With'),
    name: `${server.name}-surface.json`,
    filters: { JSON: ['json'] },
    writer,
    exported: () => ({
      text,
      told: (file) => t('Saved what {0} says of itself to {1}.', plainLabel(server.name, 60), file),
    }),
  });
}
