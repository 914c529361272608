import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parseEnv } from 'node:util';
import type { Environment, Programs } from '../platform';
import { locateCommand } from './commands/findCommand';
import { handedEnvironment } from './commands/handedEnvironment';
import type { OwnEnvironment } from './commands/searchPath';
import { serverEnvironment } from './commands/serverEnvironment';
import { checkCommand } from './doctor/checkCommand';
import { createPaths } from './files/nativePaths';
import { hasCode } from './files/hasCode';
import { readSmallFile } from './files/readSmallFile';
import { realPath } from './files/realPath';
import { confinedCommand } from './sandbox/confinedCommand';
import { planConfinement } from './sandbox/planConfinement';
import { findSandboxTool } from './sandbox/sandboxTool';
import { socketFetch } from './socketFetch';
import { ownRuntime, thisSystem } from './system';

const maxEnvFileBytes = 256_000;

/** Creates the programs of this machine; commands are looked up in `environment`, and other clients pass on `inherited`. */
export function createNodePrograms(
  environment: OwnEnvironment,
  system = thisSystem(),
  inherited: Environment = process.env,
): Programs {
  let tool: ReturnType<typeof findSandboxTool> | undefined;
  return {
    system,
    home: homedir(),
    runtime: ownRuntime(),
    ...createPaths(system),
    realPath,
    async locate(config, t) {
      const own = await environment();
      const env = serverEnvironment(own, config.env, config.inheritEnvironment, system);
      return locateCommand(config, env, own, system, t);
    },
    async confine(config) {
      if (!config.sandbox) return undefined;
      const found = await (tool ??= findSandboxTool(system));
      return found && planConfinement(config, found, homedir());
    },
    async handOver(config, t) {
      const own = await environment();
      const whole = serverEnvironment(own, config.env, config.inheritEnvironment, system);
      const { command, args, env } = await confinedCommand(config.command, config, whole, own);
      const variables = { configured: config.env, wanted: env, inherited };
      return { ...config, command, args, env: handedEnvironment(variables, system, t) };
    },
    readText: (file, maxBytes) =>
      readSmallFile(file, maxBytes).catch((error: unknown) => undefinedIfMissing(file, error)),
    readVariables: async (file) =>
      parseEnv(await readSmallFile(file, maxEnvFileBytes)) as Record<string, string>,
    fetchOverSocket: (path) => socketFetch(path, system),
    check: async (config, t) => checkCommand(config, await environment(), t, system),
  };
}

/** A folder counts as no file, too: a sandbox puts an empty one where no file may be made. */
async function undefinedIfMissing(file: string, error: unknown): Promise<undefined> {
  if (hasCode(error, 'ENOENT')) return;
  const found = await stat(file).catch(() => undefined);
  if (!found?.isDirectory()) throw error;
}
