import type { Disposable } from '../base/disposable';
import type { FileUri } from '../base/uri/fileAddress';
import type { JsonRecords } from '../base/jsonParts';
import type { Logger } from '../base/log';
import type { Translate } from '../base/translate';
import type { SignInNetwork } from './http/reach';
import type { BrowserCallback } from './auth/authorizationUi';
import type { Fetch } from './http/secureUrl';
import type { LockNote } from './auth/tokens/renewInTurn';
import type { ServerMemory } from './lists/catalog';
import type { OwnFolders } from './ownFolders';
import type { RunSchemaTask } from './schema/validation';
import type { Confinement, StdioServerConfig } from './serverConfig';
import type { AgentPort } from './serving/agentPort';
import type { OpenTransport } from './transport/serverTransport';

/** One thing that a diagnosis found. */
export interface Finding {
  /** `bad` keeps the server from working, `note` may matter, and `good` is as it should be. */
  readonly level: 'good' | 'note' | 'bad';
  /** One line: what was checked, and the result. */
  readonly title: string;
  /** More lines, as found. */
  readonly detail?: string | undefined;
  /** What the user can do about it. */
  readonly next?: string | undefined;
}

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A file with one JSON value per line that only grows; what is older than the last rotations is discarded. */
export interface JsonLines {
  /** Resolves when the line is saved; rejects if it could not be written. */
  append(value: unknown): Promise<void>;
  /** Reads all lines, the oldest first. */
  read(): Promise<JsonRecords>;
}

/** Files that only the user who runs the editor can read. */
export interface PrivateFiles {
  /** Makes a folder, with its parents, that nobody else can look into; an existing one becomes private. */
  makeFolder(folder: FileUri): Promise<void>;
  /** Writes a file in one step, replacing an existing one; a `program` is one that the user can run. */
  write(file: FileUri, content: string | Uint8Array, kind?: 'program'): Promise<void>;
  /** The folders that we make in this one, which is ours. */
  ownFolders(folder: FileUri): OwnFolders;
  /** Opens a file, which need not exist; it is put aside once it has grown to `maxBytes`. */
  openJsonLines(file: FileUri, maxBytes: number): JsonLines;
  /** Creates a memory that keeps what was learned about servers in a folder. */
  createMemory(folder: FileUri, log: Logger): ServerMemory;
  /** Runs `work` while no other window of this editor does the same for this file, which need not exist. */
  exclusively<T>(file: FileUri, work: (note: LockNote) => Promise<T>): Promise<T>;
  /** Finds the first part of a path below `folder` that is a link out of it; `undefined` if there is none. */
  findEscape(folder: FileUri, segments: readonly string[]): Promise<string | undefined>;
}

/**
 * Files below folders whose content others have a say in, such as a repository. A path is given as its steps; where one
 * is a link that leads out of the folder, or the file itself is a link, each method rejects with a `UserError`.
 */
export interface WorkspaceFiles {
  check(folder: FileUri, path: readonly string[]): Promise<void>;
  /** `undefined` if there is no such file. Rejects if it is larger. */
  read(folder: FileUri, path: readonly string[], maxBytes: number): Promise<string | undefined>;
  /** Writes a file, and the folders above it that do not exist. */
  write(folder: FileUri, path: readonly string[], content: string | Uint8Array): Promise<void>;
  /** Removes a file, if it exists. */
  remove(folder: FileUri, path: readonly string[]): Promise<void>;
}

/** The programs and files of the machine that servers run on. */
export interface Programs {
  /** Its operating system, as Node calls it. */
  readonly system: string;
  /** The home folder of the user. */
  readonly home: string;
  /** The program that runs this process and can run JavaScript files, with the variables that it needs for that. */
  readonly runtime: Pick<StdioServerConfig, 'command' | 'env'>;
  /** The separator between the segments of a path. */
  readonly separator: '/' | '\\';
  resolve(base: string, path: string): string;
  isAbsolute(path: string): boolean;
  /** True if an absolute path is a folder or lies below it; both are compared as they are written. */
  isInside(folder: string, path: string): boolean;
  /** Returns a path with all links resolved, as far as it exists. */
  realPath(path: string): Promise<string>;
  /** Returns the variables that a process has which its configuration does not set, and the search path that finds it. */
  inherited(config: StdioServerConfig): Promise<Readonly<Record<string, string>>>;
  /** Finds the file that a command names; rejects with a `UserError` if there is none. */
  locate(config: StdioServerConfig, t?: Translate): Promise<string>;
  /** Returns how this machine confines a process that wants it; `undefined` if it does not want it, or it is impossible. */
  confine(config: StdioServerConfig): Promise<Confinement | undefined>;
  /**
   * Returns a process for another client, which knows nothing about confinement and would let it inherit all variables
   * of this process. Rejects with a `UserError` if it would not get what is configured there.
   */
  handOver(config: StdioServerConfig, t: Translate): Promise<StdioServerConfig>;
  /** Reads a text file without a detour through the window; `undefined` if there is none. Rejects if it is larger. */
  readText(file: string, maxBytes: number): Promise<string | undefined>;
  /** Reads the variables in a file of `NAME=value` lines. */
  readVariables(file: string): Promise<Readonly<Record<string, string>>>;
  /** Returns a `fetch` whose requests go to a socket or named pipe of this machine. */
  fetchOverSocket(path: string): Fetch;
  /** Checks where the program of a server is, and what it has to work with. */
  check(config: StdioServerConfig, t: Translate): Promise<readonly Finding[]>;
}

/** What the browser shows after it returns from a sign-in; plain text, in the user's language. */
export interface CallbackTexts {
  readonly done: string;
  /** For a sign-in that ended in any other way. */
  readonly failed: string;
  readonly unexpected: string;
}

/** Listens at a port of this machine, any free one unless it is given, for a browser that returns from a sign-in. */
export type ListenForCallback = (texts: CallbackTexts, port?: number) => Promise<BrowserCallback>;

/** The files by which an administrator of the machine has a say. */
export interface AdministratorFiles {
  /** Where the rules are. */
  readonly path: string;
  /** Returns the text of the rules, `undefined` if there are none. Throws if others can write them, or they are too large. */
  read(): string | undefined;
  /** Appends a line to the user's own file in a folder; rejects if it is not theirs, or cannot be written. */
  append(folder: string, line: string): Promise<void>;
}

/** What the product runs on: a machine, or the page of a browser. */
export interface Platform extends Disposable {
  /** The name of the platform, for reports. */
  readonly name: string;
  readonly env: Environment;
  /** Learns what each start of a server has to know about the machine, so that the first need not wait for it. */
  learnEnvironment(): Promise<unknown>;
  /** At most this many servers start at a time. */
  readonly parallelStarts: number;
  readonly files: PrivateFiles;
  /** `undefined` if this is no machine whose disk is read without the editor. */
  readonly workspaceFiles: WorkspaceFiles | undefined;
  /** `undefined` if no process can be started. */
  readonly programs: Programs | undefined;
  /** @param mask removes known secrets from what servers print */
  openTransports(mask: (text: string) => string): OpenTransport;
  /** `undefined` if nothing can listen. */
  readonly listenForCallback: ListenForCallback | undefined;
  /** `undefined` if no agent can come in. */
  readonly agents: AgentPort | undefined;
  /** `undefined` if nobody administers what this runs on. */
  readonly administrator: AdministratorFiles | undefined;
  readonly signInNetwork: SignInNetwork;
  readonly runSchemaTask: RunSchemaTask;
}
