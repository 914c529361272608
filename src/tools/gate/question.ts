import type { JsonObject } from '../../mcp/protocol/types';
import type { ToolCall } from '../../contracts/toolCalls';
import type { QuestionOutcome } from '../../contracts/questionOutcome';
import type { Remember } from './approval';
import type { Concern } from './decide';

/** A call that a person is to decide on. */
export interface Question {
  readonly call: ToolCall;
  /** The arguments that were proposed first: the person may have edited them since. */
  readonly proposed: JsonObject;
  readonly concerns: readonly Concern[];
}

/** What the user answered; with `allow`, the arguments that they allowed. */
export type Answer =
  | { readonly kind: 'allow'; readonly arguments: JsonObject; readonly remember?: Remember }
  | { readonly kind: 'deny'; readonly reason?: string };

/** Asks the user; an abort of `signal` takes the question back. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<QuestionOutcome<Answer>>;
