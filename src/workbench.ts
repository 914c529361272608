import type * as vscode from 'vscode';
import { createApi, type WorkbenchApi } from './api';
import { DisposableStore } from './base/disposable';
import type { Logger } from './base/log';
import { changesKept } from './base/memento';
import { register as registerAgents } from './agents';
import { register as registerApps, type AppsFeature } from './apps';
import { register as registerChat } from './chat';
import { register as registerConfig, type ConfigFeature } from './config';
import { untrustedFolders } from './config/launch/surroundings';
import type { ServerRequestHandlers } from './mcp/protocol/serverRequests';
import { register as registerDevelopment } from './development';
import { createGate } from './gate/createGate';
import { createServers } from './mcp/createServers';
import type { Platform } from './mcp/platform';
import type { FileUri } from './base/uri/fileAddress';
import type { ReadyDebuggerFor } from './mcp/transport/serverTransport';
import { TrafficRecords } from './mcp/traffic/trafficRecorder';
import { createSchemaCheck } from './mcp/schema/jsonSchema';
import { register as registerPrompts } from './prompts';
import { register as registerRequests } from './requests';
import { register as registerResources } from './resources';
import { register as registerRoots } from './roots';
import { register as registerServers } from './servers';
import {
  type ConnectionSources,
  createConnectionDeps,
  reconcileServers,
} from './servers/createConnectionDeps';
import { AdministratorRules } from './config/switches/administratorRules';
import { Traces } from './config/switches/traces';
import { StartPolicy } from './config/launch/startPolicy';
import { ConfiguredStarts } from './servers/configuredStarts';
import { register as registerTesting } from './testing';
import { register as registerSkills } from './skills';
import { register as registerTools } from './tools';
import { register as registerTraffic } from './traffic';
import { ToolSelection } from './offer/offeredTools';
import { registerCommands } from './ui/commands';
import { choiceCommands } from './ui/documents/choiceCommands';
import { DocumentInput } from './ui/documents/documentInput';
import { Command, inputScheme } from './ui/ids';
import { createLogs } from './ui/logs';
import { readKeyClocks } from './ui/questions/typing';
import { createQuestions } from './ui/questions/questions';
import { WorkspaceWriter } from './ui/files/workspaceWriter';
import { createFilterBox } from './ui/rows/filterBox';
import { watchConfiguration } from './ui/settings/readSetting';
import { MemoryFiles } from './ui/documents/memoryFiles';
import { createWalkthrough } from './ui/walkthrough';
import type { WorkbenchWindow } from './ui/window';
import type { UserAction } from './ui/questions/question';

let end: (() => Promise<void>) | undefined;

type CreatePlatform = (
  storage: FileUri,
  log: Logger,
  untrustedFolders: () => readonly string[],
) => Platform;

/** Creates what all features stand on, with the rules and traces that follow what happens in it. */
function createWindow(
  context: vscode.ExtensionContext,
  createPlatform: CreatePlatform,
  store: DisposableStore,
) {
  store.add(watchConfiguration());
  const logs = createLogs();
  const platform = store.add(
    createPlatform(context.globalStorageUri, logs.extension, untrustedFolders),
  );

  // Before anything reads a setting.
  const administrator = store.add(new AdministratorRules(platform.administrator, logs));
  const files = store.add(new MemoryFiles(inputScheme));
  const clocks = readKeyClocks(context, platform.env);
  const input = store.add(new DocumentInput(files, clocks.documents));
  store.add(
    registerCommands(logs, {
      ...choiceCommands(input),
      [Command.otherChoices]: (action: UserAction, uri?: vscode.Uri) =>
        input.offerChoices(action, uri),
    }),
  );
  const traces = store.add(new Traces({ context, logs, platform, administrator }));
  const showNext = (action: UserAction) => input.showNext(action);
  const questions = createQuestions(logs, clocks.questions, showNext, traces.tracing);
  store.add(traces.registerCommands(questions));
  const { ask: askFilter } = store.add(createFilterBox(logs));
  const walkthrough = store.add(createWalkthrough(logs));
  const writer = new WorkspaceWriter(platform);
  const shown = { input, files, walkthrough, askFilter };
  const window: WorkbenchWindow = { context, platform, logs, questions, writer, ...shown };
  return { window, questions, administrator, traces };
}

/** Creates the servers of the configuration, whose launches and traffic are followed. */
function createConnectedServers(
  deps: Omit<ConnectionSources, 'launches' | 'records'>,
  config: ConfigFeature,
  policy: StartPolicy,
  store: DisposableStore,
) {
  const { configuration, launches } = config;
  const records = new TrafficRecords((text) => deps.logs.mask(text));
  const ofConnections = createConnectionDeps({ ...deps, launches, records });
  const servers = store.add(createServers(ofConnections, launches.prepareAnyway));
  store.add(deps.traces.followStarts(servers));
  store.add(reconcileServers(servers, configuration, deps.logs));
  return { servers, records, starts: new ConfiguredStarts(servers, config, policy) };
}

/** Wires the features together for the platform that the editor runs on, and returns the public API. */
export function activateOn(
  context: vscode.ExtensionContext,
  createPlatform: CreatePlatform,
): WorkbenchApi {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const created = createWindow(context, createPlatform, store);
  const { window, questions, administrator, traces } = created;
  const { platform, logs } = window;
  const policy = new StartPolicy(questions);
  const config = store.add(registerConfig({ ...window, administrator, policy }));
  const { configuration, launches } = config;
  const requests: ServerRequestHandlers = {
    listRoots: (server, signal) => roots.listRoots(server, signal),
    createMessage: (...question) => asked.createMessage(...question),
    elicit: (...question) => asked.elicit(...question),
    appTypes: () => apps.appTypes(),
  };
  const debuggerFor: ReadyDebuggerFor = (...start) => development.debuggerFor(...start);
  const forget = async (serverId: string) => {
    await approvals.withdrawOf({ server: serverId });
    for (const feature of [resources, prompts, development, tools]) await feature.forget(serverId);
  };
  const deps = { ...window, requests, debuggerFor, traces, forget };
  const connected = createConnectedServers(deps, config, policy, store);
  const { servers, records, starts } = connected;

  const schemas = createSchemaCheck(platform.runSchemaTask);
  const shared = { ...window, configuration, launches, servers, starts, schemas };
  const gateParts = createGate({ ...shared, administrator, tracing: traces.tracing });
  const { gate, running, auditLog, approvals } = gateParts;
  store.add(running);
  const asked = store.add(registerRequests({ ...shared, auditLog }));
  const { elicit } = asked;
  const apps: AppsFeature = store.add(registerApps({ ...shared, gate, records, elicit }));
  const resources = store.add(registerResources({ ...shared, apps }));
  const { dragAndDrop, extendMarkdownIt, nodesInRoot } = resources;
  const roots = store.add(registerRoots({ ...shared, nodesInRoot }));
  const tools = store.add(registerTools({ ...shared, ...gateParts, resources }));
  const { findRecentCall, outcomes } = tools;
  const ofCalls = { gate, records, outcomes };
  const traffic = store.add(registerTraffic({ ...shared, ...ofCalls, findRecentCall }));
  const development = store.add(registerDevelopment(shared));
  const { notes, onDidStart } = development;
  const ofTesting = { gate, findRecentCall: traffic.findRecentCall, onDidStart };
  store.add(registerTesting({ ...shared, ...ofTesting }));
  const selection = new ToolSelection(context.workspaceState);
  const ofChat = { ...ofCalls, resources, apps, selection };
  const { promptChat, selectTools } = store.add(registerChat({ ...shared, ...ofChat }));
  const ofAgents = { ...gateParts, records, selection, selectTools };
  const agents = store.add(registerAgents({ ...shared, ...ofAgents }));
  const prompts = store.add(registerPrompts({ ...shared, resources, promptChat }));
  const skills = store.add(registerSkills(shared));
  const sections = {
    resources: resources.section,
    resourceTemplates: resources.templateSection,
    prompts: prompts.section,
    tools: tools.section,
    skills: skills.section,
  };
  const tree = {
    tops: [roots, agents.top],
    sections,
    notes: [notes, tools.tasks],
    dragAndDrop,
    forget,
  };
  store.add(registerServers({ ...shared, ...tree, config, policy, auditLog }));
  // Added last, to be disposed of first: questions end because the window closed, not because a server stopped.
  store.add(questions);
  end = async () => {
    store.dispose();
    const kept = [context.globalState, context.workspaceState].map(changesKept);
    await Promise.all([auditLog.pending.settled(), servers.ended(), ...kept]);
    await traces.end();
    // Servers may log something as they end, which a disposed channel would reject.
    logs.dispose();
  };
  return Object.assign(store.add(createApi(servers, starts)), { extendMarkdownIt });
}

/**
 * Ends everything as the window closes; resolves when the servers have ended, the outcomes of calls and questions are
 * logged, and no other window can undo what was taken back in this one.
 */
export async function deactivate(): Promise<void> {
  await end?.();
}
