import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { UserError } from '../../../base/errors';
import type { StdioServerConfig } from '../../serverConfig';
import { absoluteFolders, readVariable } from './searchFolders';
import type { Environment } from './shellPath';

/** Where a command is looked for. */
export interface CommandSearch {
  /** What a path is relative to; a bare name is never looked for there. */
  readonly cwd?: string | undefined;
  readonly platform?: NodeJS.Platform;
  readonly isProgram?: (file: string) => Promise<boolean>;
}

/**
 * The file that a command names: itself where it is a path, else the first of that name in the
 * absolute folders of the search path, on Windows with one of the extensions of programs. Undefined
 * when there is none.
 */
export async function findCommand(
  command: string,
  env: Environment,
  { cwd = '', platform = process.platform, isProgram = isExecutable }: CommandSearch = {},
): Promise<string | undefined> {
  const path = platform === 'win32' ? win32 : posix;
  const bases = isPath(command, platform)
    ? [path.resolve(cwd, command)]
    : absoluteFolders(readVariable(env, 'PATH', platform), platform).map((folder) =>
        path.join(folder, command),
      );
  for (const base of bases) {
    for (const extension of extensions(command, env, platform)) {
      const file = base + extension;
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

/**
 * The file that a server starts as: found with the search path of its own environment, or ours where
 * that has none. Rejects with a `UserError` when a bare name is in neither.
 */
export async function locateCommand(
  { command, cwd }: Pick<StdioServerConfig, 'command' | 'cwd'>,
  env: Environment,
  own: Environment,
): Promise<string> {
  const { platform } = process;
  const searched = readVariable(env, 'PATH', platform) === undefined ? own : env;
  const found = await findCommand(command, searched, { cwd, platform });
  if (found !== undefined) return found;
  // The attempt to start it says best what is wrong with a file.
  if (isPath(command, platform))
    return (platform === 'win32' ? win32 : posix).resolve(cwd ?? '', command);
  throw new UserError(commandNotFound(command));
}

/** Says that there is no such program; `folder` is named where it may be missing instead. */
export function commandNotFound(command: string, folder?: string): string {
  const or = folder ? `, or its folder ${folder} does not exist` : '';
  return `The command "${command}" was not found${or}. Install it, or give its full path in the configuration.`;
}

function isPath(command: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' ? /[\\/:]/.test(command) : command.includes('/');
}

function extensions(
  command: string,
  env: Environment,
  platform: NodeJS.Platform,
): readonly string[] {
  if (platform !== 'win32') return [''];
  const known = (readVariable(env, 'PATHEXT', platform) ?? '.EXE;.CMD;.BAT;.COM')
    .split(';')
    .filter((extension) => /^\.\w+$/.test(extension));
  const { name, ext } = win32.parse(command);
  // Beside `npx.cmd` there often stands an `npx`, which only other systems can run.
  return name !== '' && ext !== '' ? ['', ...known] : known;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
