import type { JsonRecord } from '../base/json';
import type { Decider, Decision } from './decision';
import type { CallToolResult, JsonObject, Progress, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { TaskHandle } from '../mcp/session/tasks/taskState';
import type { Sentence } from '../base/translate';
import type { Withdrawal } from './questionOutcome';

/**
 * Who wants a tool called: the model of a conversation, while it makes one answer; the editor's own
 * chat; an app of the tool's server, by its URI and the fingerprint of what it is made of; a file of saved
 * calls that the user agreed to run, by its URI; or the user.
 */
export type CallOrigin =
  | { readonly kind: 'chat'; readonly conversation: string; readonly answer: string }
  | { readonly kind: 'editor' }
  | { readonly kind: 'app'; readonly uri: string; readonly fingerprint: string }
  | { readonly kind: 'savedCalls'; readonly file: string }
  | { readonly kind: 'user' };

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
  /** What a user wrote into `_meta` of a request of their own. */
  readonly meta?: JsonRecord;
  readonly origin: CallOrigin;
}

/** How a proposed call ended; only `result` reached the server and came back. */
export type ToolOutcome =
  | {
      readonly kind: 'result';
      readonly result: CallToolResult;
      /** What was really sent: the user may have edited the proposal. */
      readonly arguments: JsonObject;
      readonly edited: boolean;
      /** Where arguments or result are not what the tool's schemas say, or went unchecked. */
      readonly problems: readonly Sentence[];
    }
  | {
      readonly kind: 'denied';
      readonly decidedBy: Decider & { readonly kind: 'user' | 'rule' };
      readonly reason?: string;
    }
  /** The question was withdrawn before the user answered it. */
  | { readonly kind: 'withdrawn'; readonly because: Withdrawal }
  /** `code` where the server answered with an error of the protocol. */
  | { readonly kind: 'failed'; readonly message: Sentence; readonly code?: number }
  | { readonly kind: 'cancelled' }
  /** The user put it in the background: it runs on, and `ended` never rejects. */
  | { readonly kind: 'background'; readonly ended: Promise<ToolOutcome> };

/** How a call ended that was sent. */
export type SentOutcome = Extract<ToolOutcome, { kind: 'result' | 'failed' | 'cancelled' }>;

/** What accompanies a call through the gate. */
export interface RunToolOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the server makes a task of the call. */
  readonly onTask?: (task: TaskHandle) => void;
  /** Called when the user is asked about the call. */
  readonly onAsk?: () => void;
  /** Called when the user leaves the question about their own call, which is `cancelled`: nothing is decided. */
  readonly onBack?: (args: JsonObject) => void;
  /** Called with what the user has written as the arguments of their own call, whenever that was saved or is left. */
  readonly onEdit?: (edited: EditedArguments) => void;
  /** True where that leads them back to where they wrote the call, as the question then says. */
  readonly canGoBack?: boolean;
  /** Called when it is decided what becomes of the call, before anything is sent. */
  readonly onDecided?: (decision: Decision) => void;
}

/** Arguments in the document of a user; `unfinished` is its text where that is no object yet. */
export interface EditedArguments {
  readonly values: JsonObject;
  readonly unfinished?: string;
}

/** Opens the app of a call's tool; `ended` says how the call ends. */
export type OpenApp = (call: ToolCall, ended: Promise<ToolOutcome>) => Promise<void>;

/** Is told of each call that is sent; `ended` never rejects. */
export type CallListener = (call: ToolCall, ended: Promise<ToolOutcome>) => void;
