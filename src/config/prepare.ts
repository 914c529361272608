import { homedir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import * as vscode from 'vscode';
import { errorMessage, UserError } from '../base/errors';
import type { ConnectionDeps } from '../mcp/connection';
import type { StdioServerConfig } from '../mcp/serverConfig';
import { createExpand, expandConfig } from './variables';

/** Makes the step before each start: variables get their values and paths become absolute. */
export function createPrepare(): ConnectionDeps['prepare'] {
  return async ({ config, folder }) => {
    const expand = createExpand({
      env: process.env,
      userHome: homedir(),
      pathSeparator: sep,
      workspaceFolder: (name) => folderPath(name, folder),
      input: (id) => Promise.reject(new UserError(`The input ${id} has no value.`)),
    });
    const expanded = await expandConfig(config, expand);
    if (expanded.type !== 'stdio') return { config: expanded };
    const base = folderPath(undefined, folder) ?? homedir();
    return { config: await withEnvFile(withPaths(expanded, base)) };
  };
}

/** The path of the folder called `name`; without one that of `own`, or else the first folder. */
function folderPath(name: string | undefined, own: string | undefined): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.find((one) =>
    name === undefined ? own === undefined || one.uri.toString() === own : one.name === name,
  );
  return folder?.uri.fsPath;
}

/** Makes every path absolute that is written as one; a bare command is left to the search path. */
function withPaths(config: StdioServerConfig, base: string): StdioServerConfig {
  const { command, cwd, envFile } = config;
  const directory = cwd === undefined ? base : resolve(base, cwd);
  const isPath = /[\\/]/.test(command) && !isAbsolute(command);
  return {
    ...config,
    command: isPath ? resolve(directory, command) : command,
    cwd: directory,
    ...(envFile !== undefined && { envFile: resolve(base, envFile) }),
  };
}

async function withEnvFile(config: StdioServerConfig): Promise<StdioServerConfig> {
  const { envFile, env } = config;
  if (envFile === undefined) return config;
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(envFile));
    const values = parseEnv(new TextDecoder().decode(bytes)) as Record<string, string>;
    return { ...config, env: { ...values, ...env } };
  } catch (error) {
    const reason = errorMessage(error);
    throw new UserError(
      vscode.l10n.t('The file of environment variables cannot be read: {0}', reason),
    );
  }
}
