import * as vscode from 'vscode';
import type { Platform } from '../../mcp/platform';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { ConfigLayer } from '../configLayer';
import { folderFiles, type FolderFile } from './folderFiles';

/** A file that may hold servers, with what its layer says about its place. */
export interface ConfigFile extends FolderFile, Pick<ConfigLayer, 'scope' | 'label' | 'folder'> {
  /** The folder that the file's path is relative to. */
  readonly base: vscode.Uri;
}

/** Returns the files that the user wants read, from the farthest to the closest. */
export function configFiles(platform: Platform): readonly ConfigFile[] {
  const places: readonly string[] = readSetting(Setting.places);
  const own = places.includes('copilot') ? copilotFile(platform) : [];
  const inFolders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) =>
    folderFiles(places, vscode.env.remoteName).map((file): ConfigFile => ({
      scope: 'folder',
      label: `${name}/${file.path}`,
      folder: { uri: uri.toString(), name },
      base: uri,
      ...file,
    })),
  );
  return [...own, ...inFolders];
}

/** Returns the Copilot CLI's user-level file, which the editor's own client reads, too. */
function copilotFile({ env, programs }: Platform): readonly ConfigFile[] {
  if (!programs) return [];
  const home = env['COPILOT_HOME'] || programs.resolve(programs.home, '.copilot');
  if (!programs.isAbsolute(home)) return [];
  const base = vscode.Uri.file(home);
  const path = 'mcp-config.json';
  const label = `${path} (Copilot)`;
  return [{ scope: 'user', label, base, path, serversKey: 'mcpServers', timeUnit: 'ms' }];
}
