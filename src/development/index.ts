import * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable';
import { errorDetail, UserError } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import { plainLabel } from '../base/text/text';
import { chooseConfigured } from '../config/chooseConfigured';
import {
  locatedServers,
  type Configuration,
  type CurrentConfiguration,
} from '../config/configuration';
import type { Starts } from '../contracts/starts';
import type { Server, Servers } from '../mcp/server';
import type { ReadyDebuggerFor } from '../mcp/transport/serverTransport';
import type { ServerNotes } from '../tree/serverNode';
import { registerCommands } from '../ui/commands';
import { RecentFolders } from '../ui/documents/recentFolders';
import { Command } from '../ui/ids';
import { isServerNode } from '../ui/tree';
import { showDiff } from '../ui/keyboard';
import { watchServers } from '../ui/watchServers';
import { createChangesNode, createHeldNode } from './changeNodes';
import { DevelopedServer } from './developedServer';
import { askBaseline, Baselines } from './surface/baselines';
import { changesText } from './surface/compareSurfaces';
import { type Baseline, SurfaceHistory } from './surface/surfaceHistory';
import {
  debuggingOf,
  moveDevelopment,
  tellOfEditor,
  turnOff,
  turnOn,
  turnOnDebugging,
} from './turnOn';
import type { UserAction } from '../ui/questions/question';
import { showMessage } from '../ui/messages';
import type { WorkbenchWindow } from '../ui/window';

/** What development mode offers to the rest: rows in the tree, an event for starts, and debuggers. */
export interface DevelopmentFeature extends Disposable {
  readonly notes: ServerNotes;
  /** Fires with a server that has started and whose lists are loaded. */
  readonly onDidStart: Event<Server>;
  readonly debuggerFor: ReadyDebuggerFor;
  /** Removes what is kept of a server that was removed, so that a later one with its id is not compared with it. */
  readonly forget: (serverId: string) => Promise<void>;
}

interface DevelopmentDeps extends WorkbenchWindow {
  readonly servers: Servers;
  readonly configuration: Configuration;
  readonly starts: Pick<Starts, 'start'>;
}

/** Registers development mode, which restarts servers when their source changes and shows what is different then. */
export function register(deps: DevelopmentDeps): DevelopmentFeature {
  const mode = new DevelopmentMode(deps);
  // Loaded with the first server that wants a debugger.
  const debuggerFor: ReadyDebuggerFor = async (...start) => {
    const { readyEditorDebugger } = await import('./editorDebugger');
    return readyEditorDebugger(...start);
  };
  return {
    notes: mode.notes,
    onDidStart: mode.onDidStart,
    debuggerFor,
    forget: (id) => mode.forget(id),
    dispose: () => mode.dispose(),
  };
}

class DevelopmentMode implements Disposable {
  private readonly deps: DevelopmentDeps;
  private readonly store = new DisposableStore();
  private readonly started = this.store.add(new Emitter<Server>());
  private readonly changed = this.store.add(new Emitter<Server>());
  private readonly folders: RecentFolders;
  private readonly baselines: Baselines;
  /** What changed in each server, by its id; it outlives the server. */
  private readonly histories = new Map<string, SurfaceHistory>();
  private readonly developed = new Map<string, DevelopedServer>();
  /** The ids of servers that are restarted to be compared. */
  private readonly comparing = new Set<string>();

  readonly onDidStart = this.started.event;

  constructor(deps: DevelopmentDeps) {
    this.deps = deps;
    this.folders = this.store.add(new RecentFolders(deps.files, 'changes'));
    const { storageUri, globalStorageUri } = deps.context;
    const kept = vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'baselines');
    this.baselines = new Baselines(kept, deps.platform.files);
    this.store.add(watchServers(deps.servers, (server) => this.follow(server)));
    this.store.add(deps.configuration.onDidChange((current) => this.configured(current)));
    this.store.add(this.registerCommands());
  }

  /** What the rows of servers show of development mode. */
  get notes(): ServerNotes {
    return {
      onDidChange: this.changed.event,
      marks: ({ id }) => [
        ...(this.isOn(id) ? ['dev'] : []),
        ...(this.isDebuggable(id) ? ['debuggable'] : []),
      ],
      nodes: (server, parent) => {
        const { changes, baseline } = this.historyOf(server.id);
        const heldBy = this.developed.get(server.id)?.heldBy;
        return [
          ...(heldBy === undefined ? [] : [createHeldNode(server, parent, heldBy)]),
          ...(changes.length > 0 || baseline
            ? [createChangesNode(server, parent, changes, baseline)]
            : []),
        ];
      },
    };
  }

  private isOn(id: string): boolean {
    return this.deps.configuration.get(id)?.development !== undefined;
  }

  private isDebuggable(id: string): boolean {
    const server = this.deps.configuration.get(id);
    const debugging = server && debuggingOf(server.definition);
    return debugging?.isOn === false && debugging.fitting.length > 0;
  }

  private historyOf(id: string): SurfaceHistory {
    const known = this.histories.get(id);
    if (known) return known;
    const comparison = () => {
      if (this.comparing.has(id)) return 'anew';
      return this.isOn(id) ? 'previous' : 'undismissed';
    };
    const readBaseline = () => this.baselines.read(id);
    const history = this.store.add(new SurfaceHistory(comparison, vscode.l10n.t, readBaseline));
    this.histories.set(id, history);
    return history;
  }

  private follow(server: Server): Disposable {
    const { configuration, logs } = this.deps;
    const { id } = server;
    const own = new DisposableStore();
    const history = this.historyOf(id);
    const log = logs.ofServer(id);
    const onDidChangeHold = () => this.changed.fire(server);
    const development = own.add(
      new DevelopedServer(server, { configuration, log, onDidChangeHold }),
    );
    this.developed.set(id, development);
    own.add(toDisposable(() => this.developed.delete(id)));
    own.add(history.onDidChange(() => this.changed.fire(server)));
    own.add(history.onDidStart(() => this.started.fire(server)));
    own.add(history.follow(server));
    return own;
  }

  private configured(current: CurrentConfiguration): void {
    const { servers, context, writer, logs } = this.deps;
    tellOfEditor(current, context.workspaceState, writer).catch((error: unknown) =>
      logs.extension.error(errorDetail(error)),
    );
    for (const server of servers.all) this.changed.fire(server);
  }

  private registerCommands(): Disposable {
    const { t } = vscode.l10n;
    const { logs, questions, writer } = this.deps;
    return registerCommands(logs, {
      [Command.turnOnDevelopment]: async (action: UserAction, target?: unknown) => {
        const server = await this.choose(action, target, t('Turn On Development Mode'));
        if (server) await turnOn(server, { action, questions }, writer);
      },
      [Command.turnOffDevelopment]: async (action: UserAction, target?: unknown) => {
        const server = await this.choose(action, target, t('Turn Off Development Mode'));
        if (server?.development) await turnOff(server, writer);
      },
      [Command.turnOnDebugging]: async (action: UserAction, target?: unknown) => {
        const server = await this.choose(action, target, t('Turn On Debugging'));
        if (server) await turnOnDebugging(server, { action, questions }, writer);
      },
      [Command.moveDevelopment]: (_action: UserAction, file: string, name: string) =>
        this.move(file, name),
      [Command.restartAndCompare]: async (action: UserAction, target?: unknown) => {
        const title = t('Restart and Show What Changed');
        const server = await this.chooseKnown(action, target, title);
        if (server) await this.restartAndCompare(server, action);
      },
      [Command.showServerChanges]: async (action: UserAction, target?: unknown) => {
        const server = await this.chooseKnown(action, target, t('Show What Changed'));
        if (server) await this.showChanges(server, action);
      },
      [Command.compareServer]: async (action: UserAction, target?: unknown) => {
        const server = await this.chooseKnown(action, target, t('Compare With'));
        const baseline = server && (await askBaseline(action, server, writer));
        if (baseline) await this.compareWith(server, baseline);
      },
      [Command.dismissServerChanges]: async (_action: UserAction, target?: unknown) => {
        const id = isServerNode(target) ? target.server.id : target;
        const server = typeof id === 'string' ? this.deps.servers.get(id) : undefined;
        if (server) await this.compareWith(server, undefined);
      },
    });
  }

  async forget(id: string): Promise<void> {
    await this.baselines.keep(id, undefined);
    await this.histories.get(id)?.forget();
  }

  private choose(action: UserAction, target: unknown, title: string) {
    const { configuration, questions } = this.deps;
    return chooseConfigured(target, configuration, title, { action, questions });
  }

  private async chooseKnown(
    action: UserAction,
    target: unknown,
    title: string,
  ): Promise<Server | undefined> {
    const chosen = await this.choose(action, target, title);
    return chosen && this.deps.servers.get(chosen.definition.id);
  }

  private async move(file: string, name: string): Promise<void> {
    const { configuration, writer } = this.deps;
    const server = locatedServers(configuration.current).find(
      ({ definition, layer }) => definition.name === name && layer.uri === file,
    );
    if (!server) throw new UserError(vscode.l10n.t('{0} is no longer in {1}.', name, file));
    await moveDevelopment(server, writer);
  }

  private async compareWith(server: Server, baseline: Baseline | undefined): Promise<void> {
    await this.baselines.keep(server.id, baseline);
    await this.historyOf(server.id).compareWith(baseline, server);
  }

  private async restartAndCompare(server: Server, action: UserAction): Promise<void> {
    const { t } = vscode.l10n;
    const { id, name } = server;
    const history = this.historyOf(id);
    this.comparing.add(id);
    this.developed.get(id)?.forget();
    try {
      await server.stop();
      const [outcome] = await this.deps.starts.start(id, action);
      if (outcome && 'message' in outcome) throw new UserError(outcome.message);
      const hadBefore = await history.compared;
      if (history.changes.length > 0) await this.showChanges(server, action);
      else if (hadBefore) void showMessage('info', t('Nothing changed in {0}.', plainLabel(name)));
    } finally {
      this.comparing.delete(id);
    }
  }

  private async showChanges(server: Server, action: UserAction): Promise<void> {
    const { t } = vscode.l10n;
    const history = this.historyOf(server.id);
    // A start that is under way, such as after a save, is compared first.
    if (server.state.kind === 'starting') await server.start();
    await history.compared;
    const { changes, baseline } = history;
    if (changes.length === 0)
      throw new UserError(t('Nothing changed in {0}.', plainLabel(server.name)));
    const { before, after } = changesText(changes);
    const folder = this.folders.add([before, after]);
    const name = server.name.replaceAll('/', '∕');
    const title = baseline
      ? t('{0} ({1} ↔ now)', plainLabel(server.name), baseline.label)
      : t('{0} (before ↔ now)', plainLabel(server.name));
    const [was, is] = [
      folder.add(`${name}.before.json`, before),
      folder.add(`${name}.json`, after),
    ];
    const permit = this.deps.questions.stillBy(action, server.id);
    await showDiff([was, is], title, permit, { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }
}
