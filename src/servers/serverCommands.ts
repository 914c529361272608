import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { UserError, errorMessage } from '../base/errors';
import { isRecord } from '../base/json';
import { plainLabel, plainMessage } from '../base/text/text';
import type { Configuration } from '../config/configuration';
import { openConfiguration } from '../config/places/openConfiguration';
import { kindOf } from '../mcp/launch/launchKinds';
import { type LoggingLevel, loggingLevels } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import { sessionInfo } from '../mcp/serverState';
import { registerCommands, runCommand } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { namedServer, selectedServers } from '../ui/tree';
import type { Doctor } from './createDoctor';
import { isDisabledNode, isProblemNode, isDuplicateNode } from '../tree/unusedNodes';
import { shownState } from '../tree/shownState';
import type { StartPolicy } from '../config/launch/startPolicy';
import { type ConfiguredStarts, unknownServer } from './configuredStarts';
import { namesOf, noServers } from '../ui/rows/labels';
import { showMessage, tellBriefly } from '../ui/messages';
import { showPick } from '../ui/rows/picks';
import type { UserAction } from '../ui/questions/question';
import { pairText } from '../base/translate';

/** Which servers a command is for. */
interface Choice {
  readonly accept: (server: Server) => boolean;
  /** Those that are listed first, as the command is most likely meant for them. */
  readonly first?: (server: Server) => boolean;
  /** The message if there is no such server. */
  readonly none: string;
}

const anyServer: Choice = { accept: () => true, none: '' };

interface ServerCommandsDeps {
  readonly servers: Servers;
  readonly configuration: Configuration;
  readonly logs: Logs;
  readonly policy: StartPolicy;
  readonly starts: Pick<ConfiguredStarts, 'startAndTell' | 'tellRefusals'>;
  readonly doctor: Doctor;
}

/** Registers the commands for a server; each takes its row or its id, or asks for one. */
export function registerServerCommands(deps: ServerCommandsDeps): Disposable {
  return new ServerCommands(deps).register();
}

/** Lets the user choose what a server logs, in place of what its log shows, until this window closes. */
async function setLogLevel(server: Server, action: UserAction): Promise<void> {
  const { t } = vscode.l10n;
  const { name, chosenLoggingLevel } = server;
  const row = (label: string, level?: LoggingLevel) => ({
    label,
    level,
    description: level === chosenLoggingLevel ? t('current') : '',
  });
  const rows = [row(t('As Its Log Shows')), ...loggingLevels.map((level) => row(level, level))];
  const chosen = await showPick(action, rows, { title: t('Log level of {0}', name) });
  if (!chosen) return;
  try {
    await server.chooseLoggingLevel(chosen.level);
  } catch (error) {
    throw new UserError(pairText(plainLabel(name), plainMessage(errorMessage(error, t)), t), {
      cause: error,
    });
  }
}

class ServerCommands {
  private readonly deps: ServerCommandsDeps;

  constructor(deps: ServerCommandsDeps) {
    this.deps = deps;
  }

  register(): Disposable {
    const { logs, starts, doctor } = this.deps;
    const { t } = vscode.l10n;
    const start = this.onEach(
      t('Start Server'),
      (chosen, action) => starts.startAndTell(chosen, action),
      {
        accept: ({ state }) => state.kind !== 'running',
        none: t('All servers are running.'),
      },
    );
    return registerCommands(logs, {
      [Command.startServer]: (action: UserAction, target?: unknown, selection?: unknown) =>
        this.startNamed(action, target, () => start(action, target, selection)),
      [Command.startAllServers]: (action: UserAction) => this.startAll(action),
      [Command.stopServer]: this.onEach(t('Stop Server'), (chosen) => this.stop(chosen), {
        accept: ({ state }) => state.kind !== 'stopped',
        none: t('No server is running.'),
      }),
      [Command.restartServer]: this.onEach(t('Restart Server'), async (chosen, action) => {
        await Promise.all(chosen.map((server) => server.stop()));
        return starts.startAndTell(chosen, action);
      }),
      [Command.signIn]: this.on(
        t('Sign In'),
        (server, action) => this.signIn(server, action),
        signedInto(({ state }) => state.kind === 'needsSignIn'),
      ),
      [Command.signOut]: this.onEach(
        t('Sign Out'),
        (chosen) => this.signOut(chosen),
        signedInto(({ isSignedIn }) => isSignedIn),
      ),
      [Command.diagnoseServer]: this.on(
        t('Diagnose Start and Connection'),
        async (server, action) => {
          await doctor.diagnose(server, action);
          return true;
        },
      ),
      [Command.copyReport]: () => doctor.copyReport(),
      [Command.showServerLog]: this.on(t('Show Log'), ({ id }) => logs.show(id)),
      [Command.setLogLevel]: this.on(t('Set Log Level…'), setLogLevel, {
        accept: ({ state }) => sessionInfo(state)?.capabilities.logging !== undefined,
        none: t('No server is running that lets its log level be set.'),
      }),
      [Command.openConfiguration]: (action: UserAction, target?: unknown) =>
        this.openConfiguration(action, target),
    });
  }

  /** Makes a command for one server. */
  private on(title: string, run: (server: Server, action: UserAction) => unknown, only?: Choice) {
    return async (action: UserAction, target?: unknown): Promise<unknown> => {
      const server = await this.choose(action, target, title, only);
      return server && run(server, action);
    };
  }

  /** Like `on`, for as many as are selected; what is not for one of them leaves that one as it is. */
  private onEach(
    title: string,
    run: (chosen: readonly Server[], action: UserAction) => unknown,
    only: Choice = anyServer,
  ) {
    return async (action: UserAction, target?: unknown, selection?: unknown): Promise<unknown> => {
      const rows = selectedServers(target, selection);
      if (rows.length > 0) {
        const chosen = rows.flatMap(({ server }) => this.deps.servers.get(server.id) ?? []);
        return run(chosen.filter(only.accept), action);
      }
      const server = await this.choose(action, namedServer(target), title, only);
      return server && run([server], action);
    };
  }

  private async choose(
    action: UserAction,
    target: unknown,
    title: string,
    only: Choice = anyServer,
  ): Promise<Server | undefined> {
    const { servers, configuration } = this.deps;
    await configuration.ready;
    if (typeof target === 'string') {
      const server = servers.get(target);
      if (!server) throw unknownServer(target, configuration);
      return server;
    }
    if (hasServer(target)) return target.server;
    const { first = () => false } = only;
    const accepted = servers.all.filter(only.accept);
    const inOrder = [...accepted.filter(first), ...accepted.filter((server) => !first(server))];
    const items = inOrder.map((server) => ({
      label: plainLabel(server.name),
      description: `${shownState(server.state).text} · ${server.definition.source.label}`,
      server,
    }));
    if (servers.all.length === 0) throw noServers(servers.unused);
    if (items.length === 0) throw new UserError(only.none);
    return (await showPick(action, items, { title, matchOnDescription: true }))?.server;
  }

  /** Starts all servers (`*`) or those with the ids in a list; anything else is for `otherwise`. */
  private async startNamed(
    action: UserAction,
    target: unknown,
    otherwise: () => Promise<unknown>,
  ): Promise<unknown> {
    const { servers, configuration, starts } = this.deps;
    await configuration.ready;
    if (target === '*') return starts.startAndTell(servers.all, action);
    return Array.isArray(target) ? this.startEach(action, target.map(String)) : otherwise();
  }

  /** Starts all that are known, so that one list asks about all of them, and then throws for one that is not. */
  private async startEach(action: UserAction, ids: readonly string[]): Promise<unknown> {
    const { servers, configuration, starts } = this.deps;
    const outcomes = await starts.startAndTell(
      ids.flatMap((id) => servers.get(id) ?? []),
      action,
    );
    const unknown = ids.find((id) => !servers.get(id));
    if (unknown !== undefined) throw unknownServer(unknown, configuration);
    return outcomes;
  }

  private async startAll(action: UserAction): Promise<unknown> {
    const { servers, configuration, starts } = this.deps;
    await configuration.ready;
    if (servers.all.length === 0) throw noServers(servers.unused);
    return starts.startAndTell(
      servers.all.filter(({ state }) => state.kind !== 'running'),
      action,
    );
  }

  private async stop(chosen: readonly Server[]): Promise<unknown> {
    for (const { id } of chosen) this.deps.policy.stoppedByHand(id);
    return Promise.all(chosen.map((server) => server.stop('stoppedByUser')));
  }

  private async signOut(chosen: readonly Server[]): Promise<void> {
    await Promise.all(chosen.map((server) => server.signOut()));
    const text = vscode.l10n.t(
      'Signed out of {0}. Approvals for it were withdrawn.',
      namesOf(chosen),
    );
    tellBriefly(text, 10_000, 'sign-out');
  }

  private async signIn(server: Server, action: UserAction): Promise<unknown> {
    const outcome = await this.deps.policy.startByHand([server.id], action, () => server.signIn());
    if (outcome.kind === 'failed') {
      // What each step sent and got is nowhere else.
      const traffic = vscode.l10n.t('Show Traffic');
      const text = pairText(plainLabel(server.name), plainMessage(outcome.message), vscode.l10n.t);
      void showMessage('error', text, traffic).then(
        (pressed) => pressed && runCommand(pressed.action, Command.showTraffic, server.id),
      );
      return undefined;
    }
    await this.deps.starts.tellRefusals([server], [outcome]);
    return outcome;
  }

  private async openConfiguration(action: UserAction, target: unknown): Promise<unknown> {
    if (isProblemNode(target)) {
      const { layer, entryName, range } = target.problem;
      return openConfiguration(action, layer, entryName, range);
    }
    if (isDisabledNode(target) || isDuplicateNode(target)) {
      const { server } = isDisabledNode(target) ? target.disabled : target.duplicate;
      return openConfiguration(action, server.layer, server.definition.name);
    }
    const server = await this.choose(action, target, vscode.l10n.t('Open Configuration'));
    const configured = server && this.deps.configuration.get(server.id);
    if (!configured) return undefined;
    return openConfiguration(action, configured.layer, configured.definition.name);
  }
}

/** The servers that can be signed in to. */
function signedInto(first: (server: Server) => boolean): Choice {
  return {
    accept: ({ definition: { config } }) => kindOf(config).signIn(config) !== 'none',
    first,
    none: vscode.l10n.t('Only HTTP servers support sign-in; none is configured.'),
  };
}

function hasServer(target: unknown): target is { readonly server: Server } {
  return isRecord(target) && 'server' in target && !!target['server'];
}
