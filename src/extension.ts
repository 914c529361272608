import type * as vscode from 'vscode';
import { createApi, type WorkbenchApi } from './api';
import { DisposableStore } from './base/disposable';
import { register as registerChat } from './chat';
import { register as registerConfig } from './config';
import type { ClientRequests } from './mcp/protocol/clientRequests';
import { createServers } from './mcp/createServers';
import { SchemaThread } from './mcp/node/schema/schemaThread';
import { createSchemaCheck } from './mcp/schema/jsonSchema';
import { createOwnEnvironment } from './mcp/node/commands/searchPath';
import { register as registerPrompts } from './prompts';
import { register as registerRequests } from './requests';
import { register as registerResources } from './resources';
import { register as registerRoots } from './roots';
import { register as registerServers } from './servers';
import { createConnectionDeps } from './servers/connectionDeps';
import { reconcileServers } from './servers/reconcileServers';
import { StartPolicy } from './servers/startPolicy';
import { createStartServer } from './servers/startServer';
import { register as registerTools } from './tools';
import { DocumentInput } from './ui/documents/documentInput';
import { inputScheme } from './ui/ids';
import { createLogs } from './ui/logs';
import { readKeyClock } from './ui/questions/keyClock';
import { createQuestions } from './ui/questions/questions';
import { MemoryFiles } from './ui/documents/memoryFiles';

/** Called by the editor once it has started; wires the parts together and returns the public API. */
export function activate(context: vscode.ExtensionContext): WorkbenchApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const logs = store.add(createLogs());

  const files = store.add(new MemoryFiles(inputScheme));
  const input = store.add(new DocumentInput(files));
  const questions = store.add(createQuestions(logs, readKeyClock(context)));
  const policy = new StartPolicy(() => questions.noteAction());
  const environment = createOwnEnvironment(logs.extension);
  const asking = { context, logs, questions, input };
  const isWanted = (id: string) => policy.isWanted(id);
  const config = store.add(registerConfig({ ...asking, environment, isWanted }));
  const { configuration, launchPrint } = config;
  const prepare = policy.guard(config.prepare);
  const requests: ClientRequests = {
    listRoots: (server, signal) => roots.listRoots(server, signal),
    createMessage: (...question) => asked.createMessage(...question),
    elicit: (...question) => asked.elicit(...question),
  };
  const connectionDeps = { ...asking, requests, prepare, launchPrint, environment };
  const servers = store.add(createServers(createConnectionDeps(connectionDeps)));
  store.add(reconcileServers(servers, configuration, logs));
  const startServer = createStartServer(servers, configuration, policy);

  const isOwn = (id: string) => configuration.get(id)?.reading.scope === 'user';
  const state = context.workspaceState;
  const resources = store.add(registerResources({ servers, logs, state }));
  const { dragAndDrop, extendMarkdownIt } = resources;
  const roots = store.add(
    registerRoots({ servers, logs, state, rowsInRoot: resources.rowsInRoot }),
  );
  const resourceUri = (serverId: string, uri: string) =>
    resources.resourceUriFor(serverId, { uri });
  const schemas = createSchemaCheck(store.add(new SchemaThread()).run);
  const shared = { ...asking, servers, schemas, state, resourceUri, startServer };
  const tools = store.add(registerTools({ ...shared, files, isOwn }));
  const { auditLog, run, showOutcome } = tools;
  const asked = store.add(registerRequests({ ...shared, auditLog }));
  const { sendToChat } = store.add(registerChat({ ...shared, ...config, run, showOutcome }));
  const prompts = store.add(registerPrompts({ ...shared, files, sendToChat }));
  const sections = {
    resources: resources.section,
    resourceTemplates: resources.templateSection,
    prompts: prompts.section,
    tools: tools.section,
  };
  const tree = { roots, sections, dragAndDrop };
  store.add(registerServers({ ...shared, ...tree, config, policy, environment }));
  return Object.assign(store.add(createApi(servers, startServer)), { extendMarkdownIt });
}
