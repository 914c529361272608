import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { OwnEnvironment } from '../mcp/node/commands/searchPath';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { addServers } from './add/addServers';
import { askServer } from './add/askServer';
import { createConfiguration, type Configuration } from './configuration';
import { createDiagnostics } from './diagnostics';
import { askImports } from './add/importServers';
import { Inputs } from './launch/inputs';
import { clearInputs, manageTrust } from './trust/manageTrust';
import { createMcpJsonSource } from './places/mcpJsonSource';
import { createLaunches, type Launches } from './launch/prepare';
import { readSurroundings } from './launch/surroundings';
import { createSettingsSource } from './places/settingsSource';
import { DismissedLaunches } from './trust/dismissedLaunches';
import { createTrust } from './trust/trust';
import { createTrustQuestion } from './trust/trustQuestion';
import { TrustStore } from './trust/trustStore';

/** Set in windows that develop or test the extension, it stands for a person who trusts every launch. */
const trustAllVariable = 'MCP_WORKBENCH_TRUST_ALL';

const markKeyName = 'launchMarkKey';

/** Which servers are configured, and whether and with which values each may be launched. */
export interface ConfigFeature extends Disposable, Launches {
  readonly configuration: Configuration;
  /** Fires when launches that were trusted are not any more. */
  readonly onDidWithdrawTrust: Event<void>;
}

/** Reads the configuration and asks what has to be asked before a server is launched. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly logs: Logs;
  readonly questions: Questions;
  readonly input: DocumentInput;
  /** Where the programs of servers are looked for. */
  readonly environment: OwnEnvironment;
  /** True for a server that the user asked for by hand. */
  readonly isWanted: (serverId: string) => boolean;
}): ConfigFeature {
  const { context, logs, questions, environment } = deps;
  const disposables = new DisposableStore();
  const configuration = disposables.add(
    createConfiguration([createSettingsSource(), createMcpJsonSource()], logs.extension),
  );
  disposables.add(createDiagnostics(configuration));
  const key = readMarkKey(context.globalState);
  const inputs = new Inputs(context.secrets, logs, questions);
  const store = new TrustStore(vscode.Uri.joinPath(context.globalStorageUri, 'trust'));
  const withdrawn = disposables.add(new Emitter<void>());
  const dismissed = new DismissedLaunches(context.workspaceState);
  const isProduct = context.extensionMode === vscode.ExtensionMode.Production;
  const trust = createTrust({
    store,
    ask: createTrustQuestion({ ...deps, dismissed }),
    trustAll: () => !isProduct && process.env[trustAllVariable] === '1',
  });
  disposables.add(
    registerCommands(logs, {
      [Command.manageTrust]: async () => {
        if (await manageTrust(store)) withdrawn.fire();
      },
      [Command.addServer]: async () => {
        const found = await askServer();
        if (found) await addServers(found, configuration, inputs);
      },
      [Command.importServers]: async () => {
        const found = await askImports();
        if (found.length > 0) await addServers(found, configuration, inputs);
      },
      [Command.clearInputs]: () => clearInputs(inputs),
    }),
  );
  return {
    configuration,
    ...createLaunches({
      configuration,
      inputs,
      trust,
      logs,
      surroundings: () => readSurroundings(environment, key),
    }),
    onDidWithdrawTrust: withdrawn.event,
    dispose: () => disposables.dispose(),
  };
}

/** What hidden values are marked with: without it nobody finds a value by its mark. */
function readMarkKey(state: vscode.Memento): string {
  const known = state.get(markKeyName);
  if (typeof known === 'string') return known;
  const key = randomBytes(32).toString('hex');
  void state.update(markKeyName, key);
  return key;
}
