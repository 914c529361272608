import type { System } from '../system';

/** The value of a variable; Windows does not tell the case of names apart. */
export function readVariable<V>(
  env: Readonly<Record<string, V>>,
  name: string,
  system: System,
): V | undefined {
  if (system !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** The folders of a search path, but for those that depend on where a program is started. */
export function absoluteFolders(path: string | undefined, system: System): string[] {
  const isWindows = system === 'win32';
  return (path ?? '')
    .split(isWindows ? ';' : ':')
    .map((folder) => (isWindows ? folder.trim().replaceAll('"', '') : folder))
    .filter((folder) => (isWindows ? /^(?:[a-z]:[\\/]|\\\\)/i : /^\//).test(folder));
}
