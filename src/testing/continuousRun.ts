import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { CallsFile } from '../calls/format/calls';
import type { Server } from '../mcp/server';
import { type CallsRunDeps, runRequest } from './callsRuns';
import { serverOf } from './sessions';

/** What may be part of a run: a file of saved calls, and the server that it is for. */
export interface RunPart {
  readonly file: string;
  /** Its id; `undefined` if there is none. */
  readonly server: string | undefined;
}

interface FollowedRun {
  readonly stop: AbortController;
  /** The keys of the servers and files whose changes it runs for. */
  readonly causes: ReadonlySet<string>;
  /** The keys of everything that is known to be part of it. */
  readonly touched: Set<string>;
  ended: Promise<void>;
}

/** Runs the parts that are wanted, until `signal` aborts. */
type StartRun = (wants: (part: RunPart) => boolean, signal: AbortSignal) => Promise<unknown>;

/**
 * Runs that follow changes to servers and files, none of which is in two runs at a time: a new run stops
 * those that involve its server or file, waits until they have ended, and also runs for what they ran for.
 */
export class FollowedRuns {
  private readonly start: StartRun;
  private readonly goingOn = new Set<FollowedRun>();

  constructor(start: StartRun) {
    this.start = start;
  }

  /** Runs all files that are for a server. */
  serverStarted(id: string): void {
    const key = serverKey(id);
    this.begin([key], key, ({ touched }) => touched.has(key));
  }

  /** Runs a file, with the server that it is for now. */
  fileChanged(part: RunPart): void {
    const key = fileKey(part.file);
    this.begin(keysOf(part), key, ({ touched, causes }) => touched.has(key) || isFor(causes, part));
  }

  stop(): void {
    for (const { stop } of this.goingOn) stop.abort();
  }

  private begin(
    touched: readonly string[],
    cause: string,
    overtakes: (run: FollowedRun) => boolean,
  ): void {
    const overtaken = [...this.goingOn].filter(overtakes);
    for (const { stop } of overtaken) stop.abort();
    const run: FollowedRun = {
      stop: new AbortController(),
      causes: new Set([cause, ...overtaken.flatMap(({ causes }) => [...causes])]),
      touched: new Set([...touched, ...overtaken.flatMap((one) => [...one.touched])]),
      ended: Promise.resolve(),
    };
    this.goingOn.add(run);
    run.ended = this.runAfter(overtaken, run);
  }

  private async runAfter(overtaken: readonly FollowedRun[], run: FollowedRun): Promise<void> {
    const { causes, touched, stop } = run;
    const wants = (part: RunPart) => {
      if (!isFor(causes, part)) return false;
      for (const key of keysOf(part)) touched.add(key);
      return true;
    };
    try {
      await Promise.allSettled(overtaken.map(({ ended }) => ended));
      if (!stop.signal.aborted) await this.start(wants, stop.signal);
    } finally {
      this.goingOn.delete(run);
    }
  }
}

function isFor(causes: ReadonlySet<string>, part: RunPart): boolean {
  return keysOf(part).some((key) => causes.has(key));
}

function keysOf({ file, server }: RunPart): readonly string[] {
  return [fileKey(file), ...(server === undefined ? [] : [serverKey(server)])];
}

function fileKey(file: string): string {
  return `file ${file}`;
}

function serverKey(id: string): string {
  return `server ${id}`;
}

/** The starts of servers: each makes a continuous run begin again. */
export interface FollowedStarts {
  /** Fires with a server that has started and whose lists are loaded. */
  readonly onDidStart: Event<Server>;
}

/**
 * Runs the files of a continuous run whenever their server has started or they have changed, until `token` is
 * cancelled. A run that is still going on then is stopped, because its server is no longer the same.
 */
export function runContinuously(
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
  deps: CallsRunDeps,
  { onDidStart }: FollowedStarts,
): void {
  const store = new DisposableStore();
  // A server that a run starts itself must not cause another run.
  const own = new Set<string>();
  const starts: CallsRunDeps['starts'] = {
    start: async (id, action) => {
      own.add(id);
      const outcomes = await deps.starts.start(id, action);
      if (outcomes.every(({ kind }) => kind !== 'running')) own.delete(id);
      return outcomes;
    },
    startBeside: (id, how) => deps.starts.startBeside(id, how),
  };
  const partOf = (uri: vscode.Uri, file: CallsFile | undefined) => ({
    file: uri.toString(),
    server: file && serverOf(uri, file, deps.servers)?.id,
  });
  const runs = new FollowedRuns((wantsPart, signal) => {
    // The editor accepts the results of only one run per request.
    const { include, exclude, profile } = request;
    const again = new vscode.TestRunRequest(include, exclude, profile, true);
    const wants: CallsRunDeps['wants'] = (uri, file) => wantsPart(partOf(uri, file));
    return runRequest(again, signal, { ...deps, starts, wants });
  });
  store.add(
    onDidStart(({ id }) => {
      if (!own.delete(id)) runs.serverStarted(id);
    }),
  );
  store.add(deps.tests.onDidChangeFile(({ uri, file }) => runs.fileChanged(partOf(uri, file))));
  token.onCancellationRequested(() => {
    store.dispose();
    runs.stop();
  });
}
