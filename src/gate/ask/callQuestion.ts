import type { JsonObject } from '../../mcp/protocol/types';
import type { ValidationResult } from '../../mcp/schema/validation';
import type { EditedArguments, ToolCall } from '../../contracts/toolCalls';
import type { ApprovalScope, UserAction } from '../../contracts/questionOutcome';
import type { Concern } from '../decide/decide';

/** A call for the user to decide on, as it is shown. */
export interface Proposal {
  readonly call: ToolCall;
  /** The arguments as first proposed: the user may have edited them since. */
  readonly proposed: JsonObject;
  readonly concerns: readonly Concern[];
  /** True for the user's own call if they can go back to where they wrote it. */
  readonly canGoBack: boolean;
  /**
   * Receives what the user writes in the document with the arguments, because a question that is withdrawn has no
   * answer.
   */
  readonly onEdit?: (edited: EditedArguments) => void;
}

/** False if an allowance would not be heeded the next time, so that none is offered. */
export function canBeRemembered(concerns: readonly Concern[]): boolean {
  return concerns.every(({ kind }) => kind !== 'askList' && kind !== 'unlisted');
}

/** A proposal that waits for its turn. */
export interface CallQuestion extends Proposal {
  /** The action that it is asked by: of the user whose call it is, or who has just answered about it. */
  readonly asked: UserAction | undefined;
  /**
   * Resolves with false once the call can be decided without asking, for example by an approval given for an
   * earlier one.
   */
  readonly isOpen: () => Promise<boolean>;
  /** Processes the answer before the next question is asked, because what it allows may cover that one, too. */
  readonly settle: (answer: Answer) => Promise<SettledQuestion>;
}

/** What the user answered, and by which action; with `allow`, the arguments that they allowed. */
export type Answer =
  | {
      readonly kind: 'allow';
      readonly arguments: JsonObject;
      readonly remember?: ApprovalScope;
      readonly by?: UserAction | undefined;
    }
  | { readonly kind: 'deny'; readonly reason?: string }
  /** The user went back from their own call to where it came from: nothing is decided. */
  | {
      readonly kind: 'back';
      readonly arguments: JsonObject;
      readonly by?: UserAction | undefined;
    };

/** A call that the user allowed, in its current form, and the concerns that have arisen since it was shown. */
export interface Allowed {
  readonly kind: 'allowed';
  readonly call: ToolCall;
  readonly concerns: readonly Concern[];
  readonly validation: ValidationResult;
  /** False if the user has to be asked about the call again. */
  readonly isFinal: boolean;
  readonly approved: ApprovalScope | undefined;
  readonly by: UserAction | undefined;
}

/** How a question ended; `ruled` if the call no longer needed an answer when its turn came. */
export type SettledQuestion =
  Exclude<Answer, { readonly kind: 'allow' }> | Allowed | { readonly kind: 'ruled' };
