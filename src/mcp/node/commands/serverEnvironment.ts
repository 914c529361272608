import { holdsFolders, isInherited } from '../../launch/inheritedVariables';
import type { Inheritance, StdioServerConfig } from '../../serverConfig';
import { thisSystem, type System } from '../system';
import { absoluteFolders, readVariable } from './searchPath';

type Variables = Readonly<Record<string, string | undefined>>;

/** Keeps Windows from looking for programs in the working directory before all other folders. */
const notInWorkingDirectory = 'NoDefaultCurrentDirectoryInExePath';

/**
 * Builds the environment of a server process from ours and what its configuration adds or removes.
 * What it inherits never makes it look for a program in its working directory, nor in what is `leftOut`.
 */
export function serverEnvironment(
  own: Variables,
  configured: Readonly<Record<string, string | null>>,
  inheritance: Inheritance = 'safe',
  system: System = thisSystem(),
  leftOut: readonly string[] = [],
): Record<string, string> {
  const isWindows = system === 'win32';
  const environment: Record<string, string> = isWindows ? { [notInWorkingDirectory]: '1' } : {};
  for (const [name, value] of Object.entries(own)) {
    // A value that begins with `()` is a shell function: a way to run code in a shell that reads it.
    if (value === undefined || value.startsWith('()')) continue;
    const key = name.toUpperCase();
    if (!isInherited(key, inheritance)) continue;
    const isPath = isWindows ? key === 'PATH' : name === 'PATH';
    const delimiter = isWindows ? ';' : ':';
    const inherited = isPath ? absoluteFolders(value, system).join(delimiter) : value;
    environment[name] =
      leftOut.length > 0 && holdsFolders(key)
        ? withoutFolders(inherited, delimiter, leftOut)
        : inherited;
  }
  for (const [name, value] of Object.entries(configured)) {
    for (const other of isWindows ? namesLike(name, environment) : [name])
      delete environment[other];
    if (value !== null) environment[name] = value;
  }
  return environment;
}

/** Returns the environment that a process gets, all that its configuration says about it considered. */
export function environmentOf(
  { env, inheritEnvironment, foldersLeftOut, confinement }: StdioServerConfig,
  own: Variables,
  system: System,
): Record<string, string> {
  // The address of a proxy may hold a password, and is of no use without a network.
  const inherited =
    confinement?.hasNetwork === false
      ? Object.fromEntries(Object.entries(own).filter(([name]) => !/_proxy$/i.test(name)))
      : own;
  return serverEnvironment(inherited, env, inheritEnvironment, system, foldersLeftOut);
}

/**
 * Returns the variables that programs are looked up by, and with which one that only reports something runs: those of the
 * process, or what programs need of ours if it gets no search path.
 */
export function searchEnvironment(
  { foldersLeftOut }: Pick<StdioServerConfig, 'foldersLeftOut'>,
  whole: Variables,
  own: Variables,
  system: System,
): Variables {
  const isWhole = readVariable(whole, 'PATH', system) !== undefined;
  return isWhole ? whole : serverEnvironment(own, {}, 'safe', system, foldersLeftOut);
}

/**
 * Returns with which variables a program of the system runs that is named with its folder: those that say where things
 * are and in which language, none of which has it load or look up anything else.
 */
export function toolEnvironment(
  system: System = thisSystem(),
  own: Variables = process.env,
): Record<string, string> {
  return serverEnvironment(own, { PATH: null, LC_ALL: 'C' }, 'safe', system);
}

function withoutFolders(value: string, delimiter: string, leftOut: readonly string[]): string {
  if (leftOut.includes(value)) return '';
  const kept = value.split(delimiter).filter((folder) => !leftOut.includes(folder));
  return kept.join(delimiter);
}

function namesLike(name: string, environment: Variables): string[] {
  const key = name.toUpperCase();
  return Object.keys(environment).filter((other) => other.toUpperCase() === key);
}
