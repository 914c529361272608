import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import type { Emitter } from '../base/event';
import { UserError } from '../base/errors';
import type { SearchedRegistry } from '../mcp/http/mcpRegistry';
import { registerCommands, runCommand } from '../ui/commands';
import { Command } from '../ui/ids';
import { isServerNode } from '../ui/tree';
import { askOwn, noServer } from '../ui/questions/askOwn';
import type { QuestionContext, UserAction } from '../ui/questions/question';
import { addServers } from './add/addServers';
import { askServer } from './add/askServer';
import type { ImportedServer } from './add/importedServer';
import type { BundleFolders } from './bundles/bundleFolders';
import { readBundle } from './bundles/readBundle';
import { type Configuration, locatedServers } from './configuration';
import { type DemoSource, tryDemo } from './demoSource';
import { type RecordingSource, serveRecording } from './recordingSource';
import { askImports } from './add/importServers';
import type { InputValues } from './inputs/inputValues';
import { changeInputs, chooseWithInputs, clearInputs } from './inputs/manageInputs';
import { manageTrust } from './trust/manageTrust';
import { describeMachine } from './applications/machine';
import type { LaunchSurroundings } from './launch/launchSurroundings';
import { exportForTeam } from './share/exportForTeam';
import { exportServers } from './share/exportServers';
import { moveToSettings } from './share/moveToSettings';
import type { AdministratorRules } from './switches/administratorRules';
import { showPolicies } from './switches/policies';
import type { ServerSwitches } from './switches/serverSwitches';
import type { DeclinedLaunches } from './trust/declinedLaunches';
import type { TrustStore } from './trust/trustStore';
import { showMessage } from '../ui/messages';
import type { WorkbenchWindow } from '../ui/window';

interface ConfigCommandsDeps extends WorkbenchWindow {
  readonly administrator: AdministratorRules;
  readonly configuration: Configuration;
  readonly values: InputValues;
  readonly switches: ServerSwitches;
  readonly store: TrustStore;
  readonly declined: DeclinedLaunches;
  readonly bundles: BundleFolders;
  readonly demo: DemoSource;
  readonly recordings: RecordingSource;
  readonly surroundings: () => LaunchSurroundings;
  readonly withdrawn: Emitter<void>;
  readonly added: Emitter<string>;
  readonly searched: Emitter<SearchedRegistry>;
}

/** Registers the commands that change which servers are configured, with which values and which trust. */
export function registerConfigCommands(deps: ConfigCommandsDeps): Disposable {
  return new ConfigCommands(deps).register();
}

/** Finds the servers to add by asking; a function is what the user wants to do instead, afterwards. */
type FindServers = (
  question: QuestionContext,
) => Promise<readonly ImportedServer[] | (() => Promise<void>) | undefined>;

class ConfigCommands {
  private readonly deps: ConfigCommandsDeps;

  constructor(deps: ConfigCommandsDeps) {
    this.deps = deps;
  }

  register(): Disposable {
    const { logs, questions, configuration, demo, recordings, values } = this.deps;
    return registerCommands(logs, {
      [Command.manageTrust]: (action: UserAction) => this.manageTrust(action),
      [Command.showPolicies]: (action: UserAction) => this.showPolicies(action),
      [Command.addServer]: (action: UserAction, link?: unknown) => this.addServer(action, link),
      [Command.importServers]: (action: UserAction) => this.importServers(action),
      [Command.exportServers]: (action: UserAction) => this.exportServers(action),
      [Command.exportForTeam]: (action: UserAction) => this.exportForTeam(action),
      [Command.moveToSettings]: (action: UserAction, file: string, name: string) =>
        this.moveToSettings(action, file, name),
      [Command.tryDemo]: (action: UserAction) => tryDemo(action, this.deps),
      [Command.removeDemo]: () => demo.remove(),
      [Command.serveRecording]: (action: UserAction, target?: unknown) =>
        serveRecording(action, target, this.deps),
      [Command.removeRecording]: async (_action: UserAction, target?: unknown) => {
        const id = isServerNode(target) ? target.server.id : target;
        // It may be switched off.
        const server = locatedServers(configuration.current).find(
          ({ definition }) => definition.id === id,
        );
        const { unwritten, uri } = server?.layer ?? {};
        if (unwritten === 'recording' && uri !== undefined) await recordings.remove(uri);
      },
      [Command.changeInputs]: (action: UserAction, target?: unknown) =>
        this.changeInputs(action, target),
      [Command.clearInputs]: (action: UserAction) => clearInputs(values, { action, questions }),
    });
  }

  private get machine() {
    const { platform, context } = this.deps;
    return describeMachine(platform, context.globalStorageUri);
  }

  private get allConfigured() {
    const { servers, disabled } = this.deps.configuration.current;
    return [...servers, ...disabled.map(({ server }) => server)];
  }

  private async manageTrust(action: UserAction): Promise<void> {
    const { configuration, store, declined, questions, withdrawn } = this.deps;
    await configuration.ready;
    const asker = { action, questions };
    if (await manageTrust(store, declined, this.allConfigured, asker)) withdrawn.fire();
  }

  private async showPolicies(action: UserAction): Promise<void> {
    const { configuration, administrator, input } = this.deps;
    await configuration.ready;
    await showPolicies(action, { ...configuration.current, administrator }, input);
  }

  private async addServer(action: UserAction, link: unknown): Promise<void> {
    const { platform, bundles, searched } = this.deps;
    const given = typeof link === 'string' ? link : undefined;
    // Any page can open a link.
    const asked = given === undefined ? action : undefined;
    await this.add(vscode.l10n.t('Add Server'), asked, (question) =>
      askServer(
        question,
        {
          readBundle: (path, frame) => readBundle(path, platform, bundles, frame),
          onSearch: (found) => searched.fire(found),
        },
        given,
      ),
    );
  }

  private async importServers(action: UserAction): Promise<void> {
    const { configuration, platform } = this.deps;
    await configuration.ready;
    await this.add(vscode.l10n.t('Find My Servers'), action, (question) => {
      const configs = this.allConfigured.map(({ definition }) => definition.config);
      return askImports(this.machine, platform.files, question, configs);
    });
  }

  private async add(what: string, asked: UserAction | undefined, find: FindServers): Promise<void> {
    const { questions, added } = this.deps;
    const onAdded = (serverId: string) => added.fire(serverId);
    const own = { server: noServer, what, asked };
    const goOn = await askOwn(questions, own, async (question) => {
      const found = await find(question);
      if (typeof found === 'function') return found;
      return found && found.length > 0
        ? addServers(found, { ...this.deps, onAdded }, question)
        : undefined;
    });
    await goOn?.();
  }

  private exportServers(action: UserAction): Promise<void> {
    const { machine } = this;
    return this.export(action, vscode.l10n.t('Export Servers'), (question) =>
      exportServers({ ...this.deps, machine }, question),
    );
  }

  private exportForTeam(action: UserAction): Promise<void> {
    const { machine } = this;
    return this.export(action, vscode.l10n.t('Export for the Team'), (question) =>
      exportForTeam({ ...this.deps, machine }, question),
    );
  }

  private async export(
    action: UserAction,
    what: string,
    write: (question: QuestionContext) => Promise<string | undefined>,
  ): Promise<void> {
    const { configuration, questions } = this.deps;
    await configuration.ready;
    const done = await askOwn(questions, { server: noServer, what, asked: action }, write);
    if (done !== undefined) void showMessage('info', done);
  }

  private async moveToSettings(action: UserAction, file: string, name: string): Promise<void> {
    const { configuration, questions } = this.deps;
    const from = configuration.current.hints.find(({ layer }) => layer.uri === file);
    if (!from) throw new UserError(vscode.l10n.t('{0} is no longer in {1}.', name, file));
    const own = { server: noServer, what: vscode.l10n.t('Move to Settings'), asked: action };
    const done = await askOwn(questions, own, (question) =>
      moveToSettings(name, { ...from.layer, uri: file }, this.deps, question),
    );
    if (done !== undefined) void showMessage('info', done);
  }

  private async changeInputs(action: UserAction, target: unknown): Promise<void> {
    const { configuration, questions, values } = this.deps;
    const asker = { action, questions };
    const server = await chooseWithInputs(target, configuration, asker);
    if (!server || !(await changeInputs(server, values, asker))) return;
    await runCommand(action, Command.restartServer, server.definition.id);
  }
}
