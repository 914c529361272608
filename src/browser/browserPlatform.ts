import * as vscode from 'vscode';
import type { Platform } from '../mcp/platform';
import { createTransports } from '../mcp/launch/launchKinds';
import { pageNetwork } from '../mcp/http/pageFetch';
import { browserFiles } from './browserFiles';
import { Timer, createLimiter, deferred } from '../base/async';
import type { Disposable } from '../base/disposable';
import type { PathAnswer, RunSchemaTask, SchemaVerdict } from '../mcp/schema/verdict';

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
        return (await answer) as SchemaVerdict | PathAnswer;
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
