import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import type { CallsFile } from '../calls/format/calls';
import type { Server } from '../mcp/server';
import { runRequest, type RunParts } from './callsRuns';
import { FollowedRuns } from './followedRuns';
import { serverOf } from './sessions';

/** What a continuous run follows. */
export interface Followed {
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
  parts: RunParts,
  { onDidStart }: Followed,
): void {
  const store = new DisposableStore();
  // A server that a run starts itself must not cause another run.
  const own = new Set<string>();
  const startServer: RunParts['startServer'] = async (id) => {
    own.add(id);
    const outcomes = await parts.startServer(id);
    if (outcomes.every(({ kind }) => kind !== 'running')) own.delete(id);
    return outcomes;
  };
  const partOf = (uri: vscode.Uri, file: CallsFile | undefined) => ({
    file: uri.toString(),
    server: file && serverOf(uri, file, parts.servers)?.id,
  });
  const runs = new FollowedRuns((wantsPart, signal) => {
    // The editor accepts the results of only one run per request.
    const { include, exclude, profile } = request;
    const again = new vscode.TestRunRequest(include, exclude, profile, true);
    const wants: RunParts['wants'] = (uri, file) => wantsPart(partOf(uri, file));
    return runRequest(again, signal, { ...parts, startServer, wants });
  });
  store.add(
    onDidStart(({ id }) => {
      if (!own.delete(id)) runs.serverStarted(id);
    }),
  );
  store.add(parts.tests.onDidChangeFile(({ uri, file }) => runs.fileChanged(partOf(uri, file))));
  token.onCancellationRequested(() => {
    store.dispose();
    runs.stop();
  });
}
