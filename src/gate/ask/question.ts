import type { JsonObject } from '../../mcp/protocol/types';
import type { SchemaVerdict } from '../../mcp/schema/verdict';
import type { EditedArguments, ToolCall } from '../../contracts/toolCalls';
import type { Remember } from '../decide/approval';
import type { Concern } from '../decide/decide';

/** A call that a user is to decide on, as it is shown. */
export interface Proposal {
  readonly call: ToolCall;
  /** The arguments that were proposed first: the user may have edited them since. */
  readonly proposed: JsonObject;
  readonly concerns: readonly Concern[];
  /** True for a call of the user's own that leads back to where they wrote it. */
  readonly canGoBack: boolean;
  /** Is given what the user writes into the document of the arguments: a question that is taken back answers nothing. */
  readonly onEdit?: (edited: EditedArguments) => void;
}

/** A proposal that waits for its turn. */
export interface Question extends Proposal {
  /** True where the user has just answered about this call, which left something to ask. */
  readonly isAgain: boolean;
  /** False once a rule decides the call, an allowance for an earlier one say: it need not be asked about any more. */
  readonly isOpen: () => Promise<boolean>;
  /** Takes the answer before anything else is asked: what it allows may cover that, too. */
  readonly settle: (answer: Answer) => Promise<Settled>;
}

/** What the user answered; with `allow`, the arguments that they allowed. */
export type Answer =
  | { readonly kind: 'allow'; readonly arguments: JsonObject; readonly remember?: Remember }
  | { readonly kind: 'deny'; readonly reason?: string }
  /** They went back from a call of their own to where it came from: nothing is decided. */
  | { readonly kind: 'back'; readonly arguments: JsonObject };

/** A call that the user allowed, as it is by then, and what is there to be asked about it all the same. */
export interface Allowed {
  readonly kind: 'allowed';
  readonly call: ToolCall;
  readonly concerns: readonly Concern[];
  readonly argumentVerdict: SchemaVerdict;
  /** False where the call has to be asked about again. */
  readonly isFinal: boolean;
  readonly approved: Remember | undefined;
}

/** How a question ended; `ruled` when a rule decided before its turn came. */
export type Settled =
  Exclude<Answer, { readonly kind: 'allow' }> | Allowed | { readonly kind: 'ruled' };
