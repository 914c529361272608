import type { AuditLog } from '../audit/auditLog';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Servers } from '../mcp/servers';
import type { RunTool, ToolCall } from '../contracts/toolCalls';
import type { Logs } from '../ui/logs';
import type { Approvals } from './gate/approvals';
import { createAsk, type AskingParts } from './ask/askUser';
import { createCallAudit } from '../audit/callAudit';
import { CallCounter } from './gate/callCounter';
import { isOpenWorld } from './gate/policy';
import { Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import { readPolicy } from './approvals/policySettings';
import { monotonicNow } from '../audit/monotonicNow';
import type { Ask } from './gate/question';
import type { RunningCalls } from './run/runningCalls';
import { authorize } from './gate/authorize';
import { UntrustedConversations } from './gate/untrustedConversations';
import { createToolRunner } from './run/toolRunner';
import { collectFacts, type FactSources } from './gate/collectFacts';

/** Puts the gate together from the rules, the memory, the questions and the log of this window. */
export function createGate(deps: {
  readonly servers: Servers;
  readonly logs: Logs;
  readonly approvals: Approvals;
  readonly auditLog: AuditLog;
  readonly asking: AskingParts;
  readonly running: RunningCalls;
  readonly isOwn: (serverId: string) => boolean;
  readonly schemas: SchemaCheck;
}): RunTool {
  const { servers, logs, approvals, auditLog, asking, running, isOwn, schemas } = deps;
  const log = logs.extension;
  const counter = new CallCounter(Date.now);
  const untrustedConversations = new UntrustedConversations();
  const factSources: FactSources = {
    servers,
    approvals,
    policy: readPolicy,
    isOwn,
    counter,
    untrustedConversations,
    schemas,
    log,
  };
  const ask = createAsk(asking);
  return createToolRunner({
    authorize: (call, signal, onAsk) => {
      const askAndTell: Ask = (...question) => {
        onAsk();
        return ask(...question);
      };
      const parts = {
        collectFacts: (each: ToolCall) => collectFacts(each, factSources),
        approvals,
        ask: askAndTell,
      };
      return authorize(call, parts, signal);
    },
    audit: createCallAudit(auditLog, () => readSetting(Setting.toolLogArguments)),
    schemas,
    onSend: ({ origin }) => counter.count(origin),
    onAnswer: ({ origin, tool }) => {
      if (isOpenWorld(readPolicy().taint, tool))
        untrustedConversations.mark(origin, monotonicNow());
    },
    track: (call, options, work) => running.track(call, options, work),
    log,
  });
}
