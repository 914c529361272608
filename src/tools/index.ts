import { DisposableStore, type Disposable } from '../base/disposable';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Servers } from '../mcp/server';
import type { Launches } from '../config/launch/prepare';
import type { FindRecentCall, OutcomeView } from '../contracts/toolCalls';
import type { CreatedGate } from '../gate/createGate';
import { registerCommands, reportError } from '../ui/commands';
import { Command } from '../ui/ids';
import type { TreeSection } from '../ui/tree';
import { LastArguments } from './run/lastArguments';
import { manageApprovals } from './manageApprovals';
import { exportLog } from '../audit/logSessions';
import { Outcomes } from './run/outcomes';
import { resumeTasks, tellLostCalls } from './run/resumeTasks';
import { replayCall, runAgain, runToolCommand, type RunDeps } from './run/runToolCommand';
import { showToolPage } from './run/toolPage';
import { registerSelectionAction, runToolOnSelection } from './run/runToolOnSelection';
import { ServerTasks } from './run/serverTasks';
import type { ServerNotes } from '../tree/serverNode';
import { Statistics } from '../audit/statistics';
import { ToolLog } from '../audit/toolLog';
import { isToolNode, toolSection } from './toolSection';
import type { UserAction } from '../ui/questions/question';
import type { WorkbenchWindow } from '../ui/window';
import type { ResourceUris } from '../ui/resourceUri';

interface ToolsDeps extends WorkbenchWindow, CreatedGate {
  readonly servers: Servers;
  readonly schemas: SchemaCheck;
  readonly launches: Pick<Launches, 'readiness'>;
  readonly resources: ResourceUris;
}

/** The tools of this window, and what other features need of them. */
interface Tools extends Disposable {
  readonly section: TreeSection;
  readonly findRecentCall: FindRecentCall;
  readonly outcomes: OutcomeView;
  /** The tasks of servers, below their rows. */
  readonly tasks: ServerNotes;
  /** Removes what is kept of what a server said. */
  readonly forget: (serverId: string) => void;
}

/** Registers tools in the tree and the Command Palette. */
export function register(deps: ToolsDeps): Tools {
  const { context, servers, logs, input, files, schemas, questions, resources } = deps;
  const { gate, running, auditLog, openCalls, recentCalls } = deps;
  const store = new DisposableStore();
  const outcomes = store.add(
    new Outcomes(files, {
      resources,
      showLog: (serverId) => logs.show(serverId),
      runAgain: (action, call) => runAgain(action, call, runDeps),
    }),
  );
  const last = new LastArguments(context.workspaceState);
  store.add(
    gate.onDidSend(({ call }) => {
      if (call.origin.kind === 'user') void last.keepOf(call);
    }),
  );
  store.add(
    running.onDidWantOutcome(({ call, outcome, action }) => {
      outcomes.show(call, outcome, action).catch((error: unknown) => reportError(error, logs));
    }),
  );
  const serverTasks = store.add(new ServerTasks({ running, schemas, questions, outcomes, input }));
  store.add(resumeTasks(deps));
  const asks = { input, questions, schemas };
  const runDeps: RunDeps = { servers, gate, last, ...asks, outcomes, recentCalls };
  store.add(registerSelectionAction(servers));
  store.add(registerToolCommands({ ...deps, runDeps, outcomes, serverTasks }));
  void tellLostCalls(openCalls, auditLog);
  return {
    section: toolSection,
    findRecentCall: (target) => outcomes.recentCallOf(target) ?? recentCalls.find(target),
    outcomes,
    tasks: serverTasks.notes,
    forget: (serverId) => serverTasks.forget(serverId),
    dispose: () => store.dispose(),
  };
}

function registerToolCommands({
  logs,
  input,
  files,
  writer,
  askFilter,
  runDeps,
  outcomes,
  serverTasks,
  running,
  approvals,
  auditLog,
}: ToolsDeps & {
  readonly runDeps: RunDeps;
  readonly outcomes: Outcomes;
  readonly serverTasks: ServerTasks;
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
      [Command.showRunningTools]: (action: UserAction) => running.show(action),
      [Command.showTaskResult]: (action: UserAction, node: unknown) =>
        serverTasks.showResult(action, node),
      [Command.showTask]: (action: UserAction, node: unknown) => serverTasks.showTask(action, node),
      [Command.cancelTask]: (_action: UserAction, node: unknown) => serverTasks.cancel(node),
      [Command.refreshTasks]: (_action: UserAction, node: unknown) => serverTasks.refresh(node),
      [Command.clearTasks]: (_action: UserAction, node: unknown) => serverTasks.clear(node),
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
