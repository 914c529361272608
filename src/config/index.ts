import * as vscode from 'vscode';
import { toHex } from '../base/bytes/bytes';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import { UserError } from '../base/errors';
import type { Platform } from '../mcp/platform';
import { registerCommands } from '../ui/commands';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command, Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Logs } from '../ui/logs';
import { askOwn, noServer } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import type { QuestionContext, UserAction } from '../ui/questions/question';
import { addServers } from './add/addServers';
import { askServer } from './add/askServer';
import type { ImportedServer } from './add/importedServer';
import { BundleFolders } from './bundles/bundleFolders';
import { readBundle } from './bundles/readBundle';
import { removeBundles } from './bundles/removeBundles';
import { configurationText } from './places/openConfiguration';
import { createConfiguration, locatedServers, type Configuration } from './configuration';
import { createDemoSource } from './demoSource';
import { tryDemo } from './tryDemo';
import { createDiagnostics } from './diagnostics';
import { askImports } from './add/importServers';
import { Inputs } from './inputs/inputs';
import { InputValues } from './inputs/inputValues';
import { changeInputs, chooseWithInputs, clearInputs } from './inputs/manageInputs';
import { manageTrust } from './trust/manageTrust';
import { describeMachine } from './applications/machine';
import { createQuickFixes } from './places/quickFixes';
import { createMcpJsonSource } from './places/mcpJsonSource';
import { createLaunches, type Launches } from './launch/prepare';
import { readSurroundings } from './launch/surroundings';
import { createSettingsSource, workspaceAddress } from './places/settingsSource';
import { exportServers } from './share/exportServers';
import { moveToSettings } from './share/moveToSettings';
import { createSwitches } from './switches/createSwitches';
import { ServerSwitches } from './switches/serverSwitches';
import { DeclinedLaunches } from './trust/declinedLaunches';
import type { StartPolicy } from './launch/startPolicy';
import { createTrust } from './trust/trust';
import { createTrustQuestion } from './trust/trustQuestion';
import { TrustStore } from './trust/trustStore';
import { workspaceStore } from './workspaceStore';

/** An environment variable for windows that develop or test the extension: `1` trusts every launch. */
const trustAllVariable = 'MCP_WORKBENCH_TRUST_ALL';

const markKeyName = 'launchMarkKey';

/** Which servers are configured, and whether and with which values each may be launched. */
export interface ConfigFeature extends Disposable, Launches {
  readonly configuration: Configuration;
  readonly switches: ServerSwitches;
  /** Fires when launches that were trusted no longer are. */
  readonly onDidWithdrawTrust: Event<void>;
  /** Fires with the id of a server that the user has added. */
  readonly onDidAdd: Event<string>;
}

/** Reads the configuration and asks the user what is needed before a server is launched. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly logs: Logs;
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly platform: Platform;
  readonly writer: WorkspaceWriter;
  readonly policy: StartPolicy;
}): ConfigFeature {
  const { context, logs, questions, platform, writer, policy } = deps;
  const disposables = new DisposableStore();
  const here = workspaceStore(context);
  const switches = disposables.add(new ServerSwitches({ here, everywhere: context.globalState }));
  const demo = createDemoSource(platform, context.extensionUri, context.workspaceState);
  const configuration = disposables.add(
    createConfiguration(
      [demo, createSettingsSource(), createMcpJsonSource(platform)],
      disposables.add(createSwitches(switches)),
      logs.extension,
      vscode.l10n.t,
      () => readSetting(Setting.development),
    ),
  );
  disposables.add(createDiagnostics(configuration));
  disposables.add(createQuickFixes());
  const bundles = new BundleFolders(
    vscode.Uri.joinPath(context.globalStorageUri, 'bundles'),
    platform.files,
  );
  disposables.add(
    removeBundles(configuration, {
      folders: bundles,
      textOf: configurationText,
      isTrusted: () => vscode.workspace.isTrusted,
      log: logs.extension,
    }),
  );
  const key = readMarkKey(context.globalState);
  const values = new InputValues(
    context.secrets,
    () => locatedServers(configuration.current),
    () => workspaceAddress().workspace,
  );
  const inputs = new Inputs(values, logs, questions);
  const store = new TrustStore(
    vscode.Uri.joinPath(context.globalStorageUri, 'trust'),
    platform.files,
  );
  const withdrawn = disposables.add(new Emitter<void>());
  const added = disposables.add(new Emitter<string>());
  const onAdded = (serverId: string) => added.fire(serverId);
  const declined = new DeclinedLaunches(here);
  const isProduct = context.extensionMode === vscode.ExtensionMode.Production;
  const trust = createTrust({
    store,
    values,
    env: platform.env,
    declined,
    policy,
    ask: createTrustQuestion(deps),
    trustAll: () => !isProduct && platform.env[trustAllVariable] === '1',
  });
  const allConfigured = () => {
    const { servers, disabled } = configuration.current;
    return [...servers, ...disabled.map(({ server }) => server)];
  };
  const add = async (
    what: string,
    action: UserAction | undefined,
    find: (
      question: QuestionContext,
    ) => Promise<readonly ImportedServer[] | (() => Promise<void>) | undefined>,
  ): Promise<void> => {
    const goOn = await askOwn(
      questions,
      { server: noServer, what, asked: action },
      async (question) => {
        const found = await find(question);
        if (typeof found === 'function') return found;
        return found && found.length > 0
          ? addServers(found, { configuration, values, switches, writer, onAdded }, question)
          : undefined;
      },
    );
    await goOn?.();
  };
  disposables.add(
    registerCommands(logs, {
      [Command.manageTrust]: async (action: UserAction) => {
        await configuration.ready;
        const asker = { action, questions };
        if (await manageTrust(store, declined, allConfigured(), asker)) withdrawn.fire();
      },
      [Command.addServer]: async (action: UserAction, link?: unknown) => {
        const given = typeof link === 'string' ? link : undefined;
        await add(
          vscode.l10n.t('Add Server'),
          // Any page can open a link.
          given === undefined ? action : undefined,
          (question) =>
            askServer(question, (path, frame) => readBundle(path, platform, bundles, frame), given),
        );
      },
      [Command.importServers]: async (action: UserAction) => {
        await configuration.ready;
        await add(vscode.l10n.t('Find My Servers'), action, (question) => {
          const configs = allConfigured().map(({ definition }) => definition.config);
          const machine = describeMachine(platform, context.globalStorageUri);
          return askImports(machine, platform.files, question, configs);
        });
      },
      [Command.exportServers]: async (action: UserAction) => {
        await configuration.ready;
        const surroundings = () => readSurroundings(platform, key);
        const machine = describeMachine(platform, context.globalStorageUri);
        const own = { server: noServer, what: vscode.l10n.t('Export Servers'), asked: action };
        const done = await askOwn(questions, own, (question) =>
          exportServers({ ...deps, machine, configuration, surroundings }, question),
        );
        if (done !== undefined) void vscode.window.showInformationMessage(done);
      },
      [Command.moveToSettings]: async (action: UserAction, file: string, name: string) => {
        const from = configuration.current.hints.find(({ reading }) => reading.uri === file);
        if (!from) throw new UserError(vscode.l10n.t('{0} is no longer in {1}.', name, file));
        const own = { server: noServer, what: vscode.l10n.t('Move to Settings'), asked: action };
        const done = await askOwn(questions, own, (question) =>
          moveToSettings(
            name,
            { ...from.reading, uri: file },
            { input: deps.input, writer, values, switches },
            question,
          ),
        );
        if (done !== undefined) void vscode.window.showInformationMessage(done);
      },
      [Command.tryDemo]: (action: UserAction) =>
        tryDemo(action, { demo, configuration, switches, platform }),
      [Command.removeDemo]: () => demo.remove(),
      [Command.changeInputs]: async (action: UserAction, target?: unknown) => {
        const asker = { action, questions };
        const server = await chooseWithInputs(target, configuration, asker);
        if (!server || !(await changeInputs(server, values, asker))) return;
        await vscode.commands.executeCommand(Command.restartServer, server.definition.id);
      },
      [Command.clearInputs]: (action: UserAction) => clearInputs(values, { action, questions }),
    }),
  );
  const launches = createLaunches({
    configuration,
    inputs,
    values,
    trust,
    policy,
    logs,
    surroundings: () => readSurroundings(platform, key),
  });
  return {
    configuration,
    switches,
    ...launches,
    onDidWithdrawTrust: withdrawn.event,
    onDidAdd: added.event,
    dispose: () => disposables.dispose(),
  };
}

/** Reads or creates the key for the marks of hidden values: without it, nobody can find a value from its mark. */
function readMarkKey(state: vscode.Memento): string {
  const known = state.get(markKeyName);
  if (typeof known === 'string') return known;
  const key = toHex(crypto.getRandomValues(new Uint8Array(32)));
  void state.update(markKeyName, key);
  return key;
}
