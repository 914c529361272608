import * as vscode from 'vscode';
import type { Platform } from '../../mcp/platform';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { Reading } from '../reading';
import { folderFiles, type FolderFile } from './folderFiles';

/** A file that servers may be written in, with what the reading of it says of its place. */
export interface ConfigFile extends FolderFile, Pick<Reading, 'scope' | 'label' | 'folder'> {
  /** Where the file is looked for. */
  readonly base: vscode.Uri;
}

/** The files that the user wants read, from the further to the closer. */
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

/** The user's own file of the Copilot CLI, which the editor's own client reads too. */
function copilotFile({ env, programs }: Platform): readonly ConfigFile[] {
  if (!programs) return [];
  const home = env['COPILOT_HOME'] ?? programs.resolve(programs.home, '.copilot');
  if (!programs.isAbsolute(home)) return [];
  const base = vscode.Uri.file(home);
  const path = 'mcp-config.json';
  return [{ scope: 'user', label: `${path} (Copilot)`, base, path, serversKey: 'mcpServers' }];
}
