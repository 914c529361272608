import { homedir } from 'node:os';
import { errorMessage } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import { thisSystem, type System } from '../system';
import { absoluteFolders } from './searchFolders';
import type { Environment } from '../../platform';
import { readShellPath } from './shellPath';
import { findToolFolders } from './toolFolders';

/** How long a login shell is waited for, in milliseconds. */
const shellMs = 10_000;

/** Returns the variables that servers inherit from, with the search path that a terminal would have. */
export type OwnEnvironment = () => Promise<Environment>;

/**
 * Makes an {@link OwnEnvironment}, which asks the login shell (macOS, Linux) once for its search path, and
 * adds what that lacks of our own and of the folders that tools are known to use.
 */
export function createOwnEnvironment(
  log: Logger,
  env: Environment = process.env,
  home = homedir(),
  system = thisSystem(),
): OwnEnvironment {
  let known: Promise<Environment> | undefined;
  return () => (known ??= withSearchPath(log, env, home, system));
}

async function withSearchPath(
  log: Logger,
  env: Environment,
  home: string,
  system: System,
): Promise<Environment> {
  // On Windows, the search path is the same no matter where a program is started.
  if (system === 'win32') return env;
  const shell = await readShellPath(env, shellMs).catch((error: unknown) => {
    log.warn(
      `${errorMessage(error)} Servers are looked for in the editor's own search path and where tools usually are.`,
    );
    return '';
  });
  const own = env['PATH'] ?? '';
  const told = absoluteFolders(`${shell}:${own}`, system);
  const PATH = [...new Set([...told, ...(await findToolFolders(home))])].join(':');
  return { ...env, PATH };
}
