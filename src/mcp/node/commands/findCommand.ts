import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Environment } from './shellPath';

/**
 * The file that a command names: itself where it is a path, else the first of that name in the
 * search path, on Windows with one of the extensions of programs. Undefined when there is none.
 */
export async function findCommand(
  command: string,
  env: Environment,
  cwd?: string,
): Promise<string | undefined> {
  const isPath = /[\\/]/.test(command);
  const folders = isPath ? [''] : (read(env, 'PATH') ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) {
    const base = isAbsolute(command) ? command : resolve(cwd ?? '', join(folder, command));
    for (const extension of extensions(env)) {
      const file = base + extension;
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

function extensions(env: Environment): readonly string[] {
  if (process.platform !== 'win32') return [''];
  return ['', ...(read(env, 'PATHEXT') ?? '.EXE;.CMD;.BAT;.COM').split(';')];
}

/** Windows does not tell the case of names apart. */
function read(env: Environment, name: string): string | undefined {
  if (process.platform !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
