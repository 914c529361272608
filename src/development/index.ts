import * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable';
import { errorDetail, UserError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Memento } from '../base/memento';
import { plainLabel } from '../base/text/text';
import { chooseConfigured } from '../config/chooseConfigured';
import { locatedServers, type Configuration } from '../config/configuration';
import type { StartServer } from '../contracts/startServer';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import type { ReadyDebuggerFor } from '../mcp/transport/serverTransport';
import type { ServerNotes } from '../tree/serverNode';
import { registerCommands } from '../ui/commands';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import { showDiff } from '../ui/keyboard';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { watchServers } from '../ui/watchServers';
import { createChangesNode, createHeldNode } from './changeRows';
import { DevelopedServer } from './developedServer';
import { changesText } from './surface/changesText';
import { SurfaceHistory } from './surface/surfaceHistory';
import { moveDevelopment, tellOfEditor, turnOff, turnOn } from './turnOn';
import type { UserAction } from '../ui/questions/question';

/** What development mode offers to the rest: rows in the tree, an event for starts, and debuggers. */
export interface DevelopmentFeature extends Disposable {
  readonly notes: ServerNotes;
  /** Fires with a server that has started and whose lists are loaded. */
  readonly onDidStart: Event<Server>;
  readonly debuggerFor: ReadyDebuggerFor;
}

/** Registers development mode, which restarts servers when their source changes and shows what is different then. */
export function register(deps: {
  readonly servers: Servers;
  readonly configuration: Configuration;
  readonly logs: Logs;
  readonly writer: WorkspaceWriter;
  readonly questions: Questions;
  readonly files: MemoryFiles;
  readonly startServer: StartServer;
  readonly state: Memento;
}): DevelopmentFeature {
  const { servers, configuration, logs, questions, startServer } = deps;
  const { t } = vscode.l10n;
  const store = new DisposableStore();
  const started = store.add(new Emitter<Server>());
  const changed = store.add(new Emitter<Server>());
  const folders = store.add(new RecentFolders(deps.files, 'changes'));
  const histories = new Map<string, SurfaceHistory>();
  const developed = new Map<string, DevelopedServer>();
  const comparing = new Set<string>();
  const isOn = (id: string) => configuration.get(id)?.development !== undefined;
  const historyOf = (id: string) => {
    const known = histories.get(id);
    if (known) return known;
    const history = store.add(new SurfaceHistory(() => isOn(id) || comparing.has(id), t));
    histories.set(id, history);
    return history;
  };

  store.add(
    watchServers(servers, (server) => {
      const own = new DisposableStore();
      const { id } = server;
      const history = historyOf(id);
      const log = logs.ofServer(id);
      const onDidChangeHold = () => changed.fire(server);
      const development = own.add(
        new DevelopedServer(server, { configuration, log, onDidChangeHold }),
      );
      developed.set(id, development);
      own.add(toDisposable(() => developed.delete(id)));
      own.add(history.onDidChange(() => changed.fire(server)));
      own.add(history.onDidStart(() => started.fire(server)));
      own.add(history.follow(server));
      return own;
    }),
  );
  store.add(
    configuration.onDidChange((current) => {
      tellOfEditor(current, deps.state, deps.writer).catch((error: unknown) =>
        logs.extension.error(errorDetail(error)),
      );
      for (const server of servers.all) {
        if (!isOn(server.id)) histories.get(server.id)?.clear();
        changed.fire(server);
      }
    }),
  );

  const choose = async (action: UserAction, target: unknown, title: string) =>
    chooseConfigured(target, configuration, title, { action, questions });
  const showChanges = async (server: Server, action: UserAction) => {
    const { changes } = historyOf(server.id);
    if (changes.length === 0)
      throw new UserError(t('Nothing changed in {0}.', plainLabel(server.name)));
    const { before, after } = changesText(changes);
    const folder = folders.add([before, after]);
    const name = server.name.replaceAll('/', '∕');
    const title = t('{0} (before ↔ now)', plainLabel(server.name));
    const [was, is] = [
      folder.add(`${name}.before.json`, before),
      folder.add(`${name}.json`, after),
    ];
    const leave = questions.stillBy(action, server.id);
    await showDiff([was, is], title, leave, { preview: true });
  };
  store.add(
    registerCommands(logs, {
      [Command.turnOnDevelopment]: async (action: UserAction, target?: unknown) => {
        const server = await choose(action, target, t('Turn On Development Mode'));
        if (server) await turnOn(server, { action, questions }, deps.writer);
      },
      [Command.turnOffDevelopment]: async (action: UserAction, target?: unknown) => {
        const server = await choose(action, target, t('Turn Off Development Mode'));
        if (server?.development) await turnOff(server, deps.writer);
      },
      [Command.moveDevelopment]: async (_action: UserAction, file: string, name: string) => {
        const server = locatedServers(configuration.current).find(
          ({ definition, reading }) => definition.name === name && reading.uri === file,
        );
        if (!server) throw new UserError(t('{0} is no longer in {1}.', name, file));
        await moveDevelopment(server, deps.writer);
      },
      [Command.restartAndCompare]: async (action: UserAction, target?: unknown) => {
        const chosen = await choose(action, target, t('Restart and Show What Changed'));
        const server = chosen && servers.get(chosen.definition.id);
        if (!server) return;
        const { id, name } = server;
        comparing.add(id);
        developed.get(id)?.forget();
        try {
          await server.stop();
          const [outcome] = await startServer(id);
          if (outcome && 'message' in outcome) throw new UserError(outcome.message);
          const history = historyOf(id);
          const hadBefore = await history.compared;
          if (history.changes.length > 0) await showChanges(server, action);
          else if (hadBefore)
            void vscode.window.showInformationMessage(
              t('Nothing changed in {0}.', plainLabel(name)),
            );
        } finally {
          comparing.delete(id);
        }
      },
      [Command.showServerChanges]: async (action: UserAction, target?: unknown) => {
        const chosen = await choose(action, target, t('Show What Changed'));
        const server = chosen && servers.get(chosen.definition.id);
        if (server) await showChanges(server, action);
      },
    }),
  );
  const notes: ServerNotes = {
    onDidChange: changed.event,
    marks: ({ id }) => (isOn(id) ? ['dev'] : []),
    rows: (server, parent) => {
      const { id } = server;
      const changes = historyOf(id).changes;
      const heldBy = developed.get(id)?.heldBy;
      return [
        ...(heldBy === undefined ? [] : [createHeldNode(server, parent, heldBy)]),
        ...(changes.length > 0 ? [createChangesNode(server, parent, changes)] : []),
      ];
    },
  };
  // Loaded with the first server that wants a debugger.
  const debuggerFor: ReadyDebuggerFor = async (...start) => {
    const { readyEditorDebugger } = await import('./editorDebugger');
    return readyEditorDebugger(...start);
  };
  return { notes, onDidStart: started.event, debuggerFor, dispose: () => store.dispose() };
}
