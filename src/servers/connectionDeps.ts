import { availableParallelism } from 'node:os';
import * as vscode from 'vscode';
import { createLimiter } from '../base/async';
import { errorDetail } from '../base/errors';
import type { ClientRequests } from '../mcp/protocol/clientRequests';
import type { ConnectionDeps } from '../mcp/connection/connectionDeps';
import { createFileMemory } from '../mcp/node/fileMemory';
import { createNodeWires } from '../mcp/node/nodeWires';
import { Orphans } from '../mcp/node/processes/orphans';
import type { OwnEnvironment } from '../mcp/node/commands/searchPath';
import type { ServerDefinition } from '../mcp/serverConfig';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { createSignIn } from './signIn/createSignIn';

/** Makes what the connection of each server needs, from the editor and the machine. */
export function createConnectionDeps(deps: {
  readonly context: vscode.ExtensionContext;
  readonly logs: Logs;
  readonly questions: Questions;
  readonly requests: ClientRequests;
  readonly prepare: ConnectionDeps['prepare'];
  readonly launchPrint: ConnectionDeps['launchPrint'];
  readonly environment: OwnEnvironment;
}): (definition: ServerDefinition) => ConnectionDeps {
  const { context, logs, questions, requests, prepare, launchPrint, environment } = deps;
  const { version } = context.extension.packageJSON as { readonly version: string };
  const storage = (name: string) => vscode.Uri.joinPath(context.globalStorageUri, name).fsPath;
  const orphans = new Orphans(storage('processes'), logs.extension);
  orphans.reap().catch((error: unknown) => logs.extension.warn(errorDetail(error)));
  const shared = {
    client: { name: 'mcp-workbench', title: 'MCP Workbench', version },
    requests,
    prepare,
    launchPrint,
    openWire: createNodeWires(orphans, { environment, mask: (text) => logs.mask(text) }),
    limiter: createLimiter(Math.max(4, availableParallelism() * 2)),
    memory: createFileMemory(storage('lists'), logs.extension),
  };
  const authorizationOf = createSignIn(context, logs, questions);
  return (definition) => ({
    ...shared,
    authorization: authorizationOf(definition),
    log: logs.ofServer(definition.id),
    mask: (text) => logs.mask(text),
    tracing: () => logs.isTracing(definition.id),
  });
}
