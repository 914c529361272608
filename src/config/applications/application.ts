import type { Environment } from '../../mcp/platform';
import type { ServerConfig } from '../../mcp/serverConfig';
import type { ImportedServer, McpJsonServer } from '../add/importedServer';
import type { TellProblem } from './serverTable';

/** Where applications keep their files on a machine, as absolute paths with `/`. */
export interface Machine {
  readonly platform: 'darwin' | 'win32' | 'linux';
  readonly home: string;
  /** The folder for settings of applications: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly settings: string;
  /** The open workspace folders. */
  readonly folders: readonly string[];
  readonly env: Environment;
}

/** Where a variable stands in the entry of a server. */
export interface VariablePlace {
  readonly part: string;
  /** The variable or header whose value it is in. */
  readonly key: string;
  /** What the value has beside it. */
  readonly around: { readonly before: string; readonly after: string };
}

/** What of a server an application's file can say. */
export interface Carries {
  readonly kinds: readonly ServerConfig['type'][];
  /** Those keys beside a command with arguments and variables, or a URL with headers. */
  readonly keys?: readonly string[];
  /** True where it asks for inputs as VS Code does. */
  readonly inputs?: true;
  /** What stands there for a variable of the environment; undefined where it replaces none. */
  readonly variable: (name: string, place: VariablePlace) => string | undefined;
}

/** The file of an application: how servers are read from it and written into it. */
export interface ServerFile {
  /** The servers in the text of such a file; throws or rejects when the text cannot be read. */
  readonly read: (
    text: string,
    tell?: TellProblem,
  ) => readonly ImportedServer[] | Promise<readonly ImportedServer[]>;
  /** Those of them that stand where {@link ServerFile.write} writes, where that is not all. */
  readonly readOwn?: ServerFile['read'];
  /**
   * The text with servers in it, all else kept; one that is there under a name is replaced. Their
   * variables are written as the application writes them. Throws where the text cannot be read.
   */
  readonly write: (text: string, servers: readonly ImportedServer[]) => string | Promise<string>;
}

/** Another application whose servers can be imported, and that servers can be exported to. */
export interface Application extends ServerFile {
  /** The application's name. */
  readonly label: string;
  /** The files it may have, whether they exist or not; servers of the user belong into the first. */
  readonly files: (machine: Machine) => readonly string[];
  readonly carries: Carries;
}

/** Every kind of server. */
export const allKinds = ['stdio', 'http', 'sse'] as const;

/** The entry of a server with the name that an application has for its kind. */
export function withType(
  server: McpJsonServer,
  names: Readonly<Partial<Record<ServerConfig['type'], string>>>,
): McpJsonServer {
  const name = Object.entries(names).find(([type]) => type === server['type'])?.[1];
  return name === undefined ? server : { ...server, type: name };
}

/** The entry of a server for applications that see its kind from the rest. */
export function withoutType(server: McpJsonServer): McpJsonServer {
  return Object.fromEntries(Object.entries(server).filter(([key]) => key !== 'type'));
}

/** An environment variable in the way of VS Code. */
export function editorVariable(name: string): string {
  return `\${env:${name}}`;
}

/** An environment variable in the way of a shell. */
export function shellVariable(name: string): string {
  return `\${${name}}`;
}

/** For applications that take every text as it is. */
export function noVariable(): undefined {
  return undefined;
}
