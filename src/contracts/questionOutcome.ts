import { isTimeout } from '../base/errors';
import type { Proof } from '../base/proof';
import { ConnectionLostError } from '../mcp/protocol/rpcError';

/** Where an approval is kept, and when it ends. */
export interface DurationTraits {
  /** True if it outlasts the session of the window. */
  readonly isKept: boolean;
  readonly isOfWorkspace: boolean;
  /** After this time, in milliseconds, an approval allows nothing any more. */
  readonly lastsMs: number;
}

/** How long an approval can last, shortest first: all code that treats durations differently asks these traits. */
export const durationTraits = {
  session: { isKept: false, isOfWorkspace: false, lastsMs: Infinity },
  workspace: { isKept: true, isOfWorkspace: true, lastsMs: Infinity },
  always: { isKept: true, isOfWorkspace: false, lastsMs: Infinity },
} as const satisfies Readonly<Record<string, DurationTraits>>;

/** One of {@link durationTraits}. */
export type Duration = keyof typeof durationTraits;

/** All durations, shortest first. */
export const durations = Object.keys(durationTraits) as readonly Duration[];

/** A duration that outlasts the session of the window. */
export type KeptDuration = {
  [D in Duration]: (typeof durationTraits)[D]['isKept'] extends true ? D : never;
}[Duration];

/** True for a duration whose approvals are stored. */
export function isKept(duration: Duration): duration is KeptDuration {
  return durationTraits[duration].isKept;
}

/** What an approval can cover: one tool, one tool with exactly these arguments, or all tools of the server. */
export const coverages = ['tool', 'arguments', 'server'] as const;

/** One of {@link coverages}. */
export type Coverage = (typeof coverages)[number];

/** How long an approval holds, and what it covers. */
export interface ApprovalScope {
  readonly duration: Duration;
  readonly coverage: Coverage;
}

/** What stands in place of a file of saved calls for the calls of a check. */
export const checkOrigin = 'check';

/** Who decided; parts may be missing in what earlier versions wrote. */
export type Decider =
  | {
      readonly kind: 'user';
      readonly how?: AnsweredBy;
      /** The approval that the user gave with the answer. */
      readonly approved?: ApprovalScope;
    }
  /** The user, with an earlier approval; `givenAt` is ISO 8601. */
  | ({ readonly kind: 'approval'; readonly givenAt?: string } & Partial<ApprovalScope>)
  /** What the user decided earlier about how a server may use language models. */
  | { readonly kind: 'permission'; readonly mode: 'budget' | 'never' }
  /** A setting, by its full key. */
  | { readonly kind: 'rule'; readonly setting: string }
  /** What an administrator of the machine wants, and cannot have. */
  | { readonly kind: 'administrator' }
  /** The configuration of the server, which restricts the tools that can be called. */
  | { readonly kind: 'configuration' }
  /** A file of saved calls that the user agreed to run, by its URI, or {@link checkOrigin}. */
  | { readonly kind: 'savedCalls'; readonly file: string }
  /** The input schema of the tool, which the arguments do not match. */
  | { readonly kind: 'schema' }
  /** The client itself, which cannot do what is asked, or never does. */
  | { readonly kind: 'client' }
  /** The question was withdrawn before the user answered it. */
  | { readonly kind: 'nobody'; readonly because: Withdrawal };

/** What was decided about a call before anything is sent. */
export interface Decision {
  readonly verdict: 'allowed' | 'denied' | 'refused' | 'withdrawn';
  readonly decidedBy: Decider;
  /** The reason that the user gives for a denial. */
  readonly reason?: string;
}

/**
 * That the user's own action, at this moment, is what something comes from: a question that it asks may take the
 * keyboard at once, and Enter may take another row than the one that grants nothing. Only `byUser` makes one.
 */
export interface UserAction extends Proof<'by the user'> {
  /** Epoch ms. */
  readonly at: number;
}

/** How the user answered: by clicking a row or a button, or with a key. */
export type AnsweredBy = 'click' | 'key';

/**
 * Why a question ended without an answer: its cause ended, or its time was up; `paused` if its server asked
 * so much that it was never shown.
 */
export const withdrawals = [
  'cancelled',
  'serverStopped',
  'windowClosed',
  'deadline',
  'paused',
] as const;

/** One of {@link withdrawals}. */
export type Withdrawal = (typeof withdrawals)[number];

/** How a question ended. Only `answered` is a decision by the user; declining several at once is one, too. */
export type QuestionOutcome<T> =
  { readonly kind: 'answered'; readonly answer: T; readonly how: AnsweredBy } | Withdrawn;

/** A question that nobody answered. */
export interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly reason: Withdrawal;
}

/** The reason that an abort signal carries when it ends a question for anything but a cancelled request. */
export class QuestionWithdrawn extends Error {
  override readonly name = 'AbortError';
  readonly reason: Withdrawal;

  constructor(reason: Withdrawal) {
    super(`The question was withdrawn: ${reason}`);
    this.reason = reason;
  }
}

/** Returns the outcome of a question that `signal` withdrew. */
export function withdrawnBy({ reason }: AbortSignal): Withdrawn {
  return { kind: 'withdrawn', reason: withdrawalOf(reason) };
}

function withdrawalOf(reason: unknown): Withdrawal {
  if (reason instanceof QuestionWithdrawn) return reason.reason;
  if (reason instanceof ConnectionLostError) return 'serverStopped';
  return isTimeout(reason) ? 'deadline' : 'cancelled';
}
