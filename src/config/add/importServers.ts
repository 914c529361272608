import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { lineOf } from './addServers';
import type { ImportedServer } from './importedServer';
import type { ImportSource, Machine } from '../importers/importSource';
import { importSources } from '../importers/importSources';

interface FoundFile {
  readonly source: ImportSource;
  readonly path: string;
  readonly servers: readonly ImportedServer[];
  /** Why the file could not be read. */
  readonly problem?: string;
}

interface Item extends vscode.QuickPickItem {
  readonly found?: ImportedServer;
}

/** Shows the servers of all other applications of the machine and returns those that were checked. */
export async function askImports(): Promise<readonly ImportedServer[]> {
  const machine = describeMachine();
  const files = await Promise.all(importSources.map((source) => readFiles(source, machine)));
  const found = files.flat();
  const missing = importSources.filter((source) => found.every((file) => file.source !== source));
  const items = found.flatMap(itemsOf);
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import Servers'),
    placeHolder: vscode.l10n.t('Check those that shall be added'),
    prompt: vscode.l10n.t('Nothing found of: {0}', missing.map(({ label }) => label).join(', ')),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (picked ?? []).flatMap((item) => item.found ?? []);
}

async function readFiles(source: ImportSource, machine: Machine): Promise<FoundFile[]> {
  const files = await Promise.all(
    source.files(machine).map(async (path): Promise<FoundFile[]> => {
      let bytes: Uint8Array;
      try {
        bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(path));
      } catch {
        // Most people have few of these applications.
        return [];
      }
      try {
        return [{ source, path, servers: await source.read(new TextDecoder().decode(bytes)) }];
      } catch (error) {
        return [{ source, path, servers: [], problem: errorMessage(error) }];
      }
    }),
  );
  return files.flat();
}

function itemsOf({ source, path, servers, problem }: FoundFile): Item[] {
  const heading = { label: source.label, kind: vscode.QuickPickItemKind.Separator };
  if (problem !== undefined)
    return [
      heading,
      {
        label: vscode.l10n.t('$(warning) The file cannot be read'),
        description: plainLabel(path),
        detail: plainLabel(problem),
      },
    ];
  return [
    heading,
    ...servers.map((found) => ({
      label: plainLabel(found.name),
      description: plainLabel(path),
      detail: lineOf(found),
      found,
    })),
  ];
}

function describeMachine(): Machine {
  const home = homedir().replaceAll('\\', '/');
  const { platform, env } = process;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.path);
  if (platform === 'darwin')
    return { platform, home, settings: `${home}/Library/Application Support`, folders };
  if (platform === 'win32')
    return { platform, home, settings: env['APPDATA'] ?? `${home}/AppData/Roaming`, folders };
  return {
    platform: 'linux',
    home,
    settings: env['XDG_CONFIG_HOME'] ?? `${home}/.config`,
    folders,
  };
}
