import { PutOffError, UserError } from '../base/errors';
import { asRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import {
  asideText,
  inEnglish,
  listText,
  namesText,
  pairText,
  type Translate,
} from '../base/translate';
import type { Implementation, ServerCapabilities } from './protocol/types';
import type { ClientAbility } from './protocol/serverRequests';
import type { ConfinementLevel } from './serverConfig';

/** What a server and this client agreed on when they connected. */
export interface ServerInfo {
  /** The negotiated protocol revision, such as `2025-11-25`. */
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  /** Absent for a stateless server that does not name itself. */
  readonly implementation?: Implementation;
  /** What the server tells the model about how to use it. */
  readonly instructions?: string;
}

/** How many of the changes that a server was asked to announce can be received. */
export type Listening = 'all' | 'some' | 'none';

/** What is known about a server that has a session. */
export interface Connected {
  readonly info: ServerInfo;
  /** The capabilities that this client declared to it. */
  readonly declared?: Readonly<Record<string, object>>;
  /** Set while changes are not received: the stream of the server's own messages is refused, or carries fewer. */
  readonly notificationsLost?: 'some' | 'all';
  /** Says in a sentence each what the server does that the protocol does not allow. */
  readonly problems?: readonly string[];
  /** How far the server is confined, if it should be. */
  readonly confinement?: ConfinementLevel;
}

/** What keeps a server from starting, or kept it at the last attempt. */
export type Obstacle =
  /** The user stopped it. */
  | 'stoppedByUser'
  /** The settings allow only a start by hand. */
  | 'manualOnly'
  /** A rule of an administrator forbids what it would launch. */
  | 'forbidden'
  /** The user does not want its launch in this workspace. */
  | 'declined'
  /** The user has not decided about its launch yet. */
  | 'untrusted'
  /** The user left a question that its start asked. */
  | 'unanswered'
  /** It needs a value that was not entered yet. */
  | 'needsValue'
  /** It starts only in a workspace that the user trusts. */
  | 'restricted'
  /** It is a process, and this window cannot start any. */
  | 'needsProcess'
  /** Its launch fails before anything is asked. */
  | 'broken';

/** What a look ahead finds between a server and its start: nothing if it is `ready`. */
export type Readiness =
  | 'ready'
  | Extract<
      Obstacle,
      'declined' | 'untrusted' | 'needsValue' | 'restricted' | 'needsProcess' | 'broken'
    >;

/** The state of a server, on which every view switches; `reduceLifecycle` alone makes the next one. */
export type ServerState =
  /** `why` is what keeps it from starting, as far as that is known. */
  | { readonly kind: 'stopped'; readonly why?: Obstacle }
  /**
   * `isWaiting` is true while the start waits for an answer of the user; `unexpectedOutput` is the beginning of the
   * first output that is not a message: the server may still answer.
   */
  | {
      readonly kind: 'starting';
      readonly isWaiting?: true;
      readonly unexpectedOutput?: string;
    }
  | (Connected & { readonly kind: 'running' })
  /** It ran, and is not reached any more: the session is kept while it is asked again; `message` is the reason. */
  | (Connected & { readonly kind: 'reconnecting'; readonly message: string })
  /**
   * `message` is one sentence, and `short` says the same for places that may cut off its end; `detail` has the last
   * lines of stderr or the like; `retryAt` is in epoch ms.
   */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly short?: string;
      readonly detail?: string;
      readonly retryAt?: number;
    }
  /** The server requires a sign-in. */
  | ({ readonly kind: 'needsSignIn' } & SignInNeed);

/** What is known of a sign-in that a server requires. */
export interface SignInNeed {
  readonly issuer?: string;
  /** Says in a sentence why the last one failed. */
  readonly problem?: string;
  /** True if nothing speaks for a sign-in but that the server refuses requests (401): it may only want a header. */
  readonly isUnexplained?: true;
}

/** What a sign-in is valid for beside its server. */
export interface SignInExtent {
  readonly address: string;
  /** True for a resource that the server is a part of; false for whom a permission names as what accepts the tokens. */
  readonly isWider: boolean;
}

/** Why a configured server is not used: switched off in its entry or by the user, or forbidden by an administrator. */
export type OffState =
  | { readonly kind: 'disabled'; readonly by: 'entry' | 'here' | 'everywhere' }
  /** `rule` is the policy setting, with the deciding entry if there is one. */
  | { readonly kind: 'forbidden'; readonly rule: string };

/** What is the matter with a configured server, whether it is used or not. */
export type ServerStatus = ServerState | OffState;

/** The state of a server that could not be started, or that ended by itself. */
export type FailedState = Extract<ServerState, { readonly kind: 'failed' }>;

/** Returns what a server agreed on in its session, whether it is reached at the moment or not; `undefined` without one. */
export function sessionInfo(state: ServerState): ServerInfo | undefined {
  return 'info' in state ? state.info : undefined;
}

/** Names capabilities, each with its parts, such as that a server announces changes to a list. */
export function capabilityNames(capabilities: object, t: Translate): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === false) return [];
    const parts = Object.entries(asRecord(value)).filter(([, part]) => Boolean(part));
    const names = namesText(
      parts.map(([part]) => part),
      t,
    );
    const label = plainLabel(name, 60);
    return [names === '' ? label : asideText(label, names, t)];
  });
}

/** Says what this client was told not to do for a server. */
export function withoutText(without: readonly ClientAbility[], t: Translate): string {
  return pairText(t('Withheld from it'), listText(without, t), t);
}

/** Returns what keeps a server from running, as far as that is known: nothing for one that is not stopped. */
export function obstacleOf(state: ServerStatus): Obstacle | undefined {
  return state.kind === 'stopped' ? state.why : undefined;
}

/** True for a server that neither runs nor is about to, and would with another start. */
export function isDown(state: ServerState): boolean {
  return state.kind === 'stopped' || state.kind === 'failed';
}

/** True for a running server whose capabilities have a list. */
export function offersNow(
  state: ServerState,
  list: { readonly isOffered: (capabilities: ServerCapabilities) => boolean },
): boolean {
  return state.kind === 'running' && list.isOffered(state.info.capabilities);
}

/** True for a server that is started or about to be, whether it is reached at the moment or not. */
export function isUp(state: ServerState): boolean {
  return state.kind === 'starting' || sessionInfo(state) !== undefined;
}

/**
 * Why a server must not be launched: in a sentence, and as what keeps it from starting; `byUser` if that is what the user
 * has just answered to a question.
 */
export interface StartRefusal {
  readonly refused: string;
  readonly why?: Obstacle;
  readonly byUser?: true;
}

/** How a start ended: `running` with all lists loaded, or why not in one sentence. */
export type StartOutcome =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'needsSignIn' }
  /** Not started: stopped in the meantime, or not allowed by a rule or by the user; see {@link StartRefusal}. */
  | { readonly kind: 'refused'; readonly message: string; readonly byUser?: true };

/** Returns the outcome of a start that left the server in this state. */
export function outcomeOf(state: ServerState, t: Translate = inEnglish): StartOutcome {
  switch (state.kind) {
    case 'running':
      return { kind: 'running' };
    case 'needsSignIn':
      return { kind: 'needsSignIn' };
    case 'failed':
    case 'reconnecting':
      return { kind: 'failed', message: state.message };
    case 'starting':
    case 'stopped':
      return { kind: 'refused', message: t('The server was stopped before it had started.') };
  }
}

/** Returns the error for what a server that did not start cannot do, with `message` as its sentence. */
export function notStarted(outcome: StartOutcome, message: string, cause?: unknown): UserError {
  const byUser = outcome.kind === 'refused' && outcome.byUser === true;
  return byUser ? new PutOffError(message, { cause }) : new UserError(message, { cause });
}
