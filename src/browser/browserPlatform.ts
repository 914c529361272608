import * as vscode from 'vscode';
import type { JsonLines, Platform, PrivateFiles } from '../mcp/platform';
import { createTransports } from '../mcp/launch/launchKinds';
import { pageNetwork } from '../mcp/http/pageFetch';
import { Timer, createLimiter, deferred } from '../base/async';
import type { Disposable } from '../base/disposable';
import type { PathAnswer, RunSchemaTask, ValidationResult } from '../mcp/schema/validation';
import { utf8 } from '../base/bytes';
import { parseEach } from '../base/jsonParts';
import { createListMemory } from '../mcp/lists/listMemory';
import { createOwnFolders, ownerNote } from '../mcp/ownFolders';
import type { FileUri } from '../base/uri/fileAddress';

/** At most this many records of a log are kept; each is a file, so that no window overwrites another's. */
const maxRecords = 2000;

/** The locks that keep the windows of a browser out of each other's way. */
interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Files in the storage of the browser, which belongs only to the user and this editor. */
const browserFiles: PrivateFiles = {
  makeFolder: async (folder) => vscode.workspace.fs.createDirectory(uriOf(folder)),
  write: async (file, content) =>
    vscode.workspace.fs.writeFile(
      uriOf(file),
      typeof content === 'string' ? utf8(content) : content,
    ),
  ownFolders(folder) {
    const { fs } = vscode.workspace;
    const at = (...path: string[]) => vscode.Uri.joinPath(uriOf(folder), ...path);
    return createOwnFolders({
      kindOf: (name) =>
        Promise.resolve(fs.stat(at(name))).then(
          ({ type }) => (type === vscode.FileType.Directory ? 'folder' : 'other'),
          () => undefined,
        ),
      makeFolder: async (name) => fs.createDirectory(at(name)),
      async readNote(name, maxBytes) {
        const note = at(name, ownerNote);
        const { size } = await fs.stat(note);
        if (size > maxBytes) throw new Error('It is no note of ours.');
        return readText(note);
      },
      writeNote: async (name, text) => fs.writeFile(at(name, ownerNote), utf8(text)),
      removeAll: async (name) => fs.delete(at(name), { recursive: true }),
    });
  },
  openJsonLines: (file) => openRecords(uriOf(file)),
  createMemory(folder, log) {
    const { fs } = vscode.workspace;
    const at = (name: string) => vscode.Uri.joinPath(uriOf(folder), name);
    return createListMemory(
      {
        read: (name) => readText(at(name)),
        async write(name, text) {
          await fs.createDirectory(uriOf(folder));
          await fs.writeFile(at(name), utf8(text));
        },
        names: () => namesIn(uriOf(folder)),
        changedAt: async (name) => (await fs.stat(at(name))).mtime,
        remove: async (name) => fs.delete(at(name)),
      },
      log,
    );
  },
  exclusively(file, work) {
    const { fs } = vscode.workspace;
    const note = uriOf({ ...file, path: `${file.path}.note` });
    const run = () =>
      work({
        read: () => readText(note).catch(() => ''),
        async write(text) {
          await fs.createDirectory(vscode.Uri.joinPath(note, '..'));
          await fs.writeFile(note, utf8(text));
        },
      });
    // Not when the bundle is loaded: outside of browsers, the editor reports every access to `navigator` as a mistake.
    const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {};
    return locks ? locks.request(file.path, run) : run();
  },
  // The storage of a browser has no links.
  findEscape: () => Promise.resolve(undefined),
};

/** Opens a log of one file per record: a browser's storage cannot append, and two windows may write at the same time. */
export function openRecords(folder: vscode.Uri, most = maxRecords): JsonLines {
  const { fs } = vscode.workspace;
  const at = (name: string) => vscode.Uri.joinPath(folder, name);
  const sorted = async () => (await namesIn(folder)).toSorted();
  let last = 0;
  return {
    async append(value) {
      // Names sort by time, even if the clock stands still.
      last = Math.max(last + 1, Date.now());
      await fs.createDirectory(folder);
      await fs.writeFile(at(`${last}-${crypto.randomUUID()}.json`), utf8(JSON.stringify(value)));
      const names = await sorted();
      for (const name of names.slice(0, -most)) await fs.delete(at(name));
    },
    read: async () =>
      parseEach(await Promise.all((await sorted()).map((name) => readText(at(name))))),
  };
}

async function namesIn(folder: vscode.Uri): Promise<string[]> {
  return (await vscode.workspace.fs.readDirectory(folder).then(undefined, () => [])).map(
    ([name]) => name,
  );
}

async function readText(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

function uriOf({ scheme, authority, path }: FileUri): vscode.Uri {
  return vscode.Uri.from({ scheme, authority, path });
}

/** The part of a browser's worker that is used. */
interface BrowserWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
  postMessage(message: unknown): void;
  terminate(): void;
}

declare const Worker: new (url: string) => BrowserWorker;

const maxStartMs = 20_000;
/** By the clock, because a browser does not tell a thread's own time: as long as a busy machine may take elsewhere. */
const maxPageCheckMs = 1000;

/** The thread in which values are checked, one after another; a check that takes too long ends it. */
export class BrowserSchemas implements Disposable {
  private readonly file: string;
  private readonly checkMs: number;
  private readonly inTurn = createLimiter(1);
  private worker: BrowserWorker | undefined;

  /** @param file the address of the worker's script */
  constructor(file: string, checkMs = maxPageCheckMs) {
    this.file = file;
    this.checkMs = checkMs;
  }

  readonly run: RunSchemaTask = (task) =>
    this.inTurn(async () => {
      try {
        this.worker ??= await this.start();
        const answer = nextMessage(this.worker, this.checkMs);
        this.worker.postMessage(task);
        return (await answer) as ValidationResult | PathAnswer;
      } catch (error) {
        this.dispose();
        const reason = error instanceof OutOfTime ? 'time' : 'unavailable';
        return { kind: 'unchecked', reason, detail: String(error) };
      }
    });

  dispose(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  private async start(): Promise<BrowserWorker> {
    const worker = new Worker(this.file);
    try {
      await nextMessage(worker, maxStartMs);
      return worker;
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }
}

class OutOfTime extends Error {}

async function nextMessage(worker: BrowserWorker, limitMs: number): Promise<unknown> {
  const next = deferred<unknown>();
  const timer = new Timer(() => next.reject(new OutOfTime('It took longer than it may.')));
  worker.onmessage = ({ data }) => next.resolve(data);
  worker.onerror = ({ message }) => next.reject(new Error(message ?? 'The worker failed.'));
  timer.start(limitMs);
  try {
    return await next.promise;
  } finally {
    timer.dispose();
  }
}

/** At most this many servers start at a time; a browser does not hold more connections to one host. */
const parallelStarts = 6;

/** Creates the platform of a page in a browser; `extension` is the folder of this extension. */
export function createBrowserPlatform(extension: vscode.Uri): Platform {
  const script = vscode.Uri.joinPath(extension, 'dist', 'schemaWorker.js');
  const schemas = new BrowserSchemas(script.toString(true));
  return {
    name: 'browser',
    env: {},
    learnEnvironment: () => Promise.resolve(),
    parallelStarts,
    files: browserFiles,
    workspaceFiles: undefined,
    programs: undefined,
    openTransports: () => createTransports({}),
    listenForCallback: undefined,
    agents: undefined,
    administrator: undefined,
    signInNetwork: pageNetwork,
    runSchemaTask: schemas.run,
    dispose: () => schemas.dispose(),
  };
}
