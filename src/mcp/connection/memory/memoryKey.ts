import type { ServerConfig, ServerDefinition } from '../../serverConfig';

/** What a server is known again by: how and where it is configured. */
interface MemoryKey {
  readonly config: ServerConfig;
  /** The address of the folder, file or workspace; none for what the user configured for all. */
  readonly place: string | undefined;
}

/** The key of a server; one that another place configures in the same way is not it. */
export function memoryKey({ config, folder, source }: ServerDefinition): MemoryKey {
  return { config, place: source.uri ?? folder ?? source.workspace };
}
