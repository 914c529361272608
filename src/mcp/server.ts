import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { JsonRecord } from '../base/json';
import type { Attempt } from './connection/connectionDeps';
import type { LiveLists } from './lists/listSpecs';
import type { LoadedList } from './lists/loadList';
import type { ListedTask } from './lists/taskList';
import type { Skill } from './protocol/skills';
import type {
  CallToolResult,
  Completion,
  CompletionReference,
  GetPromptResult,
  JsonObject,
  LoggingLevel,
  ReadResourceResult,
} from './protocol/types';
import type { ServerDefinition } from './serverConfig';
import type {
  FailedState,
  Readiness,
  ServerState,
  SignInExtent,
  StartOutcome,
} from './serverState';
import type { RequestOptions } from './session/session';
import type { TaskHandle } from './session/tasks/taskState';

/** True for a server that does not run and whose tools were never seen, also not at an earlier time. */
export function isUnseen({ state, tools }: Pick<Server, 'state' | 'tools'>): boolean {
  return state.kind === 'stopped' && tools.status === 'empty';
}

/** All configured servers, in the order of their definitions. */
export interface Servers {
  readonly all: readonly Server[];
  /** How many more servers are configured but not used. */
  readonly unused: number;
  /** Resolves at the first {@link Servers.reconcile}: until then, it is unknown whether there are any. */
  readonly ready: Promise<void>;
  get(id: string): Server | undefined;
  /** Returns what signs out of a server that is configured and not used. */
  unlisted(definition: ServerDefinition): Pick<Server, 'signOut'>;
  /** Fires when servers were added, removed or replaced, and when the state of one changed. */
  readonly onDidChange: Event<void>;
  /** Makes the servers match `definitions`: unchanged ones keep running, others are stopped, replaced or added. */
  reconcile(definitions: readonly ServerDefinition[], unused?: number): Promise<void>;
  /** Starts one server, or all of them in parallel for `*`; resolves when their lists are loaded. */
  start(id: string): Promise<readonly StartOutcome[]>;
}

/**
 * A server as features see it: its state, its lists and the requests it answers. A request to a server that is not
 * running starts it; requests reject with a `UserError` that names the server, or with a `CancelledError` after their
 * `signal` aborted.
 */
export interface Server extends LiveLists {
  readonly id: string;
  readonly name: string;
  readonly definition: ServerDefinition;
  readonly state: ServerState;
  readonly onDidChangeState: Event<ServerState>;
  readonly lastAttempt: Attempt;
  /** What the server failed with, now or shortly before it was restarted automatically. */
  readonly lastFailure: FailedState | undefined;

  /**
   * Starts the server unless it is running; concurrent calls share the outcome, which comes when the lists
   * are loaded. A start that nobody waits for any more, because every `signal` aborted, is cancelled.
   */
  start(signal?: AbortSignal): Promise<StartOutcome>;
  /**
   * Stops the server until it is asked to start again; a second call while it is closing forces the end. Its state says
   * `why`.
   */
  stop(why?: 'stoppedByUser'): Promise<void>;
  /** Notes what a look ahead found between the server and its start; its state says so while it is stopped. */
  lookedAt(found: Readiness): void;
  /** Returns the fingerprint of the launch that is running, or would be, to which decisions about the server are bound. */
  launchFingerprint(): Promise<string>;

  /** True if requests are sent on behalf of a user who signed in. */
  readonly isSignedIn: boolean;
  /** What the tokens of that user are valid for, if that is more than the server. */
  readonly validFor: SignInExtent | undefined;
  /** Has the user sign in to a server that requires it, and starts the server; the outcome is that of `start`. */
  signIn(): Promise<StartOutcome>;
  /** Stops the server and forgets its sign-in, and all that it offered, here and on disk. */
  signOut(): Promise<void>;

  callTool(name: string, args: JsonObject, options?: RequestOptions): Promise<CallToolResult>;
  /** Returns the result of a call that the server turned into a task earlier, maybe for another window. */
  followTask(tool: string, task: TaskHandle, options?: RequestOptions): Promise<CallToolResult>;
  /** Lists the tasks that the server says it has, if its revision has a list of them (2025-11-25). */
  listTasks(options?: RequestOptions): Promise<LoadedList<ListedTask>>;
  /** Has the server cancel a task, no matter for whom it was created. */
  cancelTask(task: TaskHandle): Promise<void>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<GetPromptResult>;
  readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult>;
  /** Gets the current entry of a skill, whether it is listed or not; its files are checked against it from then on. */
  getSkill(uri: string, options?: RequestOptions): Promise<Skill>;
  /** Gets suggestions for `argument`, given the arguments already filled in; none if the server has no completions. */
  complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<Completion>;
  /**
   * Sends a request of any method and resolves with its result as it came; rejects with a `TypeError` for a tool
   * call, because these have to pass the gate.
   */
  sendRequest(method: string, params: JsonRecord, options?: RequestOptions): Promise<JsonRecord>;
  /** Sends a notification of any method. */
  sendNotification(method: string, params: JsonRecord): Promise<void>;

  /** Keeps `uri` subscribed until disposed, across restarts, too. */
  subscribe(uri: string): Disposable;
  /** True if the running server reports changes to all subscribed resources. */
  readonly canSubscribe: boolean;
  /** Fires with the URI of a subscribed resource that changed. */
  readonly onDidUpdateResource: Event<string>;
  /** Sets the least severe level that the server should log, unless the user has chosen one. */
  setLoggingLevel(level: LoggingLevel): Promise<void>;
  /** Sets the level that the user chooses in place of that one until this window closes; `undefined` takes it back. */
  chooseLoggingLevel(level: LoggingLevel | undefined): Promise<void>;
  readonly chosenLoggingLevel: LoggingLevel | undefined;
  /** Tells a running legacy server that the answer to `roots/list` changed; modern ones are never told. */
  notifyRootsChanged(): void;
}
