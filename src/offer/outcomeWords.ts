import { revealHidden } from '../base/text/text';
import { inEnglish } from '../base/translate';
import type { Withdrawal } from '../contracts/questionOutcome';
import type { ToolOutcome } from '../contracts/toolCalls';
import { RpcError } from '../mcp/protocol/rpcError';
import type { CallToolResult } from '../mcp/protocol/types';

const withdrawals: Readonly<Record<Withdrawal, string>> = {
  cancelled: 'it was cancelled',
  serverStopped: 'its server stopped',
  windowClosed: 'the window was closed',
  deadline: 'it was not answered in time',
  paused: 'its server asked too much at once',
};

/** Tells a model why a call that it asked for has no result. */
export function outcomeWords(outcome: Exclude<ToolOutcome, { kind: 'result' }>): string {
  switch (outcome.kind) {
    case 'denied':
      return (
        `The call was denied by ${outcome.decidedBy.kind === 'user' ? 'the user' : 'a rule'}.` +
        (outcome.reason ? ` The reason given: ${outcome.reason}` : '')
      );
    case 'withdrawn':
      return `The call was withdrawn: ${withdrawals[outcome.because]}. Nothing was sent, and the user did not decide.`;
    case 'failed':
      return `The call failed: ${revealHidden(outcome.message(inEnglish))}`;
    case 'cancelled':
      return 'The call was cancelled.';
    case 'background':
      return 'The call runs on in the background; its result is not there yet.';
  }
}

/** Returns the result of a call that only says something. */
export function say(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: false };
}

/** Returns what an agent is told about a call that has no result; throws what its server has said with a code. */
export function failed(outcome: Exclude<ToolOutcome, { kind: 'result' }>): CallToolResult {
  // What the server has said with a code of its own is passed on with it.
  if (outcome.kind === 'failed' && outcome.code !== undefined)
    throw new RpcError(outcome.code, outcome.message(inEnglish));
  return { ...say(outcomeWords(outcome)), isError: true };
}

/** What an agent is told of a tool that it is not offered; one that does not follow changes may have known it before. */
export function noTool(name: string): string {
  return `There is no tool "${name}" now. Its server may be switched off in VS Code, or the user leaves the tool out.`;
}

/** What an agent is told of the address of a resource that no server has. */
export function noResource(address: string): string {
  return `No server has a resource ${address}.`;
}
