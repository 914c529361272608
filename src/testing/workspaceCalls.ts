import type * as vscode from 'vscode';
import type { CallsFile } from '../calls/format/calls';
import { runCalls, type RunOptions, type StepResult } from '../calls/runCalls';
import type { CallsSession } from '../calls/session';
import { isUp } from '../mcp/serverState';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { snapshotsBeside } from './callsDocuments';
import { openCallsSession, serverOf, type SessionParts } from './sessions';

/** What runs of saved calls in the workspace need. */
export interface CallsParts extends SessionParts {
  readonly schemas: SchemaCheck;
  readonly writer: WorkspaceWriter;
}

/** The options of a run that its caller decides. */
export interface CallsRunOptions extends Omit<
  RunOptions,
  'open' | 'schemas' | 'snapshots' | 'now'
> {
  /** Called with the first session, before the first step. */
  readonly onOpen?: (session: CallsSession) => void;
}

/**
 * Runs steps of a file on the workspace server that it names; if that was running before, it is running
 * afterwards, too.
 */
export async function runWorkspaceCalls(
  uri: vscode.Uri,
  file: CallsFile,
  { onOpen, ...options }: CallsRunOptions,
  parts: CallsParts,
): Promise<readonly StepResult[]> {
  const { servers, startServer, schemas } = parts;
  const { signal } = options;
  const server = serverOf(uri, file, servers);
  const wasUp = server !== undefined && isUp(server.state);
  let isFirst = true;
  try {
    return await runCalls(file, {
      ...options,
      open: async (_server, steps) => {
        const session = await openCallsSession({ uri, file, steps, signal }, parts);
        if (isFirst) onOpen?.(session);
        isFirst = false;
        return session;
      },
      schemas,
      snapshots: snapshotsBeside(uri, parts.writer),
      now: () => performance.now(),
    });
  } finally {
    // Sessions for single steps have stopped it, unless no step ran.
    const isStopped = file.session === 'step' && server?.state.kind === 'stopped';
    if (wasUp && isStopped && servers.all.includes(server)) await startServer(server.id);
  }
}
