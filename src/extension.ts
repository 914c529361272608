import type * as vscode from 'vscode';
import { createApi, type WorkbenchApi } from './api';
import { DisposableStore } from './base/disposable';
import { errorDetail } from './base/errors';
import { register as registerChat } from './chat';
import { createConfiguration } from './config/configuration';
import { createMcpJsonSource } from './config/mcpJsonSource';
import { createPrepare } from './config/prepare';
import { createSettingsSource } from './config/settingsSource';
import type { ClientRequests } from './mcp/clientRequests';
import { createServers } from './mcp/createServers';
import { register as registerPrompts } from './prompts';
import { register as registerResources } from './resources';
import { toResourceUri } from './resources/resourceUri';
import { register as registerServers } from './servers';
import { createConnectionDeps } from './servers/connectionDeps';
import { listRoots } from './servers/roots';
import { createStartServer } from './servers/startServer';
import { register as registerTools } from './tools';
import { DocumentInput } from './ui/documentInput';
import { inputScheme } from './ui/ids';
import { createLogs } from './ui/logs';
import { MemoryFiles } from './ui/memoryFiles';

/** Called by the editor once it has started; wires the parts together and returns the public API. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const logs = store.add(createLogs());

  const sources = [createSettingsSource(), createMcpJsonSource()];
  const configuration = store.add(createConfiguration(sources, logs.extension));
  const requests: ClientRequests = { listRoots: () => Promise.resolve(listRoots()) };
  const prepare = createPrepare();
  const servers = store.add(
    createServers(createConnectionDeps({ context, logs, requests, prepare })),
  );
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
  const files = store.add(new MemoryFiles(inputScheme));
  const input = store.add(new DocumentInput(files));
  const prompts = store.add(
    registerPrompts({
      servers,
      logs,
      files,
      input,
      state: context.workspaceState,
      sendToChat: chat.sendToChat,
      resourceUri: (serverId, uri) => toResourceUri({ serverId, uri }),
    }),
  );
  const resources = store.add(registerResources({ servers, logs }));
  const sections = {
    resources: resources.section,
    resourceTemplates: resources.templateSection,
    prompts: prompts.section,
    tools: tools.section,
  };
  store.add(registerServers({ servers, configuration, logs, sections, startServer }));
  return store.add(createApi(servers, startServer));
}
