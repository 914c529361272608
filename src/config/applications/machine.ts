import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import type { Platform } from '../../mcp/platform';
import { readFileText } from '../fileText';
import { workspaceAddress } from '../places/settingsSource';
import { folderIn, type Disk, type Machine } from './application';

/**
 * Describes the machine that servers run on, given the folder that the editor keeps for this extension; throws a
 * `UserError` if this window cannot reach its files.
 */
export function describeMachine(
  { env, programs }: Pick<Platform, 'env' | 'programs'>,
  storage: vscode.Uri,
): Machine {
  if (!programs)
    throw new UserError(
      vscode.l10n.t(
        'This window cannot reach files of other applications. Add the servers by hand.',
      ),
    );
  const { system: platform } = programs;
  const home = slashes(programs.home);
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === 'file' ? [slashes(uri.fsPath)] : [],
  );
  const [, user] = /^(.+)\/globalStorage\/[^/]+$/.exec(slashes(storage.fsPath)) ?? [];
  const common = {
    home,
    folders,
    env,
    ...(user !== undefined && { editor: { user, ...workspaceAddress() } }),
  };
  switch (platform) {
    case 'darwin':
      return { ...common, platform, settings: `${home}/Library/Application Support` };
    case 'win32':
      return {
        ...common,
        platform,
        settings: folderIn(env, 'APPDATA') ?? `${home}/AppData/Roaming`,
      };
    default:
      return {
        ...common,
        platform: 'linux',
        settings: folderIn(env, 'XDG_CONFIG_HOME') ?? `${home}/.config`,
      };
  }
}

/** The largest file of another application, in bytes: Claude Code keeps all its history beside its servers. */
const maxForeignBytes = 300_000_000;

/** The disk of this machine. */
export const thisDisk: Disk = {
  text: (path) => readFileText(vscode.Uri.file(path), undefined, maxForeignBytes),
  async folders(path) {
    const entries = vscode.workspace.fs.readDirectory(vscode.Uri.file(path));
    return (await Promise.resolve(entries).catch(() => []))
      .filter(([, type]) => type === vscode.FileType.Directory)
      .map(([name]) => name);
  },
};

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
