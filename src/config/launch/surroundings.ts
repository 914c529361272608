import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { locateCommand } from '../../mcp/node/commands/findCommand';
import type { OwnEnvironment } from '../../mcp/node/commands/searchPath';
import { serverEnvironment } from '../../mcp/node/commands/serverEnvironment';
import { readSmallFile } from '../../mcp/node/files/readSmallFile';
import { realPath } from '../../mcp/node/files/realPath';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { Surroundings } from './resolveLaunch';

const maxEnvFileBytes = 256_000;

/** The machine and the window as they are now; commands are looked for in `environment`. */
export function readSurroundings(environment: OwnEnvironment, markKey: string): Surroundings {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    env: process.env,
    userHome: homedir(),
    platform: process.platform,
    folders: folders.map(({ uri, name }) => ({ uri: uri.toString(), name, path: uri.fsPath })),
    isTrusted: vscode.workspace.isTrusted,
    inheritance: readSetting(Setting.inheritEnvironment),
    markKey,
    async locate(config) {
      const own = await environment();
      const env = serverEnvironment(own, config.env, config.inheritEnvironment);
      return locateCommand(config, env, own);
    },
    realPath,
    readFile: (path) => readSmallFile(path, maxEnvFileBytes),
  };
}
