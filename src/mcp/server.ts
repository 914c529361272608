import type { JsonRecord } from '../base/json';
import { inEnglish, type Translate } from '../base/translate';
import type { ConfiguredServer } from './configuredServer';
import type { LiveLists } from './lists/listSpecs';
import type { Progress } from './protocol/types';
import type { ServerState } from './serverState';
import type { TaskHandle } from './session/tasks/taskState';

/** What accompanies a request: a way to withdraw it, and a listener for its progress. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the server makes a task of a call, which can be followed from elsewhere too. */
  readonly onTask?: (task: TaskHandle) => void;
  /** What a user wrote into `_meta` of a call; what the protocol puts there stands beside it. */
  readonly meta?: JsonRecord | undefined;
}

/** How a start ended: `running` with all lists loaded, or why not in one sentence. */
export type StartOutcome =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'needsSignIn' }
  /** Not started: stopped meanwhile, or the user or a rule did not allow it. */
  | { readonly kind: 'refused'; readonly message: string };

/** How a start ended that left the server in this state. */
export function outcomeOf(state: ServerState, t: Translate = inEnglish): StartOutcome {
  switch (state.kind) {
    case 'running':
      return { kind: 'running' };
    case 'needsSignIn':
      return { kind: 'needsSignIn' };
    case 'failed':
      return { kind: 'failed', message: state.message };
    case 'starting':
    case 'stopped':
      return { kind: 'refused', message: t('The server was stopped before it had started.') };
  }
}

/** A server as features see it; tests have others in its place. */
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
