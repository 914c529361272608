import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { plainLabel, plainMessage } from '../base/text';
import type { Configuration } from '../config/configuration';
import { openConfiguration } from '../config/openConfiguration';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { isProblemNode } from './problemNode';
import { stateLabel } from './serverNode';
import type { StartPolicy } from './startPolicy';
import { unknownServer, type StartServer } from './startServer';

/** Registers what can be done with a server; each takes its row, its id or nothing, and then asks. */
export function registerServerCommands(deps: {
  readonly servers: Servers;
  readonly configuration: Configuration;
  readonly logs: Logs;
  readonly policy: StartPolicy;
  readonly startServer: StartServer;
}): Disposable {
  const { servers, configuration, logs, policy, startServer } = deps;

  const choose = async (target: unknown, title: string): Promise<Server | undefined> => {
    await configuration.ready;
    if (typeof target === 'string') {
      const server = servers.get(target);
      if (!server) throw unknownServer(target, configuration);
      return server;
    }
    if (isRow(target)) return target.server;
    const items = servers.all.map((server) => ({
      label: plainLabel(server.name),
      description: `${stateLabel(server.state)} · ${server.definition.source.label}`,
      server,
    }));
    if (items.length === 0) throw new UserError(vscode.l10n.t('No MCP server is configured yet.'));
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.server;
  };

  const on =
    (title: string, run: (server: Server) => unknown) =>
    async (target?: unknown): Promise<unknown> => {
      const server = await choose(target, title);
      return server && run(server);
    };

  const startAndTell: StartServer = async (id) => {
    const outcomes = await startServer(id);
    // A failure is on the server's row; a refusal leaves it as it was.
    const refused = outcomes.flatMap((one) => (one.kind === 'refused' ? one.message : []));
    if (refused.length > 0)
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Not started: {0}', plainMessage([...new Set(refused)].join(' '))),
      );
    return outcomes;
  };
  const start = on(vscode.l10n.t('Start Server'), ({ id }) => startAndTell(id));

  return registerCommands(logs, {
    [Command.startServer]: async (target?: unknown) =>
      target === '*' ? startAndTell('*') : start(target),
    [Command.stopServer]: on(vscode.l10n.t('Stop Server'), (server) => {
      policy.stoppedByHand(server.id);
      return server.stop();
    }),
    [Command.restartServer]: on(vscode.l10n.t('Restart Server'), async (server) => {
      await server.stop();
      return startAndTell(server.id);
    }),
    [Command.showServerLog]: on(vscode.l10n.t('Show Server Log'), ({ id }) => logs.show(id)),
    [Command.openConfiguration]: async (target?: unknown) => {
      if (isProblemNode(target)) {
        const { reading, entryName, range } = target.problem;
        return openConfiguration(reading, entryName, range);
      }
      const server = await choose(target, vscode.l10n.t('Open Configuration'));
      const configured = server && configuration.get(server.id);
      if (!configured) return undefined;
      return openConfiguration(configured.reading, configured.definition.name);
    },
  });
}

function isRow(target: unknown): target is { readonly server: Server } {
  return typeof target === 'object' && target !== null && 'server' in target && !!target.server;
}
