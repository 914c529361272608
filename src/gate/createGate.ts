import type { AuditLog } from '../audit/auditLog';
import { type CallAudit, createCallAudit } from '../audit/callAudit';
import { openAuditLog, windowRetention } from '../audit/openAuditLog';
import type { Tracing } from '../base/tracing';
import type { Configuration } from '../config/configuration';
import { managedValue } from '../config/switches/administrator';
import type { AdministratorRules } from '../config/switches/administratorRules';
import { extensionToolsSetting } from '../config/switches/serverRules';
import { workspaceStore } from '../config/workspaceStore';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Servers } from '../mcp/server';
import { Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { WorkbenchWindow } from '../ui/window';
import { CallQuestions } from './ask/callQuestions';
import { Approvals } from './decide/approvals';
import type { ToolPolicy } from './decide/policy';
import { RecentCalls } from './recentCalls';
import { OpenCalls, OpenTasks } from './send/openTasks';
import { RunningCalls } from './send/runningCalls';
import { ToolGate } from './toolGate';

/**
 * Returns the policy in force: the user's settings, made stricter by those of the workspace and each of its
 * folders, and by an administrator's.
 */
export function readPolicy(administrator?: { readonly problem: unknown }): ToolPolicy {
  return {
    servers: readSetting(Setting.toolServerPolicy),
    deny: readSetting(Setting.toolDenyList),
    ask: readSetting(Setting.toolAskList),
    trustReadOnlyHint: readSetting(Setting.toolTrustReadOnlyHint),
    maxCalls: {
      minute: readSetting(Setting.toolMaxCallsPerMinute),
      answer: readSetting(Setting.toolMaxCallsPerAnswer),
    },
    taint: readSetting(Setting.toolTaint),
    ...(managedValue(extensionToolsSetting) === false && { forbids: 'models' }),
    ...(administrator?.problem !== undefined && { forbids: 'all' }),
  };
}

/** The gate of a window, and what it writes down and keeps of the calls that pass it. */
export interface CreatedGate {
  readonly gate: ToolGate;
  readonly approvals: Approvals;
  readonly auditLog: AuditLog;
  readonly audit: CallAudit;
  /** To be disposed of with the window. */
  readonly running: RunningCalls;
  readonly tasks: OpenTasks;
  readonly openCalls: OpenCalls;
  readonly recentCalls: RecentCalls;
}

interface CreateGateDeps extends WorkbenchWindow {
  readonly administrator: AdministratorRules;
  readonly configuration: Configuration;
  readonly servers: Servers;
  readonly schemas: SchemaCheck;
  readonly tracing: Tracing;
}

/** Creates the one gate of a window. */
export function createGate(deps: CreateGateDeps): CreatedGate {
  const { context, administrator, configuration, servers, logs, input, schemas, tracing } = deps;
  const approvals = new Approvals({
    workspace: workspaceStore(context),
    always: context.globalState,
  });
  const auditLog = openAuditLog(context, deps.platform.files, logs, administrator);
  const audit = createCallAudit(auditLog, windowRetention(logs));
  const running = new RunningCalls();
  const tasks = new OpenTasks(context.workspaceState);
  const openCalls = new OpenCalls(context.workspaceState, context.storageUri?.path ?? '');
  const recentCalls = new RecentCalls();
  const log = logs.extension;
  const policy = () => readPolicy(administrator);
  const defaultChoice = () => readSetting(Setting.toolDefaultChoice);
  const gate = new ToolGate({
    facts: { configuration, servers, approvals, policy, schemas, log },
    questions: new CallQuestions(deps.questions, input, defaultChoice),
    audit,
    pending: auditLog.pending,
    running,
    tasks,
    openCalls,
    recentCalls,
    tracing,
  });
  return { gate, approvals, auditLog, audit, running, tasks, openCalls, recentCalls };
}
