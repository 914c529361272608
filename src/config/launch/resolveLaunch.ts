import { randomUUID } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { parseEnv } from 'node:util';
import { errorMessage, UserError } from '../../base/errors';
import { isInside } from '../../mcp/node/files/insidePath';
import type { Inheritance, ServerConfig, StdioServerConfig } from '../../mcp/serverConfig';
import type { Launch } from './launch';
import type { ConfiguredServer } from '../mergeReadings';
import { sourceKey } from '../sourceKey';
import type { Reading } from '../reading';
import { createExpand, expandConfig, type Expand } from './variables';

/** What a launch depends on beside its configuration: the machine and the window. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
  readonly folders: readonly {
    readonly uri: string;
    readonly name: string;
    readonly path: string;
  }[];
  /** False where nothing may come from the workspace. */
  readonly isTrusted: boolean;
  /** What servers inherit that do not say so themselves. */
  readonly inheritance: Inheritance;
  readonly markKey: string;
  /** The file that a command is; rejects with a `UserError` when there is none. */
  readonly locate: (config: StdioServerConfig) => Promise<string>;
  /** A path with every link on it followed, as far as it exists. */
  readonly realPath: (path: string) => Promise<string>;
  readonly readFile: (path: string) => Promise<string>;
}

/** A launch to ask about, and the way to run exactly that. */
export interface ResolvedLaunch {
  readonly launch: Launch;
  /** The inputs that decide what runs or where, so that without their values the launch is not whole. */
  readonly decisiveInputs: readonly string[];
  /** What runs: {@link Launch.config} with its inputs filled in and nothing else. */
  readonly fill: (read: (input: string) => Promise<string>) => Promise<ServerConfig>;
}

/** A launch would use what belongs to a workspace that is not trusted. */
export class UntrustedWorkspaceError extends UserError {
  /** What would come from there: a variable, or a path. */
  readonly part: string;

  constructor(part: string) {
    super(`This workspace is not trusted, and ${part} is part of it.`);
    this.part = part;
  }
}

/**
 * The launch of a server as it would be now. Variables are replaced once, here, and inputs only where
 * their value is `given`. Rejects with a `UserError` where something has no value or is not there.
 */
export async function resolveLaunch(
  { definition, reading }: ConfiguredServer,
  surroundings: Surroundings,
  given: ReadonlyMap<string, string> = new Map(),
): Promise<ResolvedLaunch> {
  // What a variable stands for may look like an input: only marks that nobody can guess become one.
  const nonce = randomUUID();
  const mark = new RegExp(`<${nonce}:([^>]*)>`, 'g');
  const { config: written, folder } = definition;
  const expand = createExpand({
    env: surroundings.env,
    userHome: surroundings.userHome,
    pathSeparator: surroundings.platform === 'win32' ? '\\' : '/',
    workspaceFolder: (name) => variableFolder(name, folder, surroundings),
    input: (id) => Promise.resolve(given.get(id) ?? `<${nonce}:${encodeURIComponent(id)}>`),
  });
  const expanded = await expandConfig(written, expand);
  const isOpen = (text: string | undefined) => text !== undefined && text.search(mark) >= 0;
  const marked =
    expanded.type === 'stdio'
      ? await complete(expanded, { base: baseOf(reading, surroundings), isOpen, surroundings })
      : expanded;
  const replace = async (text: string, value: (id: string) => Promise<string>) => {
    const ids = Array.from(text.matchAll(mark), ([, id = '']) => decodeURIComponent(id));
    const values = await Promise.all(ids.map(value));
    return text.replaceAll(mark, () => values.shift() ?? '');
  };
  const fill = (value: (id: string) => Promise<string>): Promise<ServerConfig> =>
    expandConfig(marked, ((text) => replace(text, value)) satisfies Expand);
  return {
    launch: {
      serverName: definition.name,
      place: sourceKey(reading),
      config: await fill((id) => Promise.resolve(`\${input:${id}}`)),
      written,
      markKey: surroundings.markKey,
    },
    decisiveInputs:
      marked.type === 'stdio'
        ? [marked.command, marked.cwd, marked.envFile].flatMap((text = '') =>
            Array.from(text.matchAll(mark), ([, id = '']) => decodeURIComponent(id)),
          )
        : [],
    fill,
  };
}

function variableFolder(
  name: string | undefined,
  own: string | undefined,
  { folders, isTrusted }: Surroundings,
): string | undefined {
  if (!isTrusted) throw new UntrustedWorkspaceError('${workspaceFolder}');
  return folders.find(({ uri, name: known }) =>
    name === undefined ? own === undefined || uri === own : known === name,
  )?.path;
}

/** What relative paths refer to. A user's own server has nothing to do with the folder that is open. */
function baseOf({ scope, folder }: Reading, { folders, userHome }: Surroundings): string {
  if (scope === 'user') return userHome;
  return folders.find(({ uri }) => !folder || uri === folder.uri)?.path ?? userHome;
}

/** Makes every path absolute, finds the program and reads the file of variables, where no input decides. */
async function complete(
  config: StdioServerConfig,
  context: {
    readonly base: string;
    readonly isOpen: (text: string | undefined) => boolean;
    readonly surroundings: Surroundings;
  },
): Promise<StdioServerConfig> {
  const { base, isOpen, surroundings } = context;
  const { platform, inheritance } = surroundings;
  const path = platform === 'win32' ? win32 : posix;
  const { command, cwd, envFile } = config;
  const based: StdioServerConfig = {
    ...config,
    inheritEnvironment: config.inheritEnvironment ?? inheritance,
    cwd: isOpen(cwd) ? cwd : path.resolve(base, cwd ?? ''),
    ...(envFile !== undefined && {
      envFile: isOpen(envFile) ? envFile : path.resolve(base, envFile),
    }),
  } as StdioServerConfig;
  const located =
    isOpen(command) || isOpen(cwd)
      ? based
      : { ...based, command: await surroundings.locate(based) };
  await refuseWorkspace(located, surroundings);
  return isOpen(envFile) ? located : withEnvFile(located, surroundings);
}

/** In a window that is not trusted no path leads into its workspace, through links neither. */
async function refuseWorkspace(
  { command, cwd, envFile }: StdioServerConfig,
  { isTrusted, folders, realPath, platform }: Surroundings,
): Promise<void> {
  if (isTrusted) return;
  const path = platform === 'win32' ? win32 : posix;
  const roots = await Promise.all(folders.map((folder) => realPath(folder.path)));
  for (const part of [command, cwd, envFile]) {
    if (part === undefined || !path.isAbsolute(part)) continue;
    const real = await realPath(part);
    if (roots.some((root) => isInside(root, real, path))) throw new UntrustedWorkspaceError(part);
  }
}

async function withEnvFile(
  config: StdioServerConfig,
  { readFile }: Surroundings,
): Promise<StdioServerConfig> {
  const { envFile, env } = config;
  if (envFile === undefined) return config;
  try {
    const values = parseEnv(await readFile(envFile)) as Record<string, string>;
    return { ...config, env: { ...values, ...env } };
  } catch (error) {
    throw new UserError(
      `The file of environment variables cannot be read: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}
