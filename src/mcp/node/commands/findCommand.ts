import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { UserError } from '../../../base/errors';
import { inEnglish, type Translate } from '../../../base/translate';
import { argumentsInCommand } from '../../launch/commandArguments';
import type { StdioServerConfig } from '../../serverConfig';
import { absoluteFolders, readVariable } from './searchPath';
import { searchEnvironment } from './serverEnvironment';
import type { Environment } from '../../platform';
import { thisSystem, type System } from '../system';

/** How a command is looked up. */
export interface CommandSearch {
  /** The folder that a path is relative to; a bare name is never looked up there. */
  readonly cwd?: string | undefined;
  readonly system?: System;
  readonly isProgram?: (file: string) => Promise<boolean>;
}

/**
 * Finds the file that a command names: the command itself if it is a path, otherwise the first file of
 * that name in the absolute folders of the search path, on Windows with one of the extensions of
 * programs. `undefined` if there is none.
 */
export async function findCommand(
  command: string,
  env: Environment,
  { cwd = '', system = thisSystem(), isProgram = isExecutable }: CommandSearch = {},
): Promise<string | undefined> {
  const path = system === 'win32' ? win32 : posix;
  const bases = isPath(command, system)
    ? [path.resolve(cwd, command)]
    : absoluteFolders(readVariable(env, 'PATH', system), system).map((folder) =>
        path.join(folder, command),
      );
  for (const base of bases) {
    for (const extension of extensions(command, env, system)) {
      const file = base + extension;
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

/**
 * Finds the file with which a server starts, on the search path of its own environment, or on ours if that has
 * none. Rejects with a `UserError` if a bare name is not found, or if the command seems to include arguments.
 */
export async function locateCommand(
  config: Pick<StdioServerConfig, 'command' | 'cwd' | 'foldersLeftOut'>,
  env: Environment,
  own: Environment,
  system: System,
  t: Translate = inEnglish,
): Promise<string> {
  const { command, cwd } = config;
  const searched = searchEnvironment(config, env, own, system);
  const found = await findCommand(command, searched, { cwd, system });
  if (found !== undefined) return found;
  const misplaced = argumentsInCommand(command, t);
  if (misplaced !== undefined) throw new UserError(misplaced);
  // The attempt to start a file tells best what is wrong with it.
  if (isPath(command, system))
    return (system === 'win32' ? win32 : posix).resolve(cwd ?? '', command);
  throw new UserError(commandNotFound(command, system, t));
}

/** Says that there is no such program. */
export function commandNotFound(command: string, system: System, t: Translate): string {
  return isPath(command, system)
    ? t(
        'The command "{0}" was not found. Correct the path in the configuration, or install the program there.',
        command,
      )
    : t(
        'The command "{0}" was not found. Install it, or give its full path in the configuration.',
        command,
      );
}

/** True for a command that is the path of a file, so that it is looked up nowhere else. */
export function isPath(command: string, system: System): boolean {
  return system === 'win32' ? /[\\/:]/.test(command) : command.includes('/');
}

function extensions(command: string, env: Environment, system: System): readonly string[] {
  if (system !== 'win32') return [''];
  const known = (readVariable(env, 'PATHEXT', system) ?? '.EXE;.CMD;.BAT;.COM')
    .split(';')
    .filter((extension) => /^\.\w+$/.test(extension));
  const { name, ext } = win32.parse(command);
  // Beside `npx.cmd`, there often is an `npx` that only other systems can run.
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
