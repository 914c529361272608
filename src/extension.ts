import type * as vscode from 'vscode';
import { createApi, type WorkbenchApi } from './api';
import { DisposableStore } from './base/disposable';
import { errorDetail } from './base/errors';
import { Emitter } from './base/event';
import { register as registerChat } from './chat';
import { createConfiguration } from './config/configuration';
import { createMcpJsonSource } from './config/mcpJsonSource';
import { createSettingsSource } from './config/settingsSource';
import type { Servers } from './mcp/servers';
import { register as registerPrompts } from './prompts';
import { register as registerServers } from './servers';
import { createStartServer } from './servers/startServer';
import { register as registerTools } from './tools';
import { createLogs } from './ui/logs';

/** Called by the editor once it has started; wires the parts together and returns the public API. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const logs = store.add(createLogs());

  const sources = [createSettingsSource(), createMcpJsonSource()];
  const configuration = store.add(createConfiguration(sources, logs.extension));
  const servers: Servers = {
    all: [],
    get: () => undefined,
    onDidChange: new Emitter<void>().event,
    reconcile: () => Promise.resolve(),
    start: () => Promise.resolve([]),
  };
  store.add(
    configuration.onDidChange(({ servers: configured }) => {
      const definitions = configured.map(({ definition }) => definition);
      servers
        .reconcile(definitions)
        .catch((error: unknown) => logs.extension.error(errorDetail(error)));
    }),
  );
  const startServer = createStartServer(servers, configuration);

  const tools = store.add(registerTools({ servers, logs }));
  const chat = store.add(registerChat({ servers, run: tools.run, logs }));
  const prompts = store.add(
    registerPrompts({
      servers,
      logs,
      state: context.workspaceState,
      sendToChat: chat.sendToChat,
    }),
  );
  const sections = {
    resources: { rows: () => [] },
    resourceTemplates: { rows: () => [] },
    prompts: prompts.section,
    tools: tools.section,
  };
  store.add(registerServers({ servers, configuration, logs, sections, startServer }));
  return store.add(createApi(servers, startServer));
}
