import * as vscode from 'vscode';
import { within } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail, UserError } from '../base/errors';
import { plainMessage } from '../base/text/text';
import { describeMachine } from '../config/applications/machine';
import { workspaceStore } from '../config/workspaceStore';
import type { CallGate } from '../gate/toolGate';
import type { Platform } from '../mcp/platform';
import type { Servers } from '../mcp/server';
import type { Readiness } from '../mcp/serverState';
import type { AgentListener, BridgeCommand, WindowFacts } from '../mcp/serving/agentPort';
import { OfferedTools, ToolSelection } from '../offer/offeredTools';
import { ResourceServers } from '../offer/resourceServers';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { askOwn, noServer } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { AgentSessions } from './agentSessions';
import { AgentTrust } from './agentTrust';
import { connectAgent, disconnectAgent } from './connectAgent';
import { AgentEntries } from './entries';
import type { UserAction } from '../ui/questions/question';

/** Set once an agent was connected on this machine: until then, no window listens. */
const everConnectedKey = 'agentsConnected';

/** A server that takes longer to start is announced to agents when it is there, in milliseconds. */
const startWaitMs = 5000;

/** Lets agents outside of the editor use the servers of this window, and the user decide which. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly platform: Platform;
  readonly servers: Servers;
  readonly gate: CallGate;
  readonly readiness: (id: string) => Promise<Readiness>;
  /** Removes all that was allowed to an agent. */
  readonly withdrawApprovals: (agent: string) => Promise<void>;
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly writer: WorkspaceWriter;
  readonly logs: Logs;
}): Disposable {
  const { context, platform, servers, questions, logs } = deps;
  const store = new DisposableStore();
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'agents');
  const entries = new AgentEntries(vscode.Uri.joinPath(folder, 'entries'), platform.files);
  const trust = new AgentTrust(workspaceStore(context), questions);
  const { version } = context.extension.packageJSON as { readonly version: string };
  const selection = new ToolSelection(context.workspaceState);
  const sessions = store.add(
    new AgentSessions({
      ...deps,
      entries,
      trust,
      tools: new OfferedTools({ servers, selection, log: logs.extension }),
      resources: new ResourceServers(servers),
      startUnknown: () => startUnknown(deps),
      onWait: createWaitNotice(),
      log: logs.extension,
      info: { name: 'mcp-workbench', title: 'MCP Workbench', version },
    }),
  );
  store.add(
    entries.onDidRemove(({ id }) => {
      sessions.close(id);
      void Promise.all([trust.forget({ id }), deps.withdrawApprovals(id)]).catch((error: unknown) =>
        logs.extension.error(errorDetail(error)),
      );
    }),
  );
  const listening = createListening({ ...deps, folder, sessions, store });
  if (context.globalState.get(everConnectedKey) === true)
    listening.begin().catch((error: unknown) => logs.extension.error(errorDetail(error)));
  const connecting = () => ({
    ...deps,
    entries,
    machine: describeMachine(platform, context.globalStorageUri),
    serverNames: () => servers.all.map(({ name }) => name),
    prepare: async () => {
      const command = await listening.begin();
      await context.globalState.update(everConnectedKey, true);
      return command;
    },
  });
  store.add(
    registerCommands(logs, {
      [Command.connectAgent]: async (asked: UserAction) => {
        const own = { server: noServer, what: vscode.l10n.t('Connect an Agent'), asked };
        const connect = connecting();
        const done = await askOwn(questions, own, (question) => connectAgent(connect, question));
        if (done !== undefined) void vscode.window.showInformationMessage(plainMessage(done));
      },
      [Command.disconnectAgent]: async (asked: UserAction) => {
        const own = { server: noServer, what: vscode.l10n.t('Disconnect an Agent'), asked };
        const done = await askOwn(questions, own, (question) =>
          disconnectAgent({ ...deps, entries }, question),
        );
        if (done !== undefined) void vscode.window.showInformationMessage(plainMessage(done));
      },
    }),
  );
  return store;
}

/** Listens once it is wanted, and keeps what agents are told of this window up to date. */
function createListening({
  context,
  platform,
  logs,
  folder,
  sessions,
  store,
}: {
  readonly context: vscode.ExtensionContext;
  readonly platform: Platform;
  readonly logs: Logs;
  readonly folder: vscode.Uri;
  readonly sessions: AgentSessions;
  readonly store: DisposableStore;
}): { readonly begin: () => Promise<BridgeCommand> } {
  let usedAt = Date.now();
  const facts = (): WindowFacts => ({
    folders: (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
      uri.scheme === 'file' ? [uri.fsPath] : [],
    ),
    usedAt,
  });
  const follow = (listener: AgentListener) => {
    store.add(listener);
    const update = () =>
      void listener.update(facts()).catch((error: unknown) => {
        logs.extension.warn(errorDetail(error));
      });
    store.add(vscode.workspace.onDidChangeWorkspaceFolders(update));
    store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) return;
        usedAt = Date.now();
        update();
      }),
    );
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(folder, 'entries'), '*.json');
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern, true, true, false));
    // Another window has removed it.
    watcher.onDidDelete(({ path }) =>
      sessions.close(path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')),
    );
  };
  const begin = async () => {
    const { agents } = platform;
    if (!agents)
      throw new UserError(
        vscode.l10n.t(
          'Agents cannot reach this window. Open the folder in a desktop or remote window.',
        ),
      );
    const program = vscode.Uri.joinPath(context.extensionUri, 'dist', 'bridge.js');
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(program));
    const command = await agents.installBridge(folder, text);
    follow(await agents.listen(folder, facts(), sessions));
    return command;
  };
  let begun: Promise<BridgeCommand> | undefined;
  return {
    begin: () => {
      begun ??= begin().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
  };
}

/** Starts the servers whose tools were never seen, as far as nothing has to be asked, and waits for them briefly. */
async function startUnknown({
  servers,
  readiness,
}: {
  readonly servers: Servers;
  readonly readiness: (id: string) => Promise<Readiness>;
}): Promise<void> {
  await servers.ready;
  const starting = servers.all.map(async (server) => {
    const isUnknown = server.state.kind === 'stopped' && server.tools.status === 'empty';
    if (isUnknown && (await readiness(server.id)) === 'trusted') await server.start();
  });
  await within(Promise.all(starting), startWaitMs);
}

/** Tells a user who looks elsewhere that an agent waits for them: one notification at a time. */
function createWaitNotice(): (label: string) => void {
  let isShown = false;
  return (label) => {
    if (vscode.window.state.focused || isShown) return;
    isShown = true;
    const { t } = vscode.l10n;
    const show = t('Show');
    void vscode.window
      .showInformationMessage(plainMessage(t('{0} waits for your answer.', label)), show)
      .then((choice) => {
        isShown = false;
        if (choice === show) void vscode.commands.executeCommand(Command.showQuestions);
      });
  };
}
