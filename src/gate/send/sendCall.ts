import {
  type RunToolOptions,
  type SentOutcome,
  type ToolCall,
  readResourceTool,
} from '../../contracts/toolCalls';
import type { CallToolResult, Tool } from '../../mcp/protocol/types';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { TaskHandle } from '../../mcp/session/tasks/taskState';
import { PutOffError, errorMessage, isCancellation } from '../../base/errors';
import type { LocalizableMessage } from '../../base/translate';
import type { CallRecord } from '../../audit/callAudit';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import { TaskLeftError } from '../../mcp/session/tasks/followTask';
import { findRpcError } from '../../mcp/protocol/rpcError';
import { type OpenCalls, type OpenTasks, WindowClosedError } from './openTasks';

/**
 * Logs how a call that was sent ended, and returns its outcome. Logs nothing if only this window leaves a task,
 * which continues and is resumed later, or if the window closes: the next one logs that the call is lost.
 */
export async function endCall(
  outcome: SentOutcome,
  of: {
    readonly call: ToolCall;
    readonly record: CallRecord;
    readonly signal: AbortSignal;
    readonly tasks: OpenTasks;
    readonly openCalls: OpenCalls;
    readonly onAnswer: (call: ToolCall) => void;
  },
): Promise<SentOutcome> {
  const { call, record, signal, tasks, openCalls, onAnswer } = of;
  const left: unknown = signal.reason;
  if (left instanceof TaskLeftError && !left.isForgotten) return outcome;
  if (left instanceof WindowClosedError && outcome.kind === 'cancelled') return outcome;
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
  const verdict = await schemas.check(outputSchema, structuredContent);
  switch (verdict.kind) {
    case 'invalid':
      return verdict.problems.map(
        (problem) => (t) =>
          t('The result does not match the output schema: {0}.', problemsText([problem], t)),
      );
    case 'unchecked':
      return [(t) => t('The result was not checked: {0}.', uncheckedText(verdict.reason, t))];
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
export async function send(call: ToolCall, schemas: SchemaCheck, options: RunToolOptions) {
  const { server, tool, arguments: args, meta } = call;
  try {
    const result =
      tool === readResourceTool
        ? await readResource(call, options)
        : await server.callTool(tool.name, args, { ...options, meta });
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
  { server, arguments: { uri } }: ToolCall,
  options: RunToolOptions,
): Promise<CallToolResult> {
  // The tool's schema requires a URI.
  const { contents } = await server.readResource(typeof uri === 'string' ? uri : '', options);
  return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false };
}
