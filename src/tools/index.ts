import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { AuditLog } from '../audit/auditLog';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Servers } from '../mcp/servers';
import type { RunTool, ToolCall, ToolOutcome } from '../contracts/toolCalls';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import type { Questions } from '../ui/questions/questions';
import { Command, Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { Logs } from '../ui/logs';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import type { TreeSection } from '../ui/tree';
import { Approvals } from './gate/approvals';
import { createGate } from './createGate';
import { LastArguments } from './run/lastArguments';
import { manageApprovals } from './approvals/manageApprovals';
import { openAuditLog } from '../audit/openAuditLog';
import { Outcomes } from './run/outcomes';
import { RunningCalls } from './run/runningCalls';
import { replayCall, runToolCommand, type RunningParts } from './run/runToolCommand';
import { registerSelectionAction, runToolOnSelection } from './run/runToolOnSelection';
import { ToolLog } from '../audit/toolLog';
import { toolSection } from './toolSection';

/** Tools in the tree and the palette, and the one gate that every call of a tool passes. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly servers: Servers;
  readonly logs: Logs;
  readonly input: DocumentInput;
  readonly files: MemoryFiles;
  readonly schemas: SchemaCheck;
  readonly questions: Questions;
  /** True for servers that the person's own settings configure, not a workspace. */
  readonly isOwn: (serverId: string) => boolean;
  /** The document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}): Disposable & {
  readonly section: TreeSection;
  readonly run: RunTool;
  readonly auditLog: AuditLog;
  /** Shows the person how a call ended. */
  readonly showOutcome: (call: ToolCall, outcome: ToolOutcome) => Promise<void>;
} {
  const { context, servers, logs, input, files, schemas, questions, isOwn, resourceUri } = deps;
  const store = new DisposableStore();
  const approvals = new Approvals({
    workspace: context.workspaceState,
    always: context.globalState,
  });
  const auditLog = openAuditLog(context, logs);
  const outcomes = store.add(new Outcomes(files, resourceUri));
  const showOutcome = (call: ToolCall, outcome: ToolOutcome) => outcomes.show(call, outcome);
  const running = store.add(new RunningCalls(showOutcome));
  const run = createGate({
    servers,
    logs,
    approvals,
    auditLog,
    asking: { input, defaultChoice: () => readSetting(Setting.toolDefaultChoice), questions },
    running,
    isOwn,
    schemas,
  });
  const last = new LastArguments(context.workspaceState);
  const parts: RunningParts = { servers, run, last, input, questions, schemas, show: showOutcome };
  const toolLog = store.add(new ToolLog(auditLog));
  store.add(registerSelectionAction(servers));
  store.add(
    registerCommands(logs, {
      [Command.runTool]: (target: unknown) => runToolCommand(target, parts),
      [Command.showRunningTools]: () => running.show(),
      [Command.manageToolApprovals]: () => manageApprovals(approvals, input),
      [Command.runToolOnSelection]: () => runToolOnSelection(parts),
      [Command.showToolLog]: () => toolLog.show(),
      [Command.filterToolLog]: () => toolLog.askFilter(),
      [Command.exportToolLog]: () => toolLog.export(),
      [Command.replayToolCall]: (node: unknown) => replayCall(node, parts),
    }),
  );
  return {
    section: toolSection,
    run,
    auditLog,
    showOutcome,
    dispose: () => store.dispose(),
  };
}
