import * as vscode from 'vscode';
import { createLimiter } from '../base/async';
import type { ServerRequestHandlers } from '../mcp/protocol/serverRequests';
import type { Traces } from '../config/switches/traces';
import { requestFollower } from '../mcp/session/peer/requestSpans';
import type { ConnectionDeps } from '../mcp/connection/connectionDeps';
import { kindOf } from '../mcp/launch/launchKinds';
import type { ServerDefinition } from '../mcp/serverConfig';
import type { Logs } from '../ui/logs';
import { createSignIn, type SignInDeps } from './signIn/createSignIn';
import type { Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { Configuration, CurrentConfiguration } from '../config/configuration';
import type { Servers } from '../mcp/server';

/** Keeps the servers in line with the configuration. */
export function reconcileServers(
  servers: Servers,
  configuration: Configuration,
  logs: Logs,
): Disposable {
  const reconcile = ({ servers: configured, disabled }: CurrentConfiguration) => {
    const definitions = configured.map(({ definition }) => definition);
    servers
      .reconcile(definitions, disabled.length)
      .catch((error: unknown) => logs.extension.error(errorDetail(error)));
  };
  // If the first reading fails, there are no servers, and no change is reported.
  void configuration.ready.then(() => reconcile(configuration.current));
  return configuration.onDidChange(reconcile);
}

/** What connections need of the editor and the machine. */
export interface ConnectionSources extends SignInDeps {
  readonly requests: ServerRequestHandlers;
  readonly launches: ConnectionDeps['launches'];
  readonly debuggerFor: ConnectionDeps['debuggerFor'];
  readonly traces: Pick<Traces, 'tracing' | 'startOf' | 'followStarts'>;
  readonly forget: ConnectionDeps['forget'];
}

/** Makes a function that gives the connection of each server what it needs from the editor and the machine. */
export function createConnectionDeps(
  deps: ConnectionSources,
): (definition: ServerDefinition) => ConnectionDeps {
  const { context, logs, requests, launches, platform, debuggerFor, forget } = deps;
  const { version } = context.extension.packageJSON as { readonly version: string };
  const lists = vscode.Uri.joinPath(context.globalStorageUri, 'lists');
  const shared = {
    client: { name: 'mcp-workbench', title: 'MCP Workbench', version },
    requests,
    launches,
    debuggerFor,
    forget,
    openTransport: platform.openTransports((text) => logs.mask(text)),
    limiter: createLimiter(platform.parallelStarts),
    memory: platform.files.createMemory(lists, logs.extension),
  };
  const authorizationOf = createSignIn(deps);
  return (definition) => ({
    ...shared,
    obstacle:
      kindOf(definition.config).isProcess && !platform.programs ? 'needsProcess' : undefined,
    folders: vscode.workspace.workspaceFolders?.map(({ uri }) => uri.toString()),
    authorization: authorizationOf(definition),
    log: logs.ofServer(definition.id),
    t: vscode.l10n.t,
    mask: (text) => logs.mask(text),
    tracing: () => logs.isTracing(definition.id),
    traffic: deps.records.of(definition.id),
    follow: requestFollower(deps.traces.tracing, definition, () =>
      deps.traces.startOf(definition.id),
    ),
  });
}
