import type { ServerConfig, ServerDefinition } from '../../serverConfig';

/** The parts by which a server is recognized: how and where it is configured. */
interface MemoryKey {
  readonly config: ServerConfig;
  /** The URI of the folder, file or workspace; `undefined` if the user configured it for all workspaces. */
  readonly place: string | undefined;
  /** The folders of the window, if the configuration has variables for them. */
  readonly folders?: readonly string[];
}

/**
 * Returns the key of a server in a window with these folders; a server that is configured the same way in another
 * place, or that works on other folders, has a different key.
 */
export function memoryKey(
  { config, folder, source }: ServerDefinition,
  folders: readonly string[] = [],
): MemoryKey {
  const isOfFolders = JSON.stringify(config).includes('${workspaceFolder');
  const place = source.uri ?? folder ?? source.workspace;
  return { config, place, ...(isOfFolders && { folders }) };
}
