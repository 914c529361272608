import * as vscode from 'vscode';
import { shownPath } from '../../base/uri/fileAddress';
import type { Platform } from '../../mcp/platform';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { LaunchSurroundings } from './launchSurroundings';

/** Returns the paths of the open folders while the workspace is not trusted. */
export function untrustedFolders(): readonly string[] {
  if (vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => shownPath(uri));
}

/** Returns the open folders as a launch knows them. */
export function openFolders(): LaunchSurroundings['folders'] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  // A program of Windows that is given one drive in two cases takes each of its files for two.
  return folders.map(({ uri, name }) => ({ uri: uri.toString(), name, path: shownPath(uri) }));
}

/** Reads the surroundings of a launch: the machine and the window as they are now. */
export function readSurroundings(
  { env, programs }: Pick<Platform, 'env' | 'programs'>,
  markKey: string,
): LaunchSurroundings {
  return {
    env,
    programs,
    folders: openFolders(),
    isTrusted: vscode.workspace.isTrusted,
    inheritance: readSetting(Setting.inheritEnvironment),
    markKey,
    t: vscode.l10n.t,
  };
}
