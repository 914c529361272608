import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { parseEnv } from 'node:util';
import type { Environment, Programs } from '../platform';
import { locateCommand } from './commands/findCommand';
import { type OwnEnvironment, absoluteFolders, readVariable } from './commands/searchPath';
import { environmentOf, searchEnvironment } from './commands/serverEnvironment';
import { checkCommand } from './checkCommand';
import { isPathInside, readSmallFile, realPath } from './files/fileAccess';
import { confinedCommand } from './sandbox/confinedCommand';
import { findSandboxTool, planConfinement } from './sandbox/planConfinement';
import { socketFetch } from './socketFetch';
import { type System, ownRuntime, thisSystem, hasCode } from './system';
import { posix, win32 } from 'node:path';
import { UserError } from '../../base/errors';
import type { Translate } from '../../base/translate';
import type { StdioServerConfig } from '../serverConfig';

/**
 * Returns what another client has to set, or remove (`null`), so that a process gets `wanted` there, although it would
 * inherit all of `inherited`. Throws a `UserError` if the search path would differ from the configured one.
 */
function handedEnvironment(
  {
    configured,
    wanted,
    inherited,
  }: {
    readonly configured: StdioServerConfig['env'];
    readonly wanted: Readonly<Record<string, string>>;
    readonly inherited: Environment;
  },
  system: System,
  t: Translate,
): StdioServerConfig['env'] {
  const path = readVariable(configured, 'PATH', system);
  // The editor puts its own search path before one that it is given.
  const folders = absoluteFolders(path ?? undefined, system);
  const others = absoluteFolders(readVariable(inherited, 'PATH', system), system);
  if (typeof path === 'string' && others.some((folder) => !folders.includes(folder)))
    throw new UserError(
      t(
        'Its configuration sets PATH, and the editor’s own client would add the folders of the editor’s PATH. Only MCP Workbench can start it.',
      ),
    );
  const removed = Object.keys(inherited).filter((name) => !(name in wanted));
  const changed = Object.entries(wanted).filter(([name, value]) => inherited[name] !== value);
  return Object.fromEntries([...removed.map((name) => [name, null] as const), ...changed]);
}

/** Creates the functions for paths as an operating system writes them. */
export function createPaths(
  system: NodeJS.Platform,
): Pick<Programs, 'separator' | 'resolve' | 'isAbsolute' | 'isInside'> {
  const path = system === 'win32' ? win32 : posix;
  return {
    separator: path.sep,
    resolve: (base, below) => path.resolve(base, below),
    isAbsolute: (text) => path.isAbsolute(text),
    isInside: (folder, text) => isPathInside(folder, text, path),
  };
}

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
    async inherited(config) {
      const { env } = config;
      const own = await environment();
      const whole = environmentOf(config, own, system);
      const isSet = (name: string) => readVariable(env, name, system) !== undefined;
      const all = Object.fromEntries(Object.entries(whole).filter(([name]) => !isSet(name)));
      if (readVariable(whole, 'PATH', system) !== undefined) return all;
      const PATH = readVariable(searchEnvironment(config, whole, own, system), 'PATH', system);
      return PATH === undefined ? all : { ...all, PATH };
    },
    async locate(config, t) {
      const own = await environment();
      const env = environmentOf(config, own, system);
      return locateCommand(config, env, own, system, t);
    },
    async confine(config) {
      if (!config.sandbox) return undefined;
      const found = await (tool ??= findSandboxTool(system));
      return found && planConfinement(config, found, homedir());
    },
    async handOver(config, t) {
      const passedOn = absoluteFolders(readVariable(inherited, 'PATH', system), system);
      if (config.foldersLeftOut?.some((folder) => passedOn.includes(folder)))
        throw new UserError(
          t(
            'The editor’s own client would add folders of a workspace that is not trusted to its PATH. Only MCP Workbench can start it.',
          ),
        );
      const own = await environment();
      const whole = environmentOf(config, own, system);
      const started = await confinedCommand(config.command, config, whole, own);
      const { command, env } = started;
      // Started by the editor, it may have the terminal that the editor was started in, and could type there.
      const args =
        config.confinement?.tool === 'bwrap' ? ['--new-session', ...started.args] : started.args;
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
