import type { System } from '../system';

/** Returns the value of a variable; on Windows, the case of its name does not matter. */
export function readVariable<V>(
  env: Readonly<Record<string, V>>,
  name: string,
  system: System,
): V | undefined {
  if (system !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Returns the folders of a search path, except those that depend on where a program is started. */
export function absoluteFolders(path: string | undefined, system: System): string[] {
  const isWindows = system === 'win32';
  return (path ?? '')
    .split(isWindows ? ';' : ':')
    .map((folder) => (isWindows ? folder.trim().replaceAll('"', '') : folder))
    .filter((folder) => (isWindows ? /^(?:[a-z]:[\\/]|\\\\)/i : /^\//).test(folder));
}
