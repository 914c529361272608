import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import type { Platform } from '../../mcp/platform';
import type { Machine } from './application';

/** Describes the machine that servers run on; throws a `UserError` if this window cannot reach its files. */
export function describeMachine({ env, programs }: Pick<Platform, 'env' | 'programs'>): Machine {
  if (!programs)
    throw new UserError(
      vscode.l10n.t(
        'This window cannot reach files of other applications. Add the servers by hand.',
      ),
    );
  const { system: platform } = programs;
  const home = programs.home.replaceAll('\\', '/');
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    uri.scheme === 'file' ? [uri.fsPath.replaceAll('\\', '/')] : [],
  );
  if (platform === 'darwin')
    return { platform, home, settings: `${home}/Library/Application Support`, folders, env };
  if (platform === 'win32')
    return { platform, home, settings: env['APPDATA'] ?? `${home}/AppData/Roaming`, folders, env };
  return {
    platform: 'linux',
    home,
    settings: env['XDG_CONFIG_HOME'] ?? `${home}/.config`,
    folders,
    env,
  };
}
