import type { JsonRecord } from '../base/json';
import { inEnglish, type Translate } from '../base/translate';
import type { ConfiguredServer } from './configuredServer';
import type { LiveLists } from './lists/listSpecs';
import type { Progress } from './protocol/types';
import type { ServerState } from './serverState';
import type { TaskHandle } from './session/tasks/taskState';

/** The options of a request: a way to cancel it, listeners for its progress and its task, and metadata. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the server turns a call into a task, which can be followed from elsewhere, too. */
  readonly onTask?: (task: TaskHandle) => void;
  /** What a user wrote into a call's `_meta`; the fields of the protocol are added to it. */
  readonly meta?: JsonRecord | undefined;
}

/** How a start ended: `running` with all lists loaded, or why not in one sentence. */
export type StartOutcome =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'needsSignIn' }
  /** Not started: stopped in the meantime, or not allowed by the user or a rule. */
  | { readonly kind: 'refused'; readonly message: string };

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

/** A server as features see it; tests use doubles. */
export type Server = Pick<
  ConfiguredServer,
  | keyof LiveLists
  | 'id'
  | 'name'
  | 'definition'
  | 'state'
  | 'onDidChangeState'
  | 'lastAttempt'
  | 'lastFailure'
  | 'start'
  | 'stop'
  | 'launchFingerprint'
  | 'isSignedIn'
  | 'validFor'
  | 'signIn'
  | 'signOut'
  | 'callTool'
  | 'followTask'
  | 'listTasks'
  | 'cancelTask'
  | 'getPrompt'
  | 'readResource'
  | 'getSkill'
  | 'complete'
  | 'sendRequest'
  | 'sendNotification'
  | 'subscribe'
  | 'canSubscribe'
  | 'onDidUpdateResource'
  | 'setLoggingLevel'
  | 'notifyRootsChanged'
>;
