import { deepestShown, measureJson } from '../../base/measureJson';
import { errorMessage, isCancellation } from '../../base/errors';
import type { Logger } from '../../base/log';
import { inEnglish } from '../../base/translate';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import type { CallToolResult, Tool } from '../../mcp/protocol/types';
import {
  readResourceTool,
  type RunTool,
  type RunToolOptions,
  type SentOutcome,
  type ToolCall,
  type ToolOutcome,
} from '../../contracts/toolCalls';
import type { CallAudit } from '../../audit/callAudit';
import type { Authorized } from '../gate/authorize';

/** What the gate is made of. */
export interface GateParts {
  /** Decides on a call; `onAsk` is called when the user is asked. */
  readonly authorize: (
    call: ToolCall,
    signal: AbortSignal,
    onAsk: () => void,
  ) => Promise<Authorized>;
  readonly audit: CallAudit;
  readonly schemas: SchemaCheck;
  /** Called before a call is sent, and once a result or an error came back. */
  readonly onSend: (call: ToolCall) => void;
  readonly onAnswer: (call: ToolCall) => void;
  /** Shows a call while it runs; the person may cancel it there, or send it to the background. */
  readonly track: (
    call: ToolCall,
    options: RunToolOptions,
    work: (options: RunToolOptions) => Promise<ToolOutcome>,
  ) => Promise<ToolOutcome>;
  readonly log: Logger;
}

/** Makes the one gate that every tool call passes: decide, ask, write down, call, map. */
export function createToolRunner(parts: GateParts): RunTool {
  const { authorize, audit, track, log } = parts;

  async function run(proposed: ToolCall, options: RunToolOptions): Promise<ToolOutcome> {
    const tool = await currentTool(proposed, options.signal);
    if (options.signal.aborted) return { kind: 'cancelled' };
    if (typeof tool === 'string') return { kind: 'failed', message: tool };
    if (measureJson(proposed.arguments).depth > deepestShown)
      return { kind: 'failed', message: 'The arguments are nested too deep to be shown.' };
    const wanted = { ...proposed, tool };
    const record = audit();
    const settled = await authorize(wanted, options.signal, () => {
      void record.asked(wanted);
      options.onAsk?.();
    });
    const { call, decision, refused, notes = [] } = settled;
    await record.begun(settled, proposed.arguments);
    options.onDecided?.(decision);
    if (refused) return refused;
    const edited = call.arguments !== proposed.arguments;
    return track(call, options, async (tracked) => {
      const outcome = await send(call, { edited, notes }, tracked);
      if (outcome.kind !== 'cancelled') parts.onAnswer(call);
      await record.ended(outcome);
      return outcome;
    });
  }

  async function send(
    call: ToolCall,
    { edited, notes }: { readonly edited: boolean; readonly notes: readonly string[] },
    options: RunToolOptions,
  ): Promise<SentOutcome> {
    const { server, tool, arguments: args } = call;
    parts.onSend(call);
    try {
      const result =
        tool === readResourceTool
          ? await readResource(call, options)
          : await server.callTool(tool.name, args, options);
      const problems = [...notes, ...(await resultProblems(tool, result, parts.schemas))];
      return { kind: 'result', result, arguments: args, edited, problems };
    } catch (error) {
      return outcomeOf(error, options.signal);
    }
  }

  return async (call, options) => {
    try {
      return await run(call, options);
    } catch (error) {
      const outcome = outcomeOf(error, options.signal);
      if (outcome.kind === 'failed')
        log.error(`${call.server.name} › ${call.tool.name}: ${outcome.message}`);
      return outcome;
    }
  };
}

/** The tool as its server defines it now, the server started if need be; or why there is none. */
async function currentTool(
  { server, tool }: ToolCall,
  signal: AbortSignal,
): Promise<Tool | string> {
  const outcome = await server.start(signal);
  if (outcome.kind === 'needsSignIn') return `The server "${server.name}" wants a sign-in first.`;
  if (outcome.kind !== 'running') return outcome.message;
  if (tool === readResourceTool) return tool;
  const current = server.tools.items.find(({ name }) => name === tool.name);
  return current ?? `The server "${server.name}" has no tool "${tool.name}" any more.`;
}

async function readResource(
  { server, arguments: { uri } }: ToolCall,
  options: RunToolOptions,
): Promise<CallToolResult> {
  // The schema of the tool has seen to it that there is one.
  const { contents } = await server.readResource(typeof uri === 'string' ? uri : '', options);
  return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false };
}

async function resultProblems(
  { outputSchema }: Tool,
  { structuredContent, isError }: CallToolResult,
  schemas: SchemaCheck,
): Promise<readonly string[]> {
  if (!outputSchema || isError) return [];
  if (structuredContent === undefined)
    return ['The tool promises structured content, but its result has none.'];
  const verdict = await schemas.check(outputSchema, structuredContent);
  switch (verdict.kind) {
    case 'invalid':
      return verdict.problems.map(
        (problem) =>
          `The result does not match the output schema: ${problemsText([problem], inEnglish)}.`,
      );
    case 'unchecked':
      return [`The result was not checked: ${uncheckedText(verdict.reason, inEnglish)}.`];
    case 'valid':
      return [];
  }
}

function outcomeOf(error: unknown, signal: AbortSignal): SentOutcome {
  return isCancellation(error) || signal.aborted
    ? { kind: 'cancelled' }
    : { kind: 'failed', message: errorMessage(error) };
}
