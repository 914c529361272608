import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { Server } from '../mcp/server';
import { runRequest, type RunParts } from './callsRuns';
import { serverOf } from './sessions';

/** What a continuous run follows. */
export interface Followed {
  /** Fires with a server that has started and whose lists are in. */
  readonly onDidStart: Event<Server>;
}

/**
 * Runs what a continuous run is for whenever a server has started that some of it is for, or a file of it
 * changed, until `token` ends it. What still runs then is given up: its server is another one by now.
 */
export function runContinuously(
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
  parts: RunParts,
  { onDidStart }: Followed,
): void {
  const store = new DisposableStore();
  const runs = new Map<string, vscode.CancellationTokenSource>();
  // What a run starts itself is no reason for another.
  const own = new Set<string>();
  const startServer: RunParts['startServer'] = async (id) => {
    own.add(id);
    const outcomes = await parts.startServer(id);
    if (outcomes.every(({ kind }) => kind !== 'running')) own.delete(id);
    return outcomes;
  };
  const run = (key: string, wants: NonNullable<RunParts['wants']>) => {
    runs.get(key)?.cancel();
    const stop = new vscode.CancellationTokenSource();
    runs.set(key, stop);
    // The editor takes the results of one run for each request.
    const { include, exclude, profile } = request;
    const again = new vscode.TestRunRequest(include, exclude, profile, true);
    void runRequest(again, stop.token, { ...parts, startServer, wants });
  };
  store.add(
    onDidStart((server) => {
      if (own.delete(server.id)) return;
      run(`server ${server.id}`, (uri, file) => serverOf(uri, file, parts.servers) === server);
    }),
  );
  store.add(
    parts.tests.onDidChangeFile((uri) => {
      const changed = uri.toString();
      run(`file ${changed}`, (one) => one.toString() === changed);
    }),
  );
  token.onCancellationRequested(() => {
    store.dispose();
    for (const stop of runs.values()) stop.cancel();
  });
}
