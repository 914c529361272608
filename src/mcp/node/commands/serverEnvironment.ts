import { isInherited } from '../../launch/inheritedVariables';
import type { Inheritance } from '../../serverConfig';
import { thisSystem, type System } from '../system';
import { absoluteFolders } from './searchPath';

type Variables = Readonly<Record<string, string | undefined>>;

/** Keeps Windows from looking for programs in the working directory before all other folders. */
const notInWorkingDirectory = 'NoDefaultCurrentDirectoryInExePath';

/**
 * Builds the environment of a server process from ours and what its configuration adds or removes.
 * What it inherits never makes it look for a program in its working directory.
 */
export function serverEnvironment(
  own: Variables,
  configured: Readonly<Record<string, string | null>>,
  inheritance: Inheritance = 'safe',
  system: System = thisSystem(),
): Record<string, string> {
  const isWindows = system === 'win32';
  const environment: Record<string, string> = isWindows ? { [notInWorkingDirectory]: '1' } : {};
  for (const [name, value] of Object.entries(own)) {
    // A value that begins with `()` is a shell function: a way to run code in a shell that reads it.
    if (value === undefined || value.startsWith('()')) continue;
    const key = name.toUpperCase();
    if (!isInherited(key, inheritance)) continue;
    const isPath = isWindows ? key === 'PATH' : name === 'PATH';
    environment[name] = isPath ? absoluteFolders(value, system).join(isWindows ? ';' : ':') : value;
  }
  for (const [name, value] of Object.entries(configured)) {
    for (const other of isWindows ? namesLike(name, environment) : [name])
      delete environment[other];
    if (value !== null) environment[name] = value;
  }
  return environment;
}

function namesLike(name: string, environment: Variables): string[] {
  const key = name.toUpperCase();
  return Object.keys(environment).filter((other) => other.toUpperCase() === key);
}
