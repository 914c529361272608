import type { JsonObject } from '../mcp/protocol';
import type { ToolCall } from '../mcp/toolCalls';
import type { Remember } from './approval';
import type { Concern } from './decide';

/** A call that a person is to decide on. */
export interface Question {
  readonly call: ToolCall;
  /** The arguments that were proposed first: the person may have edited them since. */
  readonly proposed: JsonObject;
  readonly concerns: readonly Concern[];
}

/** What a person answered; with `allow`, the arguments that they allowed. */
export type Answer =
  | { readonly kind: 'allow'; readonly arguments: JsonObject; readonly remember?: Remember }
  | { readonly kind: 'deny'; readonly reason?: string };

/** Asks a person; an abort of `signal` takes the question back, and the answer is then `deny`. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;
