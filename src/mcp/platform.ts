import type { Disposable } from '../base/disposable';
import type { JsonRecords } from '../base/bytes/jsonRecords';
import type { Logger } from '../base/log';
import type { Translate } from '../base/translate';
import type { BrowserCallback } from './auth/authorizationUi';
import type { ServerMemory } from './connection/memory/serverMemory';
import type { Finding } from './doctor/finding';
import type { RunSchemaTask } from './schema/verdict';
import type { Confinement, StdioServerConfig } from './serverConfig';
import type { OpenTransport } from './session/serverTransport';

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a file lies, as the editor writes it. */
export interface FileUri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** The path as this machine writes it. */
  readonly fsPath: string;
}

/** A file of one JSON value a line that only grows; what is older than the last rotations is let go. */
export interface JsonLines {
  /** Resolves when the line is kept; rejects when it could not be written. */
  append(value: unknown): Promise<void>;
  /** All lines that are there, the oldest first. */
  read(): Promise<JsonRecords>;
}

/** A text that outlasts a lock, for who has it next; empty where there was none. */
export interface LockNote {
  readonly read: () => Promise<string>;
  readonly write: (text: string) => Promise<void>;
}

/** Files that nobody but the user who runs the editor can read. */
export interface PrivateFiles {
  /** Makes a folder, with those above it, that nobody else can look into; one that is there becomes such. */
  makeFolder(folder: FileUri): Promise<void>;
  /** Writes a file in one step, in place of one that is there; `program` is one that the user can run. */
  write(file: FileUri, content: string | Uint8Array, kind?: 'program'): Promise<void>;
  /** Opens a file, which need not exist; it is put aside when it has grown above `maxBytes`. */
  openJsonLines(file: FileUri, maxBytes: number): JsonLines;
  /** Keeps what was learned of servers in a folder. */
  createMemory(folder: FileUri, log: Logger): ServerMemory;
  /** Runs `work` while no other window of this editor does the same for this file, which need not exist. */
  exclusively<T>(file: FileUri, work: (note: LockNote) => Promise<T>): Promise<T>;
  /** The first part of a path below `folder` that is a link out of it, if there is one. */
  findEscape(folder: FileUri, segments: readonly string[]): Promise<string | undefined>;
}

/** What is known of the programs and files of a machine that servers run on. */
export interface Programs {
  /** Its operating system, as Node calls it. */
  readonly system: string;
  /** The home folder of the user. */
  readonly home: string;
  /** The program that runs this process and can run a file of JavaScript, with the variables that it needs for that. */
  readonly runtime: Pick<StdioServerConfig, 'command' | 'env'>;
  /** What stands between the steps of a path. */
  readonly separator: '/' | '\\';
  resolve(base: string, path: string): string;
  isAbsolute(path: string): boolean;
  /** True when an absolute path is a folder or lies below it; both are compared as they are written. */
  isInside(folder: string, path: string): boolean;
  /** A path with every link on it followed, as far as it exists. */
  realPath(path: string): Promise<string>;
  /** The file that a command is; rejects with a `UserError` when there is none. */
  locate(config: StdioServerConfig, t?: Translate): Promise<string>;
  /** How this machine confines a process that wants it; undefined where it cannot. */
  confine(config: StdioServerConfig): Promise<Confinement | undefined>;
  /**
   * A process for another client, which knows nothing of what confines it and would let it inherit all that this process
   * has. Rejects with a `UserError` where it would not get there what is configured.
   */
  handOver(config: StdioServerConfig, t: Translate): Promise<StdioServerConfig>;
  /** The text of a file, without a detour through the window; undefined where there is none. Rejects where it is larger. */
  readText(file: string, maxBytes: number): Promise<string | undefined>;
  /** The variables in a file of `NAME=value` lines. */
  readVariables(file: string): Promise<Readonly<Record<string, string>>>;
  /** Looks where the program of a server is, and what it gets to work with. */
  check(config: StdioServerConfig, t: Translate): Promise<readonly Finding[]>;
}

/** What the browser shows when it has come back; plain text, in the user's language. */
export interface CallbackTexts {
  readonly done: string;
  /** Where the sign-in ended in anything else. */
  readonly failed: string;
  readonly unexpected: string;
}

/** What the product stands on: a machine, or the page of a browser. */
export interface Platform extends Disposable {
  /** What it is, for reports. */
  readonly name: string;
  readonly env: Environment;
  /** Learns of the machine what each start of a server has to know, so that the first need not wait for it. */
  learnEnvironment(): Promise<unknown>;
  /** So many servers start at once. */
  readonly parallelStarts: number;
  readonly files: PrivateFiles;
  /** Undefined where no process can be started. */
  readonly programs: Programs | undefined;
  /** @param mask takes known secrets out of what servers print */
  openTransports(mask: (text: string) => string): OpenTransport;
  /** Listens for a browser that comes back from a sign-in; undefined where nothing can listen. */
  readonly listenForCallback: ((texts: CallbackTexts) => Promise<BrowserCallback>) | undefined;
  readonly runSchemaTask: RunSchemaTask;
}
