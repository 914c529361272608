import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { ConnectionDeps } from '../mcp/connection/connectionDeps';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { addServers } from './add/addServers';
import { askServer } from './add/askServer';
import { createConfiguration, type Configuration } from './configuration';
import { createDiagnostics } from './diagnostics';
import { askImports } from './add/importServers';
import { Inputs } from './launch/inputs';
import { clearInputs, manageTrust } from './trust/manageTrust';
import { createMcpJsonSource } from './places/mcpJsonSource';
import { createPrepare, resolveLaunch } from './launch/prepare';
import { createSettingsSource } from './places/settingsSource';
import { createTrust } from './trust/trust';
import { createTrustQuestion } from './trust/trustQuestion';
import { TrustStore } from './trust/trustStore';

/** Set in windows that develop or test the extension, it stands for a person who trusts every launch. */
const trustAllVariable = 'MCP_WORKBENCH_TRUST_ALL';

/** Which servers are configured, and whether and with which values each may be launched. */
export interface ConfigFeature extends Disposable {
  readonly configuration: Configuration;
  readonly prepare: ConnectionDeps['prepare'];
  /** True when a start of the server would not ask the person whether it may run. */
  readonly isTrusted: (id: string) => Promise<boolean>;
  /** Fires when launches that were trusted are not any more. */
  readonly onDidWithdrawTrust: Event<void>;
}

/** Reads the configuration and asks what has to be asked before a server is launched. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly logs: Logs;
}): ConfigFeature {
  const { context, logs } = deps;
  const disposables = new DisposableStore();
  const configuration = disposables.add(
    createConfiguration([createSettingsSource(), createMcpJsonSource()], logs.extension),
  );
  disposables.add(createDiagnostics(configuration));
  const inputs = new Inputs(context.secrets, logs);
  const store = new TrustStore(vscode.Uri.joinPath(context.globalStorageUri, 'trust'));
  const withdrawn = disposables.add(new Emitter<void>());
  const question = disposables.add(createTrustQuestion());
  const isProduct = context.extensionMode === vscode.ExtensionMode.Production;
  const trust = createTrust({
    store,
    ask: question.ask,
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
    prepare: createPrepare({ configuration, inputs, trust, logs }),
    async isTrusted(id) {
      const server = configuration.get(id);
      return server !== undefined && trust.isTrusted(server, await resolveLaunch(server));
    },
    onDidWithdrawTrust: withdrawn.event,
    dispose: () => disposables.dispose(),
  };
}
