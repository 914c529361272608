import type * as vscode from 'vscode';
import type { Tracing } from '../base/tracing';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { AuditLog } from '../audit/auditLog';
import type { Platform } from '../mcp/platform';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Servers } from '../mcp/server';
import type { CallListener, FindRecentCall } from '../contracts/toolCalls';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Questions } from '../ui/questions/questions';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command, Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { Logs } from '../ui/logs';
import type { AskFilter } from '../ui/rows/filterBox';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import type { TreeSection } from '../ui/tree';
import { Approvals } from '../gate/decide/approvals';
import { CallQuestions } from '../gate/ask/callQuestions';
import { readPolicy } from '../gate/decide/policy';
import { ToolGate } from '../gate/toolGate';
import { RecentCalls } from '../gate/recentCalls';
import { LastArguments } from './run/lastArguments';
import { manageApprovals } from './manageApprovals';
import { workspaceStore } from '../config/workspaceStore';
import { createCallAudit } from '../audit/callAudit';
import { exportLog } from '../audit/logSessions';
import type { AdministratorRules } from '../config/switches/administratorRules';
import { openAuditLog, windowRetention } from '../audit/openAuditLog';
import { Outcomes } from './run/outcomes';
import { OpenCalls, OpenTasks } from '../gate/send/openTasks';
import { resumeTasks, tellLostCalls } from './run/resumeTasks';
import { RunningCalls } from '../gate/send/runningCalls';
import { replayCall, runAgain, runToolCommand, type RunDeps } from './run/runToolCommand';
import { showToolPage } from './run/toolPage';
import { registerSelectionAction, runToolOnSelection } from './run/runToolOnSelection';
import { taskRows } from './run/serverTasks';
import { Statistics } from '../audit/statistics';
import { ToolLog } from '../audit/toolLog';
import { isToolNode, toolSection } from './toolSection';
import type { UserAction } from '../ui/questions/question';

interface ToolsDeps {
  readonly context: vscode.ExtensionContext;
  readonly platform: Platform;
  readonly administrator: AdministratorRules;
  readonly writer: WorkspaceWriter;
  readonly servers: Servers;
  readonly logs: Logs;
  readonly input: DocumentInput;
  readonly files: MemoryFiles;
  readonly schemas: SchemaCheck;
  readonly questions: Questions;
  /** True for servers that the user's own settings configure, not a workspace. */
  readonly isOwn: (serverId: string) => boolean;
  /** Resolves with true for servers that start without asking the user. */
  readonly isTrusted: (serverId: string) => Promise<boolean>;
  /** Returns the URI of the document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  readonly onCall: CallListener;
  readonly askFilter: AskFilter;
  readonly tracing: Tracing;
}

/** The tools of this window, and what other features need of them. */
interface Tools extends Disposable {
  readonly section: TreeSection;
  readonly gate: ToolGate;
  readonly auditLog: AuditLog;
  readonly findRecentCall: FindRecentCall;
  /** Removes all that was allowed to an agent, by its entry. */
  readonly withdrawApprovals: (agent: string) => Promise<void>;
  /** Shows the user how a call ended. */
  readonly showOutcome: RunDeps['show'];
}

/** Registers tools in the tree and the Command Palette, and creates this window's gate. */
export function register(deps: ToolsDeps): Tools {
  const { context, servers, logs, input, files, schemas, questions, isOwn, resourceUri } = deps;
  const { isTrusted, platform, administrator, tracing } = deps;
  const store = new DisposableStore();
  const approvals = new Approvals({
    workspace: workspaceStore(context),
    always: context.globalState,
  });
  const auditLog = openAuditLog(context, platform.files, logs, administrator);
  const outcomes = store.add(
    new Outcomes(files, {
      resourceUri,
      showLog: (serverId) => logs.show(serverId),
      runAgain: (action, call) => runAgain(action, call, runDeps),
    }),
  );
  const showOutcome: RunDeps['show'] = (call, outcome, permit) =>
    outcomes.show(call, outcome, permit);
  const running = store.add(new RunningCalls(showOutcome));
  const audit = createCallAudit(auditLog, windowRetention(logs));
  const tasks = new OpenTasks(context.workspaceState);
  const openCalls = new OpenCalls(context.workspaceState, context.storageUri?.path ?? '');
  const recentCalls = new RecentCalls();
  const last = new LastArguments(context.workspaceState);
  const onCall: CallListener = (call, ended) => {
    if (call.origin.kind === 'user') void last.keepOf(call);
    deps.onCall(call, ended);
  };
  const log = logs.extension;
  const gate = new ToolGate({
    facts: { servers, approvals, policy: () => readPolicy(administrator), isOwn, schemas, log },
    questions: new CallQuestions(questions, input, () => readSetting(Setting.toolDefaultChoice)),
    audit,
    pending: auditLog.pending,
    running,
    tasks,
    openCalls,
    recentCalls,
    onCall,
    tracing,
  });
  store.add(resumeTasks({ servers, tasks, openCalls, running, audit, schemas, isTrusted }));
  const asks = { input, questions, schemas };
  const recent: RunDeps['recent'] = (outcome) => recentCalls.of(outcome);
  const runDeps: RunDeps = { servers, gate, last, ...asks, show: showOutcome, recent };
  store.add(registerSelectionAction(servers));
  store.add(registerToolCommands({ ...deps, runDeps, outcomes, running, approvals, auditLog }));
  void tellLostCalls(openCalls, auditLog);
  return {
    section: toolSection,
    gate,
    auditLog,
    findRecentCall: (target) => outcomes.recentCallOf(target) ?? recentCalls.find(target),
    withdrawApprovals: (agent) => approvals.withdrawOf(agent),
    showOutcome,
    dispose: () => store.dispose(),
  };
}

function registerToolCommands({
  servers,
  logs,
  input,
  files,
  schemas,
  questions,
  writer,
  askFilter,
  runDeps,
  outcomes,
  running,
  approvals,
  auditLog,
}: ToolsDeps & {
  readonly runDeps: RunDeps;
  readonly outcomes: Outcomes;
  readonly running: RunningCalls;
  readonly approvals: Approvals;
  readonly auditLog: AuditLog;
}): Disposable {
  const store = new DisposableStore();
  const toolLog = store.add(new ToolLog(auditLog, files));
  const statistics = store.add(new Statistics(auditLog, files));
  store.add(
    registerCommands(logs, {
      [Command.runTool]: (action: UserAction, target: unknown) =>
        runToolCommand(action, target, runDeps),
      [Command.runToolAgain]: (action: UserAction, target: unknown) =>
        runAgain(action, outcomes.callOf(target), runDeps),
      [Command.runToolAgainWith]: (action: UserAction, target: unknown) =>
        runAgain(action, outcomes.callOf(target), runDeps, { isFilledIn: false }),
      [Command.showCallOfResult]: (action: UserAction, target: unknown) =>
        outcomes.showCall(action, target),
      [Command.showRunningTools]: (action: UserAction) =>
        running.show(
          action,
          taskRows(servers, { running, schemas, questions, show: runDeps.show }),
        ),
      [Command.manageToolApprovals]: (action: UserAction, node: unknown) =>
        manageApprovals(action, { approvals, input, writer }, isToolNode(node) ? node : undefined),
      [Command.showToolDefinition]: (action: UserAction, node: unknown) =>
        showToolPage(action, node, runDeps),
      [Command.runToolOnSelection]: (action: UserAction, node: unknown) =>
        runToolOnSelection(action, node, runDeps),
      [Command.showToolLog]: (action: UserAction) => toolLog.show(action),
      [Command.showLogEntry]: (action: UserAction, entry?: unknown) =>
        toolLog.showEntry(action, entry),
      [Command.filterToolLog]: (action: UserAction, given?: unknown, name?: unknown) =>
        toolLog.typeFilter(askFilter, action, given, name),
      [Command.showStatistics]: (action: UserAction) => statistics.show(action),
      [Command.exportToolLog]: (action: UserAction) =>
        exportLog(action, auditLog, toolLog.filter, writer),
      [Command.replayToolCall]: (action: UserAction, node: unknown) =>
        replayCall(action, node, runDeps),
    }),
  );
  return store;
}
