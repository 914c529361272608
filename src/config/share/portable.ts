import type { ImportedServer, McpJsonServer } from '../add/importedServer';
import type { LaunchSurroundings } from '../launch/launchSurroundings';
import { findFolder } from '../launch/resolveLaunch';
import type { PlaceValues } from '../launch/variables';
import type { LocatedDefinition } from '../mergeReadings';
import { shareable } from './shareable';

/** A configured server as it could be run from elsewhere, without its secrets. */
export interface Portable {
  readonly server: ImportedServer;
  readonly places: PlaceValues;
}

/**
 * Makes a configured server {@link Portable}, with the workspace folder as its `cwd` if it depends on that;
 * `undefined` if its entry is not a server.
 */
export function portable(
  { definition, reading }: LocatedDefinition,
  { folders, programs }: Pick<LaunchSurroundings, 'folders' | 'programs'>,
): Portable | undefined {
  const { name, folder } = definition;
  const value = reading.entries.find((one) => one.name === name)?.value;
  const found = shareable(name, value, reading.inputs);
  if (!found) return undefined;
  const isPlaced = reading.scope !== 'user' && dependsOnFolder(found.server);
  const server = isPlaced
    ? { ...found, server: { ...found.server, cwd: '${workspaceFolder}' } }
    : found;
  const places = {
    userHome: programs?.home,
    pathSeparator: programs?.separator ?? '/',
    workspaceFolder: (called?: string) => findFolder(called, folder, folders),
  };
  return { server, places };
}

/** True if a process without a `cwd` names a file by a relative path. */
function dependsOnFolder({ command, args, cwd }: McpJsonServer): boolean {
  if (command === undefined || cwd !== undefined) return false;
  return [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].some(
    (one) =>
      typeof one === 'string' &&
      /^(?:\.{1,2}[\\/]|[\w.-]+(?:\/[\w.-]+)*\.(?:[cm]?js|ts|py|sh)$)/.test(one),
  );
}
