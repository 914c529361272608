import { asRecord } from '../../base/json';
import { comparedPath } from '../../base/uri/fileAddress';
import type { Environment } from '../../mcp/platform';
import type { TimeUnit } from '../../mcp/launch/ownEntry';
import type { ServerConfig } from '../../mcp/serverConfig';
import type { AdmittedServers } from '../add/admission';
import type { ImportedServer, McpJsonServer } from '../add/importedServer';
import type { TellProblem } from './serverTable';

/** Where applications keep their files on a machine, as absolute paths with `/`. */
export interface Machine {
  readonly platform: 'darwin' | 'win32' | 'linux';
  readonly home: string;
  /** The folder for application settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly settings: string;
  /** The open workspace folders. */
  readonly folders: readonly string[];
  readonly env: Environment;
  /** The editor that this runs in: its folder for the files of its user, and the address of the open workspace. */
  readonly editor?: { readonly user: string; readonly workspace?: string };
}

/** What has to be known of a disk to find files whose folders nobody can name beforehand. */
export interface Disk {
  /** Returns the text of a file; `undefined` if there is none. Rejects if it cannot be read. */
  text(path: string): Promise<string | undefined>;
  /** Returns the names of the folders in a folder, none if it does not exist. */
  folders(path: string): Promise<readonly string[]>;
}

/** A file that an application has or may have. */
export interface ApplicationFile {
  readonly path: string;
  /** What tells it from the application's other files, for people. */
  readonly note?: string;
  /** Set if the application reads another file in its place, so that only an import wants it. */
  readonly isUnread?: true;
  /** Set if servers can be written there although other files of the application exist. */
  readonly isOffered?: true;
}

/** Where a variable is used in a server's entry. */
export interface VariablePlace {
  readonly part: string;
  /** The variable or header whose value it is in; empty in other parts. */
  readonly key: string;
  /** The rest of the value. */
  readonly around: { readonly before: string; readonly after: string };
}

/** What an application's file can express of a server. */
export interface AppCapabilities {
  readonly kinds: readonly ServerConfig['type'][];
  /** The keys besides a command with arguments and variables, or a URL with headers. */
  readonly keys?: readonly string[];
  /** The keys for how long a call and a start may take, each with its unit. */
  readonly times?: Readonly<
    Partial<Record<'call' | 'start', readonly [key: string, unit: TimeUnit]>>
  >;
  /** True if it reads `timeouts` as they are written here. */
  readonly ownTimes?: true;
  /** True if the application asks for inputs as VS Code does. */
  readonly inputs?: true;
  /** Returns how an environment variable is written in that place; `undefined` if none is replaced there. */
  readonly variable: (name: string, place: VariablePlace) => string | undefined;
}

/** How servers are read from an application's file and written to it. */
export interface ServerFile {
  /** Returns the servers in the text of such a file; throws or rejects if the text cannot be read. */
  readonly read: (
    text: string,
    tell?: TellProblem,
  ) => readonly ImportedServer[] | Promise<readonly ImportedServer[]>;
  /** Reads only the servers that {@link ServerFile.write} can replace, if the file has others as well. */
  readonly readOwn?: ServerFile['read'];
  /**
   * Returns the text with servers added and all else kept; a server of the same name is replaced. Their variables must
   * already be in the form that {@link AppCapabilities.variable} returns. Throws or rejects if the text cannot be read.
   */
  readonly write: (text: string, admitted: AdmittedServers) => string | Promise<string>;
  /** Returns the text without a server, and all else kept. Throws or rejects if the text cannot be read. */
  readonly remove: (text: string, name: string) => string | Promise<string>;
}

/** Another application that servers can be imported from and exported to. */
export interface Application extends ServerFile {
  /** The application's name. */
  readonly label: string;
  /** Returns the files it may have, whether they exist or not; the user's own servers belong in the first. */
  readonly files: (machine: Machine) => readonly string[];
  /** Finds them where a look at the disk tells of more, or of which are read; the user's own servers belong in the first. */
  readonly find?: (machine: Machine, disk: Disk) => Promise<readonly ApplicationFile[]>;
  readonly carries: AppCapabilities;
}

/** Returns the files that an application has or may have, each once. */
export async function filesOf(
  { files, find }: Pick<Application, 'files' | 'find'>,
  machine: Machine,
  disk: Disk,
): Promise<readonly ApplicationFile[]> {
  const all = find ? await find(machine, disk) : files(machine).map((path) => ({ path }));
  const byPath = all.toReversed().map((file) => [comparedPath(file.path), file] as const);
  return [...new Map(byPath).values()].toReversed();
}

/** Returns the folder that an environment variable names, with `/` and none at its end; `undefined` if it names none. */
export function folderIn(env: Environment, name: string): string | undefined {
  return env[name]?.replaceAll('\\', '/').replace(/\/$/, '') || undefined;
}

/** Returns a server's entry with the application's name for its kind as the `type`. */
export function withType(
  server: McpJsonServer,
  names: Readonly<Partial<Record<ServerConfig['type'], string>>>,
): McpJsonServer {
  const name = Object.entries(names).find(([type]) => type === server['type'])?.[1];
  return name === undefined ? server : { ...server, type: name };
}

/** Returns a server's entry without its `type`, for applications that infer the kind from the rest. */
export function withoutType(server: McpJsonServer): McpJsonServer {
  return Object.fromEntries(Object.entries(server).filter(([key]) => key !== 'type'));
}

/** Returns a server's entry with its `timeouts` under the keys of an application, which has whole numbers alone. */
export function withTimes(
  { timeouts, ...entry }: McpJsonServer,
  times: AppCapabilities['times'] = {},
) {
  const { start, total } = asRecord(timeouts);
  const written = Object.entries({ start, call: total }).flatMap(([about, seconds]) => {
    const [key, unit] = times[about as keyof typeof times] ?? [];
    if (key === undefined || typeof seconds !== 'number') return [];
    return [[key, Math.ceil(unit === 'ms' ? seconds * 1000 : seconds)] as const];
  });
  return { ...entry, ...Object.fromEntries(written) };
}

/** Returns an environment variable in the notation of VS Code. */
export function editorVariable(name: string): string {
  return `\${env:${name}}`;
}

/** Returns an environment variable in the notation of a shell. */
export function shellVariable(name: string): string {
  return `\${${name}}`;
}

/** Returns `undefined`, for applications that take every text literally. */
export function noVariable(): undefined {
  return undefined;
}
