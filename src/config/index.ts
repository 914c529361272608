import * as vscode from 'vscode';
import { toHex } from '../base/bytes';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Memento } from '../base/memento';
import type { SearchedRegistry } from '../mcp/http/mcpRegistry';
import { readDeveloped } from '../ui/settings/readSetting';
import type { WorkbenchWindow } from '../ui/window';
import { BundleFolders, removeBundles } from './bundles/bundleFolders';
import { configurationText } from './places/openConfiguration';
import {
  type Configuration,
  createConfiguration,
  createDiagnostics,
  locatedServers,
} from './configuration';
import type { AdministratorRules } from './switches/administratorRules';
import { registerConfigCommands } from './configCommands';
import { createDemoSource } from './demoSource';
import { createRecordingSource } from './recordingSource';
import { Inputs } from './inputs/inputs';
import { InputValues } from './inputs/inputValues';
import { createQuickFixes } from './places/quickFixes';
import { createMcpJsonSource } from './places/mcpJsonSource';
import { createLaunches, type Launches } from './launch/prepare';
import { resolveLaunch } from './launch/resolveLaunch';
import { readSurroundings } from './launch/surroundings';
import { createSettingsSource, workspaceAddress } from './places/settingsSource';
import { createSwitches } from './switches/administrator';
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
export interface ConfigFeature extends Disposable {
  readonly configuration: Configuration;
  readonly launches: Launches;
  readonly switches: ServerSwitches;
  /** Fires when launches that were trusted no longer are. */
  readonly onDidWithdrawTrust: Event<void>;
  /** Fires with the id of a server that the user has added. */
  readonly onDidAdd: Event<string>;
  /** Fires with what a search of the user in a registry has found. */
  readonly onDidSearch: Event<SearchedRegistry>;
  readonly values: InputValues;
}

interface ConfigDeps extends WorkbenchWindow {
  readonly administrator: AdministratorRules;
  readonly policy: StartPolicy;
}

/** Reads the configuration and asks the user what is needed before a server is launched. */
export function register(deps: ConfigDeps): ConfigFeature {
  const { context, logs, questions, platform, policy } = deps;
  const disposables = new DisposableStore();
  const here = workspaceStore(context);
  const { configuration, switches, demo, recordings, bundles } = readConfiguration(
    deps,
    here,
    disposables,
  );
  const key = readMarkKey(context.globalState);
  const surroundings = () => readSurroundings(platform, key);
  const values = new InputValues(
    context.secrets,
    () => locatedServers(configuration.current),
    () => workspaceAddress().workspace,
    (server) =>
      resolveLaunch(server, surroundings()).then(
        ({ launch }) => launch.config,
        // What cannot be launched gets nothing.
        () => undefined,
      ),
  );
  const inputs = new Inputs(values, logs, questions);
  const store = new TrustStore(
    vscode.Uri.joinPath(context.globalStorageUri, 'trust'),
    platform.files,
  );
  const withdrawn = disposables.add(new Emitter<void>());
  const added = disposables.add(new Emitter<string>());
  const searched = disposables.add(new Emitter<SearchedRegistry>());
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
  const commands = registerConfigCommands({
    ...deps,
    configuration,
    values,
    switches,
    store,
    declined,
    bundles,
    demo,
    recordings,
    surroundings,
    withdrawn,
    added,
    searched,
  });
  disposables.add(commands);
  const launches = createLaunches({
    configuration,
    inputs,
    values,
    trust,
    policy,
    logs,
    platform,
    surroundings,
  });
  return {
    configuration,
    switches,
    launches,
    onDidWithdrawTrust: withdrawn.event,
    onDidAdd: added.event,
    onDidSearch: searched.event,
    values,
    dispose: () => disposables.dispose(),
  };
}

/** Keeps the configuration of all places read, tells its mistakes, and removes bundles that it no longer names. */
function readConfiguration(
  { context, logs, platform }: ConfigDeps,
  here: Memento,
  disposables: DisposableStore,
) {
  const switches = disposables.add(new ServerSwitches({ here, everywhere: context.globalState }));
  const demo = createDemoSource(platform, context.extensionUri, context.workspaceState);
  const recordings = createRecordingSource(platform, context.extensionUri, context.workspaceState);
  const configuration = disposables.add(
    createConfiguration(
      [demo, recordings, createSettingsSource(), createMcpJsonSource(platform)],
      disposables.add(createSwitches(switches)),
      logs.extension,
      vscode.l10n.t,
      ({ scope }) => readDeveloped(scope === 'user'),
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
  return { configuration, switches, demo, recordings, bundles };
}

/** Reads or creates the key for the marks of hidden values: without it, nobody can find a value from its mark. */
function readMarkKey(state: vscode.Memento): string {
  const known = state.get(markKeyName);
  if (typeof known === 'string') return known;
  const key = toHex(crypto.getRandomValues(new Uint8Array(32)));
  void state.update(markKeyName, key);
  return key;
}
