import { inEnglish } from '../base/translate';
import type { PendingWork } from '../base/async';
import type { CallAudit, CallRecord } from '../audit/callAudit';
import { monotonicNow } from '../audit/auditLog';
import {
  type CallListener,
  type RunToolOptions,
  type SentOutcome,
  type ToolCall,
  type ToolOutcome,
} from '../contracts/toolCalls';
import type { TaskHandle } from '../mcp/session/tasks/taskState';
import type { CallQuestions } from './ask/callQuestions';
import { authorize, type Authorized } from './decide/authorize';
import { currentTool, hiddenFrom, tooDeep } from './decide/callable';
import { CallCounter, type FactSources } from './decide/collectFacts';
import { taintReach } from './decide/policy';
import { UntrustedConversations } from './decide/untrustedConversations';
import type { RecentCalls } from './recentCalls';
import { endCall, failedOutcome, send } from './send/sendCall';
import type { OpenCalls, OpenTasks } from './send/openTasks';
import type { RunningCalls } from './send/runningCalls';

/** What the gate works with. */
export interface GateDeps {
  readonly facts: Omit<FactSources, 'counter' | 'untrustedConversations'>;
  readonly questions: Pick<CallQuestions, 'ask'>;
  readonly audit: CallAudit;
  /** Work that must finish before the window closes. */
  readonly pending: PendingWork;
  readonly running: Pick<RunningCalls, 'track'>;
  /** Keeps calls that became tasks until they end. */
  readonly tasks: OpenTasks;
  readonly openCalls: OpenCalls;
  readonly keptCalls: RecentCalls;
  readonly onCall: CallListener;
}

/** The part of the gate that callers of tools use. */
export type CallGate = Pick<ToolGate, 'run'>;

/** The single gate that every tool call passes through, no matter who makes it: it decides, asks, logs and sends. */
export class ToolGate {
  private readonly deps: GateDeps;
  private readonly facts: FactSources;

  constructor(deps: GateDeps) {
    this.deps = deps;
    this.facts = {
      ...deps.facts,
      counter: new CallCounter(Date.now),
      untrustedConversations: new UntrustedConversations(),
    };
  }

  /** Runs a proposed call; never rejects. */
  run(proposed: ToolCall, options: RunToolOptions): Promise<ToolOutcome> {
    const outcome = this.decideAndSend(proposed, options).catch((error: unknown) => {
      const failed = failedOutcome(error, options.signal);
      if (failed.kind === 'failed')
        this.facts.log.error(
          `${proposed.server.name} › ${proposed.tool.name}: ${failed.message(inEnglish)}`,
        );
      return failed;
    });
    return this.deps.pending.track(outcome);
  }

  private async decideAndSend(proposed: ToolCall, options: RunToolOptions): Promise<ToolOutcome> {
    const { signal } = options;
    const tool = await currentTool(proposed, signal);
    if (signal.aborted) return { kind: 'cancelled' };
    if (typeof tool === 'function') return { kind: 'failed', message: tool };
    const problem = hiddenFrom(proposed.origin, tool) ?? tooDeep(proposed);
    if (problem !== undefined) return { kind: 'failed', message: problem };

    const record = this.deps.audit();
    const authorized = await authorize({ ...proposed, tool }, this.facts, this.deps.questions, {
      signal,
      canGoBack: options.canGoBack ?? false,
      ...(options.onEdit && { onEdit: options.onEdit }),
      onAsk(call) {
        // A user who leaves their own call has decided nothing.
        if (proposed.origin.kind !== 'user') void record.asked(call);
        options.onAsk?.();
      },
    });
    if (authorized.kind === 'back') {
      options.onBack?.(authorized.arguments);
      return { kind: 'cancelled' };
    }
    try {
      await record.begun(authorized, proposed.arguments);
      options.onDecided?.(authorized.decision);
    } catch (error) {
      authorized.uncount?.();
      throw error;
    }
    if (authorized.refused) return authorized.refused;

    const { call } = authorized;
    this.deps.openCalls.keep(record.id, call);
    const ended = this.deps.running.track(call, options, (tracked) =>
      this.sendAndNote(authorized, proposed, record, tracked),
    );
    this.deps.onCall(call, ended);
    const outcome = await ended;
    this.deps.keptCalls.note(record.id, call, outcome);
    return outcome;
  }

  private async sendAndNote(
    { call, decision, uncount, notes = [] }: Authorized,
    proposed: ToolCall,
    record: CallRecord,
    options: RunToolOptions,
  ): Promise<SentOutcome> {
    const { tasks, openCalls } = this.deps;
    const onTask = (task: TaskHandle) => {
      options.onTask?.(task);
      openCalls.drop(record.id);
      void tasks.keep({ id: record.id, call, task });
    };
    if (options.signal.aborted) uncount?.();
    const made = { at: Date.now(), decision };
    const sent = await send(call, this.facts.schemas, { ...options, onTask });
    const outcome: SentOutcome =
      sent.kind === 'result'
        ? {
            ...sent,
            arguments: call.arguments,
            edited: call.arguments !== proposed.arguments,
            problems: [...notes, ...sent.problems],
            made,
          }
        : sent;
    return endCall(outcome, {
      call,
      record,
      signal: options.signal,
      tasks,
      openCalls,
      onAnswer: () => this.noteAnswer(call),
    });
  }

  /** Content from outside may talk a model into making more calls. */
  private noteAnswer(call: ToolCall): void {
    const { policy, untrustedConversations } = this.facts;
    untrustedConversations.mark(call, taintReach(policy().taint, call.tool), monotonicNow());
  }
}
