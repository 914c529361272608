import type { Event } from '../base/event';
import type { Attempt } from './connection/attempt';
import type { LiveLists } from './lists/listSpecs';
import type {
  CallToolResult,
  Completion,
  CompletionReference,
  GetPromptResult,
  JsonObject,
  LoggingLevel,
  Progress,
  ReadResourceResult,
} from './protocol/types';
import type { ServerDefinition } from './serverConfig';
import type { ServerState } from './serverState';

/** What accompanies a request: a way to withdraw it, and a listener for its progress. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** How a start ended: `running` with all lists loaded, or why not in one sentence. */
export type StartOutcome =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'needsSignIn' }
  /** Not started: stopped meanwhile, or the person or a rule did not allow it. */
  | { readonly kind: 'refused'; readonly message: string };

/** How a start ended that left the server in this state. */
export function outcomeOf(state: ServerState): StartOutcome {
  switch (state.kind) {
    case 'running':
      return { kind: 'running' };
    case 'needsSignIn':
      return { kind: 'needsSignIn' };
    case 'failed':
      return { kind: 'failed', message: state.message };
    case 'starting':
    case 'stopped':
      return { kind: 'refused', message: 'The server was stopped before it had started.' };
  }
}

/**
 * One configured server: its state, its lists and the requests it answers. A request to a server
 * that is not running starts it; requests reject with a `UserError` that names the server, or with
 * a `CancelledError` after `signal` aborted.
 */
export interface Server extends LiveLists {
  readonly id: string;
  readonly name: string;
  readonly definition: ServerDefinition;
  readonly state: ServerState;
  readonly onDidChangeState: Event<ServerState>;
  readonly lastAttempt: Attempt;

  /**
   * Starts unless running; concurrent calls share the outcome, which comes when the lists are in. A start
   * that nobody waits for any more, because every `signal` aborted, is called off.
   */
  start(signal?: AbortSignal): Promise<StartOutcome>;
  /** Stops and stays stopped until asked; a second call while closing forces the end. */
  stop(): Promise<void>;

  /** The fingerprint of the launch as it is now, that decisions about the server are bound to. */
  launchPrint(): Promise<string>;

  /** True when requests are sent in the name of somebody who signed in. */
  readonly isSignedIn: boolean;
  /** Has the person sign in to a server that wants it, and starts it; the outcome as of `start`. */
  signIn(): Promise<StartOutcome>;
  /** Stops and forgets what signing in gave. */
  signOut(): Promise<void>;

  callTool(name: string, args: JsonObject, options?: RequestOptions): Promise<CallToolResult>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<GetPromptResult>;
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
  /** Suggestions for `argument`, given the arguments already filled in; none where the server has none. */
  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<Completion>;

  /** Keeps `uri` subscribed until disposed, over restarts too; false when the server cannot. */
  subscribe(uri: string): { dispose(): void };
  /** True when the running server tells of changes of all resources that are subscribed. */
  readonly canSubscribe: boolean;
  /** Fires with the URI of a subscribed resource that changed. */
  readonly onDidUpdateResource: Event<string>;

  /** The least severe level that the server shall log at. */
  setLoggingLevel(level: LoggingLevel): Promise<void>;
  /** Tells the server that the answer to `roots/list` changed; nothing where it did not ask. */
  notifyRootsChanged(): void;
}
