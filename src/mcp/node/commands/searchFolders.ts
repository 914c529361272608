import type { Environment } from './shellPath';

/** The value of a variable; Windows does not tell the case of names apart. */
export function readVariable(
  env: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** The folders of a search path, but for those that depend on where a program is started. */
export function absoluteFolders(path: string | undefined, platform: NodeJS.Platform): string[] {
  const isWindows = platform === 'win32';
  return (path ?? '')
    .split(isWindows ? ';' : ':')
    .map((folder) => (isWindows ? folder.trim().replaceAll('"', '') : folder))
    .filter((folder) => (isWindows ? /^(?:[a-z]:[\\/]|\\\\)/i : /^\//).test(folder));
}
