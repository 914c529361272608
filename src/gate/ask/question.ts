import type { JsonObject } from '../../mcp/protocol/types';
import type { ToolCall } from '../../contracts/toolCalls';
import type { Remember } from '../decide/approval';
import type { Concern } from '../decide/decide';

/** A call that a user is to decide on. */
export interface Question {
  readonly call: ToolCall;
  /** The arguments that were proposed first: the user may have edited them since. */
  readonly proposed: JsonObject;
  readonly concerns: readonly Concern[];
}

/** What the user answered; with `allow`, the arguments that they allowed. */
export type Answer =
  | { readonly kind: 'allow'; readonly arguments: JsonObject; readonly remember?: Remember }
  | { readonly kind: 'deny'; readonly reason?: string }
  /** They went back to the form of a call of their own: nothing is decided. */
  | { readonly kind: 'back'; readonly arguments: JsonObject };
