import * as vscode from 'vscode';
import { within } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { describeMachine } from '../config/applications/machine';
import { workspaceStore } from '../config/workspaceStore';
import type { Approvals } from '../gate/decide/approvals';
import type { CallGate } from '../gate/toolGate';
import type { Platform } from '../mcp/platform';
import { type Servers, isUnseen } from '../mcp/server';
import type { Launches } from '../config/launch/prepare';
import type { AgentListener, BridgeCommand, WindowFacts } from '../mcp/serving/agentPort';
import type { TrafficRecords } from '../mcp/traffic/trafficRecorder';
import { OfferedTools, type SelectTools, type ToolSelection } from '../offer/offeredTools';
import { ResourceServers } from '../offer/resourceServers';
import type { TopNode } from '../tree/serverTree';
import { registerCommands, reportError, runCommand } from '../ui/commands';
import { maxOwnBytes, readFileInUtf8 } from '../ui/documents/readTextFile';
import { Command, Setting } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { onDidChangeSettings, readSetting, updateForUser } from '../ui/settings/readSetting';
import { askOwn, noServer } from '../ui/questions/askOwn';
import { showMessage } from '../ui/messages';
import type { QuestionContext, UserAction } from '../ui/questions/question';
import type { WorkbenchWindow } from '../ui/window';
import { AgentsNode, isAgentNode } from './agentNodes';
import { AgentSessions } from './agentSessions';
import { AgentTrust } from './agentTrust';
import { connectAgent, disconnectAgent, pickAgent, type AgentPick } from './connectAgent';
import { AgentEntries, type AgentEntry } from './entries';
import { agentPortOf, HttpListening } from './httpListening';

/** Set once an agent was connected on this machine: until then, no window listens. */
const everConnectedKey = 'agentsConnected';

/** An agent gets up to this many tools as they are, unless the user sets another number for it. */
const defaultMaxTools = 128;

/** A server that takes longer to start is announced to agents when it is there, in milliseconds. */
const startWaitMs = 5000;

interface AgentsDeps extends WorkbenchWindow {
  readonly servers: Servers;
  readonly gate: CallGate;
  readonly launches: Pick<Launches, 'readiness'>;
  readonly approvals: Pick<Approvals, 'withdrawOf'>;
  readonly selection: ToolSelection;
  readonly selectTools: SelectTools;
  readonly records: TrafficRecords;
}

/** Lets agents outside of the editor use the servers of this window, and the user decide which. */
export function register(deps: AgentsDeps): Disposable & { readonly top: TopNode } {
  const { context, platform, servers, questions, selection, logs } = deps;
  const store = new DisposableStore();
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'agents');
  const entries = new AgentEntries(vscode.Uri.joinPath(folder, 'entries'), platform.files);
  const trust = new AgentTrust(workspaceStore(context), questions);
  const { version } = context.extension.packageJSON as { readonly version: string };
  const log = logs.extension;
  const failed = (error: unknown) => log.error(errorDetail(error));
  const sessions = store.add(
    new AgentSessions({
      ...deps,
      entries,
      trust,
      toolsOf: ({ id }) => new OfferedTools({ servers, selection: selection.ofAgent(id), log }),
      maxToolsOf: ({ label }) => {
        const limits = readSetting(Setting.agentMaxTools);
        return (Object.hasOwn(limits, label) ? limits[label] : undefined) ?? defaultMaxTools;
      },
      resources: new ResourceServers(servers),
      startUnknown: () => startUnknown(deps),
      records: deps.records,
      alertUser: createUserAlert(),
      log,
      info: { name: 'mcp-workbench', title: 'MCP Workbench', version },
    }),
  );
  store.add(onDidChangeSettings([Setting.agentMaxTools], () => sessions.announceAll()));
  const top = store.add(new AgentsNode(entries, sessions));
  const forget = async ({ id }: Pick<AgentEntry, 'id'>) => {
    await trust.forget({ id });
    sessions.withdraw(id);
    await deps.approvals.withdrawOf({ agent: id });
  };
  store.add(
    entries.onDidRemove((id) => {
      sessions.close(id);
      deps.records.discardAgent(id);
      Promise.all([forget({ id }), selection.forgetAgent(id)]).catch(failed);
    }),
  );
  const listening = createListening({ ...deps, folder, entries, sessions, store });
  const tell = (text: string) => void showMessage('warning', text);
  const http = store.add(new HttpListening({ ...deps, entries, tell }, sessions));
  const wasConnected = () => context.globalState.get(everConnectedKey) === true;
  const followHttp = () => {
    if (!readSetting(Setting.agentHttp)) {
      http.end();
      sessions.closeHttp();
    } else if (wasConnected()) http.begin().catch((error: unknown) => reportError(error, logs));
  };
  store.add(onDidChangeSettings([Setting.agentHttp], followHttp));
  if (wasConnected()) {
    listening.begin().catch(failed);
    top.load().catch(failed);
    followHttp();
  }
  const prepare = async () => {
    const command = await listening.begin();
    await context.globalState.update(everConnectedKey, true);
    return command;
  };
  const prepareHttp = async () => {
    await prepare();
    if (!readSetting(Setting.agentHttp)) await updateForUser(Setting.agentHttp, true);
    return (await http.begin()).url;
  };
  store.add(registerAgentCommands(deps, { entries, prepare, prepareHttp, forget }));
  return { top, dispose: () => store.dispose() };
}

function registerAgentCommands(
  deps: AgentsDeps,
  own: {
    readonly entries: AgentEntries;
    readonly prepare: () => Promise<BridgeCommand>;
    readonly prepareHttp: () => Promise<string>;
    readonly forget: (entry: AgentEntry) => Promise<void>;
  },
): Disposable {
  const { context, platform, servers, questions, selection, logs } = deps;
  const { entries, prepare, prepareHttp, forget } = own;
  const { t } = vscode.l10n;
  const tell = (done: string | undefined) => {
    if (done !== undefined) void showMessage('info', done);
  };
  /** Asks in the queue for the agent that a command is for, unless it was run on the row of one. */
  const withAgent = <T>(
    asked: UserAction,
    row: unknown,
    pick: AgentPick,
    run: (entry: AgentEntry, context: QuestionContext) => Promise<T>,
  ) =>
    askOwn(questions, { server: noServer, what: pick.title, asked }, async (question) => {
      const entry = isAgentNode(row)
        ? row.agent
        : await pickAgent(entries, { ...pick, context: question });
      return entry && run(entry, question);
    });
  return registerCommands(logs, {
    [Command.connectAgent]: async (asked: UserAction) => {
      const connect = {
        ...deps,
        entries,
        prepare,
        prepareHttp,
        machine: describeMachine(platform, context.globalStorageUri),
        serverNames: () => servers.all.map(({ name }) => name),
      };
      const question = { server: noServer, what: t('Connect an Agent'), asked };
      tell(await askOwn(questions, question, (shown) => connectAgent(connect, shown)));
    },
    [Command.disconnectAgent]: async (asked: UserAction, row: unknown) => {
      const pick = {
        title: t('Disconnect an Agent'),
        placeholder: t('Select the agent that should not use your servers any longer'),
      };
      tell(
        await withAgent(asked, row, pick, (entry, question) =>
          disconnectAgent({ ...deps, entries }, entry, question),
        ),
      );
    },
    [Command.forgetAgent]: async (asked: UserAction, row: unknown) => {
      const pick = {
        title: t('Forget Trust and Approvals of an Agent'),
        placeholder: t('Select the agent that should be asked about again'),
      };
      const done = async (entry: AgentEntry) => {
        await forget(entry);
        return t('{0} is offered nothing now. You are asked when it connects again.', entry.label);
      };
      tell(await withAgent(asked, row, pick, done));
    },
    [Command.selectAgentTools]: async (asked: UserAction, row: unknown) => {
      const pick = {
        title: t('Select Tools for an Agent'),
        placeholder: t('Select the agent whose tools you want to select'),
      };
      const entry = await withAgent(asked, row, pick, (one) => Promise.resolve(one));
      if (entry) await deps.selectTools(asked, selection.ofAgent(entry.id), entry.label);
    },
  });
}

/** Listens once it is wanted, and keeps what agents are told of this window up to date. */
function createListening({
  context,
  platform,
  logs,
  folder,
  entries,
  sessions,
  store,
}: {
  readonly context: vscode.ExtensionContext;
  readonly platform: Platform;
  readonly logs: Logs;
  readonly folder: vscode.Uri;
  readonly entries: AgentEntries;
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
    const watcher = store.add(
      vscode.workspace.createFileSystemWatcher(pattern, false, true, false),
    );
    // Another window has added or removed one.
    watcher.onDidCreate(() => entries.noteChange());
    watcher.onDidDelete((uri) => void entries.noteDeleted(uri));
  };
  const begin = async () => {
    const agents = agentPortOf(platform);
    const program = vscode.Uri.joinPath(context.extensionUri, 'dist', 'bridge.js');
    const text = await readFileInUtf8(program, maxOwnBytes);
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
  launches,
}: Pick<AgentsDeps, 'servers' | 'launches'>): Promise<void> {
  await servers.ready;
  const starting = servers.all.map(async (server) => {
    if (isUnseen(server) && (await launches.readiness(server.id)) === 'ready') await server.start();
  });
  await within(Promise.all(starting), startWaitMs);
}

/** Tells a user who looks elsewhere that an agent waits for them: one notification at a time. */
function createUserAlert(): (label: string) => void {
  let isShown = false;
  return (label) => {
    if (vscode.window.state.focused || isShown) return;
    isShown = true;
    const { t } = vscode.l10n;
    const show = t('Show');
    void showMessage('info', t('{0} waits for your answer.', label), show).then((choice) => {
      isShown = false;
      if (choice) void runCommand(choice.action, Command.showQuestions);
    });
  };
}
