import type { ServerConfig, ServerDefinition } from '../../serverConfig';

/** What a server is known again by: how and where it is configured. */
interface MemoryKey {
  readonly config: ServerConfig;
  /** The address of the folder, file or workspace; none for what the user configured for all. */
  readonly place: string | undefined;
  /** The folders of the window, where the configuration has variables for them. */
  readonly folders?: readonly string[];
}

/**
 * The key of a server in a window with these folders; one that another place configures in the same way is not it, nor
 * is one that works on other folders.
 */
export function memoryKey(
  { config, folder, source }: ServerDefinition,
  folders: readonly string[] = [],
): MemoryKey {
  const isOfFolders = JSON.stringify(config).includes('${workspaceFolder');
  const place = source.uri ?? folder ?? source.workspace;
  return { config, place, ...(isOfFolders && { folders }) };
}
