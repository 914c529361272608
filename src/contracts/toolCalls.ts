import type { Decider, Decision } from './decision';
import type { CallToolResult, JsonObject, Progress, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { Withdrawal } from './questionOutcome';

/**
 * Who wants a tool called: the model of a conversation, while it makes one answer; the editor's own
 * chat; or the person.
 */
export type CallOrigin =
  | { readonly kind: 'chat'; readonly conversation: string; readonly answer: string }
  | { readonly kind: 'editor' }
  | { readonly kind: 'person' };

/**
 * The tool that stands for reading a resource: a model's wish to read one passes the gate as a call
 * of it, with the resource's URI as its argument.
 */
export const readResourceTool: Tool = {
  name: 'resources/read',
  title: 'Read a resource',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'The URI of the resource' } },
    required: ['uri'],
    additionalProperties: false,
  },
};

/** A call as it was proposed, before anyone decided on it. */
export interface ToolCall {
  readonly server: Server;
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
}

/** How a proposed call ended; only `result` reached the server and came back. */
export type ToolOutcome =
  | {
      readonly kind: 'result';
      readonly result: CallToolResult;
      /** What was really sent: the person may have edited the proposal. */
      readonly arguments: JsonObject;
      readonly edited: boolean;
      /** Where arguments or result are not what the tool's schemas say, or went unchecked: a sentence each. */
      readonly problems: readonly string[];
    }
  | {
      readonly kind: 'denied';
      readonly decidedBy: Decider & { readonly kind: 'user' | 'rule' };
      readonly reason?: string;
    }
  /** The question was withdrawn before the user answered it. */
  | { readonly kind: 'withdrawn'; readonly because: Withdrawal }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' }
  /** The person put it in the background: it runs on, and `ended` never rejects. */
  | { readonly kind: 'background'; readonly ended: Promise<ToolOutcome> };

/** How a call ended that was sent. */
export type SentOutcome = Extract<ToolOutcome, { kind: 'result' | 'failed' | 'cancelled' }>;

/** What accompanies a call through the gate. */
export interface RunToolOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the user is asked about the call. */
  readonly onAsk?: () => void;
  /** Called when it is decided what becomes of the call, before anything is sent. */
  readonly onDecided?: (decision: Decision) => void;
}

/** The one gate: decides, asks, calls and maps; never rejects. */
export type RunTool = (call: ToolCall, options: RunToolOptions) => Promise<ToolOutcome>;
