import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { UserError } from '../../../base/errors';
import { inEnglish, type Translate } from '../../../base/translate';
import { argumentsInCommand } from '../../launch/argumentsInCommand';
import type { StdioServerConfig } from '../../serverConfig';
import { absoluteFolders, readVariable } from './searchFolders';
import type { Environment } from '../../platform';
import { thisSystem, type System } from '../system';

/** Where a command is looked for. */
export interface CommandSearch {
  /** What a path is relative to; a bare name is never looked for there. */
  readonly cwd?: string | undefined;
  readonly system?: System;
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
 * The file that a server starts as: found with the search path of its own environment, or ours where
 * that has none. Rejects with a `UserError` when a bare name is in neither, or a whole command line is none.
 */
export async function locateCommand(
  { command, cwd }: Pick<StdioServerConfig, 'command' | 'cwd'>,
  env: Environment,
  own: Environment,
  system: System,
  t: Translate = inEnglish,
): Promise<string> {
  const searched = readVariable(env, 'PATH', system) === undefined ? own : env;
  const found = await findCommand(command, searched, { cwd, system });
  if (found !== undefined) return found;
  const misplaced = argumentsInCommand(command, t);
  if (misplaced !== undefined) throw new UserError(misplaced);
  // The attempt to start it says best what is wrong with a file.
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

/** True for a command that names its file, so that it is looked for nowhere else. */
export function isPath(command: string, system: System): boolean {
  return system === 'win32' ? /[\\/:]/.test(command) : command.includes('/');
}

function extensions(command: string, env: Environment, system: System): readonly string[] {
  if (system !== 'win32') return [''];
  const known = (readVariable(env, 'PATHEXT', system) ?? '.EXE;.CMD;.BAT;.COM')
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
