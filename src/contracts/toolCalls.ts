import type { Proof } from '../base/proof';
import type { SpanContext } from '../base/tracing';
import type { Decider, Decision, UserAction, Withdrawal } from './questionOutcome';
import type { CallToolResult, JsonObject, Progress, Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { ToolIdentity } from '../mcp/serverIdentity';
import type { AsTask } from '../mcp/session/session';
import type { TaskFacts, TaskHandle } from '../mcp/session/tasks/taskState';
import type { LocalizableMessage } from '../base/translate';

/** What came back for a call: its result, or the code of a protocol error. */
export type RecentAnswer =
  | { readonly kind: 'result'; readonly result: CallToolResult }
  | { readonly kind: 'error'; readonly code: number };

/** A call that the user can save, and what came back, if that is still known. */
export interface RecentCall {
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: Tool;
  readonly arguments: JsonObject;
  /** What the user wrote into its `_meta`. */
  readonly meta?: JsonObject;
  readonly asTask?: AsTask;
  readonly answer?: RecentAnswer;
}

/** Finds the call that a row of the tool log or the traffic stands for, or else the latest one, if there is one. */
export type FindRecentCall = (target: unknown) => RecentCall | undefined;

/**
 * Who wants a tool called: the model of a conversation, while it writes one answer; the editor's own chat; an agent outside
 * of the editor, by its entry, what users call it, and one of its conversations; an app of the tool's server, by its URI and
 * the fingerprint of its contents; a file of saved calls that the user agreed to run, by its URI; or the user, by their last
 * action on it, without which nothing of it takes the keyboard.
 */
export type CallOrigin =
  | { readonly kind: 'chat'; readonly conversation: string; readonly answer: string }
  | { readonly kind: 'editor' }
  | {
      readonly kind: 'agent';
      readonly entry: string;
      readonly label: string;
      readonly conversation: string;
    }
  | {
      readonly kind: 'app';
      readonly uri: string;
      readonly fingerprint: string;
      /** True if its scripts can change while the fingerprint stays the same. */
      readonly canChange: boolean;
    }
  | { readonly kind: 'savedCalls'; readonly file: string }
  | { readonly kind: 'user'; readonly action: UserAction | undefined };

/** True for calls that a model makes without the user having started each. */
export function isOfModels({ kind }: CallOrigin): boolean {
  return kind === 'chat' || kind === 'editor' || kind === 'agent';
}

/**
 * The tool that stands for reading a resource: a model's request to read one passes the gate as a call
 * to this tool, with the resource's URI as its argument.
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

/** A call as it was proposed, before any decision. */
export interface ToolCall {
  readonly server: Server;
  readonly tool: Tool;
  readonly arguments: JsonObject;
  /** What the user wrote into `_meta` of a request of their own. */
  readonly meta?: JsonObject;
  /** What the user wants of a task that the call may become. */
  readonly asTask?: AsTask;
  /** Present if the user wrote the request themselves, which may name a tool that the server does not list. */
  readonly mayBeUnlisted?: true;
  readonly origin: CallOrigin;
  /** The call in traces, which its question and its request are parts of. */
  readonly span?: SpanContext | undefined;
}

/**
 * That the user has just pressed *Run* with all of a call in view: its arguments and its `_meta`, and its tool and launch
 * as they are in `identity`. Only the page of a tool makes one.
 */
export interface CallInView extends Proof<'in view'> {
  readonly server: Server;
  readonly arguments: JsonObject;
  readonly meta?: JsonObject;
  readonly identity: ToolIdentity;
}

/** How a proposed call ended; only `result` has a result from the server. */
export type ToolOutcome =
  | {
      readonly kind: 'result';
      readonly result: CallToolResult;
      /** What was actually sent: the user may have edited the proposal. */
      readonly arguments: JsonObject;
      readonly edited: boolean;
      /** How arguments or result do not match the tool's schemas, or why they went unchecked. */
      readonly problems: readonly LocalizableMessage[];
      /** When it was sent, in ms since the epoch, and what was decided about it; unknown after a restart. */
      readonly made?: { readonly at: number; readonly decision: Decision };
    }
  | {
      readonly kind: 'denied';
      readonly decidedBy: Decider & {
        readonly kind: 'user' | 'rule' | 'configuration' | 'administrator';
      };
      readonly reason?: string;
    }
  /** The question was withdrawn before the user answered it. */
  | { readonly kind: 'withdrawn'; readonly because: Withdrawal }
  /** `code` is present if the server answered with a protocol error; `byUser` if the user has just put off its start. */
  | {
      readonly kind: 'failed';
      readonly message: LocalizableMessage;
      readonly code?: number;
      readonly byUser?: true;
    }
  | { readonly kind: 'cancelled' }
  /** The user put it in the background: it keeps running, and `ended` never rejects. */
  | { readonly kind: 'background'; readonly ended: Promise<ToolOutcome> };

/** How a call that was sent ended. */
export type SentOutcome = Extract<ToolOutcome, { kind: 'result' | 'failed' | 'cancelled' }>;

/** The options of a call on its way through the gate. */
export interface RunToolOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the server turns the call into a task. */
  readonly onTask?: (task: TaskHandle) => void;
  /** Called with each state that the server tells of such a task. */
  readonly onTaskState?: (state: TaskFacts) => void;
  /** Called when the user is asked about the call. */
  readonly onAsk?: () => void;
  /**
   * Called when the user leaves the question about their own call, by the action that did, if it is known; the call ends as
   * `cancelled`: nothing is decided.
   */
  readonly onBack?: (args: JsonObject, by: UserAction | undefined) => void;
  /** Called with the arguments that the user has written for their own call, whenever they save or leave them. */
  readonly onEdit?: (edited: EditedArguments) => void;
  /** True if leaving the question leads the user back to where they wrote the call, as the question then says. */
  readonly canGoBack?: boolean;
  /** Present for the user's own call if they had all of it in view: it is asked about only if something speaks against it. */
  readonly inView?: CallInView | undefined;
  /** Called when the call has been decided on, before anything is sent. */
  readonly onDecided?: (decision: Decision) => void;
  /** Waited for once it is allowed and its server runs, before it is sent; if it was aborted meanwhile, nothing is sent. */
  readonly onBegin?: () => Promise<void>;
}

/** The arguments in a user's document; `unfinished` is its text if that is not a JSON object yet. */
export interface EditedArguments {
  readonly values: JsonObject;
  readonly unfinished?: string;
}

/** A call that is sent; `ended` never rejects. */
export interface SentCall {
  readonly call: ToolCall;
  readonly ended: Promise<ToolOutcome>;
}

/** Shows users how calls ended. */
export interface OutcomeView {
  /** Shows how a call ended; without an action if the user has turned to something else since. */
  show(call: ToolCall, outcome: ToolOutcome, by: UserAction | undefined): Promise<void>;
}
