import { errorMessage, isCancellation } from '../base/errors';
import type { Logger } from '../base/log';
import { fingerprint, toolIdentity } from '../mcp/fingerprint';
import type { Tool } from '../mcp/protocol';
import type { RunTool, RunToolOptions, ToolCall, ToolOutcome } from '../mcp/toolCalls';
import type { Answer, Approvals } from './approvals';

/** Asks a person about one call; an abort of `signal` takes the question back. */
export type Confirm = (call: ToolCall, signal: AbortSignal) => Promise<Answer>;

/** Makes the one gate that every tool call passes: decide, ask, call, map. */
export function createToolRunner(deps: {
  readonly approvals: Approvals;
  readonly confirm: Confirm;
  readonly log: Logger;
}): RunTool {
  const { approvals, confirm, log } = deps;

  async function run(proposed: ToolCall, options: RunToolOptions): Promise<ToolOutcome> {
    const { server } = proposed;
    const tool = await currentTool(proposed);
    if (typeof tool === 'string') return { kind: 'failed', message: tool };
    const call = { ...proposed, tool };
    const identity = await fingerprint({ server: server.id, ...toolIdentity(server, tool) });
    if (!approvals.allows(identity)) {
      const answer = await confirm(call, options.signal);
      if (options.signal.aborted) return { kind: 'cancelled' };
      if (answer.kind === 'deny') return { kind: 'denied', by: 'person' };
      if (answer.remember) approvals.remember(identity);
    }
    log.info(`Calling ${server.name} › ${tool.name}`);
    const result = await server.callTool(tool.name, call.arguments, options);
    return { kind: 'result', result, arguments: call.arguments, edited: false };
  }

  return async (call, options) => {
    try {
      return await run(call, options);
    } catch (error) {
      if (isCancellation(error) || options.signal.aborted) return { kind: 'cancelled' };
      log.warn(`${call.server.name} › ${call.tool.name}: ${errorMessage(error)}`);
      return { kind: 'failed', message: errorMessage(error) };
    }
  };
}

/** The tool as its server defines it now, the server started if need be; or why there is none. */
async function currentTool({ server, tool }: ToolCall): Promise<Tool | string> {
  const outcome = await server.start();
  if (outcome.kind === 'needsSignIn') return `The server "${server.name}" wants a sign-in first.`;
  if (outcome.kind !== 'running') return outcome.message;
  const current = server.tools.items.find(({ name }) => name === tool.name);
  return current ?? `The server "${server.name}" has no tool "${tool.name}" any more.`;
}
