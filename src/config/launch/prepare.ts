import { homedir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import * as vscode from 'vscode';
import { CancelledError, errorMessage, UserError } from '../../base/errors';
import type { ConnectionDeps } from '../../mcp/connection/connectionDeps';
import type { Inheritance, ServerConfig, StdioServerConfig } from '../../mcp/serverConfig';
import { Setting } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import type { Configuration } from '../configuration';
import type { Inputs } from './inputs';
import type { Launch } from './launch';
import { launchSecrets } from './launchSecrets';
import type { ConfiguredServer } from '../mergeReadings';
import { placeOf } from '../placeOf';
import type { Trust } from '../trust/trust';
import { createExpand, expandConfig, type VariableValues } from './variables';

/**
 * Makes the step before each start: variables get their values, paths become absolute, and what
 * comes out is only launched if it was trusted.
 */
export function createPrepare(deps: {
  readonly configuration: Configuration;
  readonly inputs: Inputs;
  readonly trust: Trust;
  readonly logs: Logs;
}): ConnectionDeps['prepare'] {
  const { configuration, inputs, trust, logs } = deps;
  return async ({ id }, signal) => {
    const server = configuration.get(id);
    if (!server) return { refused: vscode.l10n.t('It is no longer configured.') };
    const refused = await trust.check(server, await resolveLaunch(server), signal);
    if (refused !== undefined) return { refused };
    const { reading, definition } = server;
    try {
      const expanded = await expandFor(server, (input) =>
        inputs.read(reading, input, definition.name),
      );
      const config = expanded.type === 'stdio' ? await withEnvFile(expanded) : expanded;
      logs.hide(launchSecrets(config, definition.config, process.env));
      return { config };
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
      return { refused: vscode.l10n.t('A value that it needs was not given.') };
    }
  };
}

/** The launch of a server as it would be now, inputs left as they are written. */
export async function resolveLaunch(server: ConfiguredServer): Promise<Launch> {
  const { definition, reading } = server;
  return {
    serverName: definition.name,
    place: placeOf(reading),
    config: await expandFor(server, (input) => Promise.resolve(`\${input:${input}}`)),
    written: definition.config,
  };
}

async function expandFor(
  { definition: { config, folder } }: ConfiguredServer,
  input: VariableValues['input'],
): Promise<ServerConfig> {
  const expand = createExpand({
    env: process.env,
    userHome: homedir(),
    pathSeparator: sep,
    workspaceFolder: (name) => folderPath(name, folder),
    input,
  });
  const expanded = await expandConfig(config, expand);
  if (expanded.type !== 'stdio') return expanded;
  return complete(expanded, folderPath(undefined, folder) ?? homedir());
}

/** The path of the folder called `name`; without one that of `own`, or else the first folder. */
function folderPath(name: string | undefined, own: string | undefined): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = folders.find((one) =>
    name === undefined ? own === undefined || one.uri.toString() === own : one.name === name,
  );
  return folder?.uri.fsPath;
}

/** Fills in what the settings say, and makes every path absolute; a bare command is left to the search path. */
function complete(config: StdioServerConfig, base: string): StdioServerConfig {
  const { command, cwd, envFile } = config;
  const directory = cwd === undefined ? base : resolve(base, cwd);
  const isPath = /[\\/]/.test(command) && !isAbsolute(command);
  return {
    ...config,
    inheritEnvironment: config.inheritEnvironment ?? inheritance(),
    command: isPath ? resolve(directory, command) : command,
    cwd: directory,
    ...(envFile !== undefined && { envFile: resolve(base, envFile) }),
  };
}

function inheritance(): Inheritance {
  return vscode.workspace.getConfiguration().get<Inheritance>(Setting.inheritEnvironment) ?? 'safe';
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
