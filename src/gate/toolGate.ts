import { type LocalizableMessage, inEnglish } from '../base/translate';
import { type PendingWork, monotonicNow } from '../base/async';
import { Emitter } from '../base/event';
import type { CallAudit, CallRecord } from '../audit/callAudit';
import {
  type SentCall,
  type RunToolOptions,
  type SentOutcome,
  type ToolCall,
  type ToolOutcome,
  readResourceTool,
} from '../contracts/toolCalls';
import type { TaskHandle } from '../mcp/session/tasks/taskState';
import type { SpanEnd, SpanStart, Tracing } from '../base/tracing';
import type { CallQuestions } from './ask/callQuestions';
import { type AllowedCall, authorize, stillAsDecided } from './authorize';
import { currentTool, hasChanged, hiddenFrom, tooDeep } from './decide/callable';
import { CallCounter, type FactSources } from './decide/collectFacts';
import { taintReach } from './decide/policy';
import { UntrustedConversations } from './decide/untrustedConversations';
import type { RecentCalls } from './recentCalls';
import { type OpenCalls, type OpenTasks, WindowClosedError } from './send/openTasks';
import type { RunningCalls } from './send/runningCalls';
import type { CallToolResult, Tool } from '../mcp/protocol/types';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import { PutOffError, UserError, errorMessage, isCancellation } from '../base/errors';
import { problemsText, uncheckedText } from '../mcp/schema/words';
import { TaskLeftError } from '../mcp/session/tasks/followTask';
import { findRpcError } from '../mcp/protocol/rpcError';

/**
 * Logs how a call that was sent ended, and returns its outcome. Logs nothing if only this window leaves a task,
 * which continues and is resumed later, or if the window closes on a call that was sent: the next one logs that it is lost.
 */
export async function endCall(
  outcome: SentOutcome,
  of: {
    readonly call: ToolCall;
    readonly record: CallRecord;
    readonly signal: AbortSignal;
    readonly isSent: boolean;
    readonly tasks: OpenTasks;
    readonly openCalls: OpenCalls;
    readonly onAnswer: (call: ToolCall) => void;
  },
): Promise<SentOutcome> {
  const { call, record, signal, isSent, tasks, openCalls, onAnswer } = of;
  const left: unknown = signal.reason;
  if (left instanceof TaskLeftError && !left.isForgotten) return outcome;
  if (isSent && left instanceof WindowClosedError && outcome.kind === 'cancelled') return outcome;
  const ended: SentOutcome =
    left instanceof TaskLeftError
      ? {
          kind: 'failed',
          message: (t) => t('You stopped waiting for it. It may go on at the server.'),
        }
      : outcome;
  if (ended.kind !== 'cancelled') onAnswer(call);
  tasks.drop(record.id);
  openCalls.drop(record.id);
  await record.ended(ended);
  return ended;
}

/** Says in what way a result is not what its tool promised, or why it was not checked. */
async function resultProblems(
  { outputSchema }: Tool,
  { structuredContent, isError }: CallToolResult,
  schemas: SchemaCheck,
): Promise<readonly LocalizableMessage[]> {
  if (!outputSchema || isError) return [];
  if (structuredContent === undefined)
    return [(t) => t('The tool promises structured content, but its result has none.')];
  const validation = await schemas.check(outputSchema, structuredContent);
  switch (validation.kind) {
    case 'invalid':
      return validation.problems.map(
        (problem) => (t) =>
          t('The result does not match the output schema: {0}.', problemsText([problem], t)),
      );
    case 'unchecked':
      return [(t) => t('The result was not checked: {0}.', uncheckedText(validation.reason, t))];
    case 'valid':
      return [];
  }
}

/** Returns the outcome of a call that failed or was cancelled. */
export function failedOutcome(error: unknown, signal: AbortSignal): SentOutcome {
  return isCancellation(error) || signal.aborted
    ? { kind: 'cancelled' }
    : {
        kind: 'failed',
        message: (t) => errorMessage(error, t),
        ...codeOf(error),
        ...(error instanceof PutOffError && { byUser: true }),
      };
}

function codeOf(error: unknown): { readonly code?: number } {
  const code = findRpcError(error)?.code;
  return code === undefined ? {} : { code };
}

/** Sends a call that was allowed, and says in what way its result is not what the tool promised. */
async function send(call: ToolCall, schemas: SchemaCheck, options: RunToolOptions) {
  const { server, tool, arguments: args, meta, asTask, span } = call;
  try {
    const result =
      tool === readResourceTool
        ? await readResource(call, options)
        : await server.callTool(tool.name, args, { ...options, meta, asTask, span });
    const problems = await resultProblems(tool, result, schemas);
    return { kind: 'result', result, problems } as const;
  } catch (error) {
    return failedOutcome(error, options.signal);
  }
}

/** Waits for the result of a task, as {@link send} does for the result of a call that is answered right away. */
export async function follow(
  { server, tool }: ToolCall,
  task: TaskHandle,
  schemas: SchemaCheck,
  options: RunToolOptions,
): Promise<SentOutcome> {
  try {
    const result = await server.followTask(tool.name, task, options);
    const problems = await resultProblems(tool, result, schemas);
    return { kind: 'result', result, arguments: {}, edited: false, problems };
  } catch (error) {
    return failedOutcome(error, options.signal);
  }
}

async function readResource(
  { server, arguments: { uri }, span }: ToolCall,
  options: RunToolOptions,
): Promise<CallToolResult> {
  // The tool's schema requires a URI.
  const { contents } = await server.readResource(typeof uri === 'string' ? uri : '', {
    ...options,
    span,
  });
  return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false };
}

/** A call from the wish for it to its end, in traces. */
function spanOf({ server, tool, origin }: ToolCall): SpanStart {
  return {
    name: `mcp_workbench.call ${tool.name}`,
    kind: 'internal',
    attributes: {
      'gen_ai.tool.name': tool.name,
      'mcp_workbench.server.name': server.name,
      'mcp_workbench.origin': origin.kind,
    },
  };
}

async function finalOutcome(outcome: ToolOutcome): Promise<ToolOutcome> {
  return outcome.kind === 'background' ? outcome.ended : outcome;
}

function endOf(outcome: ToolOutcome): SpanEnd {
  const attributes = { 'mcp_workbench.outcome': outcome.kind };
  if (outcome.kind === 'result')
    return { attributes, ...(outcome.result.isError && { error: 'tool_error' }) };
  return { attributes, error: outcome.kind };
}

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
  readonly recentCalls: RecentCalls;
  /** Takes calls down, while traces are on. */
  readonly tracing?: Tracing | undefined;
}

/** The part of the gate that callers of tools use. */
export type CallGate = Pick<ToolGate, 'run'>;

/** The single gate that every tool call passes through, no matter who makes it: it decides, asks, logs and sends. */
export class ToolGate {
  private readonly deps: GateDeps;
  private readonly facts: FactSources;
  private readonly sent = new Emitter<SentCall>();
  /** Fires with each call that is sent. */
  readonly onDidSend = this.sent.event;

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
    const tracer = this.deps.tracing?.();
    const span = tracer?.begin(spanOf(proposed));
    const call = span ? { ...proposed, span: span.context } : proposed;
    const outcome = this.decideAndSend(call, options).catch((error: unknown) => {
      const failed = failedOutcome(error, options.signal);
      if (failed.kind === 'failed')
        this.facts.log.error(
          `${proposed.server.name} › ${proposed.tool.name}: ${failed.message(inEnglish)}`,
        );
      return failed;
    });
    if (span) void outcome.then(finalOutcome).then((ended) => span.end(endOf(ended)));
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
      inView: options.inView,
      onAsk(call) {
        // A user who leaves their own call has decided nothing.
        if (proposed.origin.kind !== 'user') void record.asked(call);
        options.onAsk?.();
      },
    });
    if (authorized.kind === 'back') {
      options.onBack?.(authorized.arguments, authorized.by);
      return { kind: 'cancelled' };
    }
    try {
      await record.begun(authorized, proposed.arguments);
      options.onDecided?.(authorized.decision);
    } catch (error) {
      if (!authorized.refused) authorized.uncount?.();
      throw error;
    }
    if (authorized.refused) return authorized.refused;

    const { call } = authorized;
    const ended = this.deps.running.track(call, options, (tracked) =>
      this.sendAndNote(authorized, proposed, record, tracked),
    );
    this.sent.fire({ call, ended });
    const outcome = await ended;
    this.deps.recentCalls.note(record.id, call, outcome);
    return outcome;
  }

  private async sendAndNote(
    allowed: AllowedCall,
    proposed: ToolCall,
    record: CallRecord,
    options: RunToolOptions,
  ): Promise<SentOutcome> {
    const { call, decision, uncount, notes = [] } = allowed;
    const { tasks, openCalls } = this.deps;
    const isAsDecided = stillAsDecided(allowed);
    const onTask = (task: TaskHandle) => {
      options.onTask?.(task);
      openCalls.drop(record.id);
      void tasks.keep({ id: record.id, call, task });
    };
    let isSent = false;
    const onBegin = async () => {
      if (!(await isAsDecided())) throw new UserError(hasChanged(call));
      await options.onBegin?.();
      if (options.signal.aborted) return;
      isSent = true;
      // Before, nothing is lost with the window, and an agent may have the next one make the call.
      openCalls.keep(record.id, call);
    };
    const made = { at: Date.now(), decision };
    const sent = options.signal.aborted
      ? ({ kind: 'cancelled' } as const)
      : await send(call, this.facts.schemas, { ...options, onTask, onBegin });
    if (!isSent && sent.kind === 'cancelled') uncount?.();
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
      isSent,
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
