import { DisposableStore, type Disposable } from '../base/disposable';
import { errorMessage, isCancellation, UserError } from '../base/errors';
import type { Event } from '../base/event';
import { inEnglish, type LocalizableMessage, type Translate } from '../base/translate';
import { signInAndStart } from './auth/signIn';
import type { Attempt, ConnectionDeps } from './connection/connectionDeps';
import { Connection } from './connection/connection';
import { LostSessionCheck, suggestsLostSession } from './connection/lostSessionCheck';
import { RequestSender } from './connection/requestSender';
import { fingerprint } from '../base/bytes';
import type { LiveLists } from './lists/listSpecs';
import type { LoadedList } from './lists/loadList';
import { listTasks, type ListedTask } from './lists/taskList';
import {
  readCallToolResult,
  readCompletion,
  readGetPromptResult,
  readReadResourceResult,
} from './protocol/results';
import {
  displayName,
  entryNamed,
  type CallToolResult,
  type Completion,
  type CompletionReference,
  type GetPromptResult,
  type JsonObject,
  type LoggingLevel,
  loggingLevels,
  type ReadResourceResult,
} from './protocol/types';
import type { Note } from './protocol/readAs';
import { eras } from './protocol/revisions';
import type { Skill } from './protocol/skills';
import type { Server } from './server';
import type { ServerDefinition } from './serverConfig';
import { ServerContents } from './connection/serverContents';
import type {
  FailedState,
  Readiness,
  ServerState,
  SignInExtent,
  StartOutcome,
} from './serverState';
import { type RequestOptions, type Session, callTool } from './session/session';
import { TaskCalls } from './session/tasks/taskCalls';
import type { TaskHandle } from './session/tasks/taskState';
import { ServerSkills } from './skills/serverSkills';

type Params = Readonly<Record<string, unknown>>;
type Send = (session: Session) => Promise<Params>;

function metaOf({ meta }: RequestOptions = {}): Params {
  return meta ? { _meta: meta } : {};
}

/** A server of the configuration, which lives as long as its definition stays the same. */
export class ConfiguredServer implements Server, Disposable {
  private current: ServerDefinition;
  readonly tools: LiveLists['tools'];
  readonly prompts: LiveLists['prompts'];
  readonly resources: LiveLists['resources'];
  readonly resourceTemplates: LiveLists['resourceTemplates'];
  readonly skills: LiveLists['skills'];
  readonly onDidUpdateResource: Event<string>;
  readonly onDidChangeState: Event<ServerState>;

  private readonly contents: ServerContents;
  private readonly serverSkills: ServerSkills;
  private readonly connection: Connection;
  private readonly requests: RequestSender;
  private readonly lostSession: LostSessionCheck;
  private readonly tasks: TaskCalls;
  private readonly deps: ConnectionDeps;
  private readonly t: Translate;
  private readonly signOuts: Disposable | undefined;

  constructor(definition: ServerDefinition, deps: ConnectionDeps) {
    this.current = definition;
    this.deps = deps;
    this.t = deps.t ?? inEnglish;
    this.contents = new ServerContents(definition, deps);
    const { lists } = this.contents.catalog;
    this.tools = lists.tools;
    this.prompts = lists.prompts;
    this.resources = lists.resources;
    this.resourceTemplates = lists.resourceTemplates;
    this.skills = lists.skills;
    this.serverSkills = new ServerSkills(lists.skills);
    this.onDidUpdateResource = this.contents.onDidUpdateResource;
    this.connection = new Connection(definition, deps, {
      era: () => this.contents.era(),
      opened: (session) => this.opened(session),
      closed: () => {
        this.lostSession.dispose();
        this.contents.detach();
      },
    });
    this.contents.onDidChangeListening((listening) => this.connection.setListening(listening));
    this.lostSession = new LostSessionCheck(this.connection, deps.log);
    this.requests = new RequestSender(definition.name, this.connection, deps, this.lostSession);
    this.tasks = new TaskCalls({
      send: (request, how) =>
        this.requests.send((t) => t('follow a task'), request, {
          ...how,
          repeatable: true,
          interactive: true,
          staysStopped: true,
        }),
      session: () => this.connection.session,
      t: this.t,
    });
    deps.authorization?.onDidRequire(() => this.connection.requireSignIn());
    this.signOuts = deps.authorization?.onDidSignOutElsewhere(() => this.signedOutElsewhere());
    this.onDidChangeState = this.connection.onDidChangeState;
  }

  get definition(): ServerDefinition {
    return this.current;
  }

  /** Updates where the same definition is written now. */
  movedTo({ source }: ServerDefinition): void {
    this.current = { ...this.current, source };
  }

  get id(): string {
    return this.definition.id;
  }

  get name(): string {
    return this.definition.name;
  }

  get state(): ServerState {
    return this.connection.state;
  }

  get lastAttempt(): Attempt {
    return this.connection.lastAttempt;
  }

  get lastFailure(): FailedState | undefined {
    return this.connection.lastFailure;
  }

  get canSubscribe(): boolean {
    return this.contents.canSubscribe;
  }

  get isSignedIn(): boolean {
    return this.deps.authorization?.isSignedIn === true;
  }

  get validFor(): SignInExtent | undefined {
    return this.deps.authorization?.validFor;
  }

  start(signal?: AbortSignal): Promise<StartOutcome> {
    this.contents.catalog.refreshExpired();
    // Who wants it now does not wait for the next attempt.
    if (this.state.kind === 'reconnecting') void this.probe();
    return this.connection.start(signal);
  }

  stop(why?: 'stoppedByUser'): Promise<void> {
    return this.connection.stop(why);
  }

  lookedAt(found: Readiness): void {
    this.connection.lookedAt(found);
  }

  /** Resolves when the stopped server has ended. */
  ended(): Promise<void> {
    return this.connection.ended();
  }

  async launchFingerprint(): Promise<string> {
    const { definition, deps } = this;
    const { runningLaunch } = this.connection;
    if (runningLaunch !== undefined) return runningLaunch;
    return deps.launches.launchFingerprint?.(definition) ?? fingerprint(definition.config);
  }

  async signIn(): Promise<StartOutcome> {
    const { authorization } = this.deps;
    const outcome = await this.start();
    if (!authorization?.need) return outcome;
    const { session } = this.connection;
    const [signedIn] = await Promise.all([
      signInAndStart(this.connection, authorization, { t: this.t }),
      authorization.showAgain(),
    ]);
    // The lists of a session that ran before were loaded with fewer permissions.
    return session && signedIn.kind === 'running' ? this.connection.reconnect(session) : signedIn;
  }

  signOut(): Promise<void> {
    return this.forget(() => this.deps.authorization?.signOut());
  }

  /** Keeps nothing of the server: what a sign-out, in whichever window, and a removal have in common. */
  private async forget(signOut: () => Promise<void> | undefined): Promise<void> {
    await this.stop();
    await this.ended();
    await signOut();
    await this.contents.forget();
    await this.deps.forget?.(this.id);
  }

  private signedOutElsewhere(): void {
    this.deps.log.info('Another window has signed out.');
    this.forget(() => undefined).catch((error: unknown) => this.deps.log.warn(errorMessage(error)));
  }

  async callTool(
    name: string,
    args: JsonObject,
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    const call = { name, args, tool: entryNamed(this.tools, name) };
    // Disposing a store costs nothing; aborting a signal would be a fifth of the client's time for a call.
    const ended = new DisposableStore();
    const send = (session: Session) =>
      callTool(session, this.tools, call, { ...options, progressUntil: ended });
    const what: LocalizableMessage = (t) => t('call the tool "{0}"', name);
    try {
      const answer = await this.requests.send(what, send, { ...options, interactive: true });
      return await this.read(what, this.tasks.finish(answer, options), readCallToolResult);
    } finally {
      ended.dispose();
    }
  }

  followTask(tool: string, task: TaskHandle, options?: RequestOptions): Promise<CallToolResult> {
    const what: LocalizableMessage = (t) => t('finish the tool "{0}"', tool);
    return this.read(what, this.tasks.follow(task, options), readCallToolResult);
  }

  async listTasks(options?: RequestOptions): Promise<LoadedList<ListedTask>> {
    const how = { ...options, repeatable: true, interactive: true };
    return this.requests.send(
      (t) => t('list its tasks'),
      (session) => listTasks(session, options, this.t),
      how,
    );
  }

  async cancelTask({ id: taskId }: TaskHandle): Promise<void> {
    const send: Send = (session) => session.request('tasks/cancel', { taskId });
    await this.requests.send((t) => t('cancel the task {0}', taskId), send, { interactive: true });
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    const send: Send = (session) =>
      session.request('prompts/get', { name, arguments: args, ...metaOf(options) }, options);
    const how = { ...options, repeatable: true, interactive: true };
    const what: LocalizableMessage = (t) =>
      t('get the prompt "{0}"', displayName(entryNamed(this.prompts, name) ?? { name }));
    return this.read(what, this.requests.send(what, send, how), readGetPromptResult);
  }

  async readResource(uri: string, options?: RequestOptions): Promise<ReadResourceResult> {
    const send: Send = (session) =>
      session.request('resources/read', { uri, ...metaOf(options) }, options);
    const how = { ...options, repeatable: true, interactive: true };
    const what: LocalizableMessage = (t) => t('read "{0}"', uri);
    const sent = this.requests.send(what, send, how);
    const result = await this.read(what, sent, readReadResourceResult);
    await this.serverSkills.check(uri, result).catch((error: unknown) => {
      throw new UserError(`"${this.name}": ${errorMessage(error, this.t)}`, { cause: error });
    });
    return result;
  }

  getSkill(uri: string, options?: RequestOptions): Promise<Skill> {
    const send = (session: Session) => this.serverSkills.get(session, uri, options);
    const how = { ...options, repeatable: true, interactive: true };
    return this.requests.send((t) => t('get the skill {0}', uri), send, how);
  }

  async complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    context: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<Completion> {
    const params = {
      ref,
      argument,
      ...(Object.keys(context).length > 0 && { context: { arguments: context } }),
      ...metaOf(options),
    };
    const send: Send = async (session) =>
      session.info.capabilities.completions
        ? session.request('completion/complete', params, options)
        : {};
    const how = { ...options, repeatable: true };
    return readCompletion(
      await this.requests.send((t) => t('complete "{0}"', argument.name), send, how),
    );
  }

  async sendRequest(method: string, params: Params, options?: RequestOptions): Promise<Params> {
    if (method === 'tools/call') throw new TypeError('tools/call');
    const send: Send = (session) => session.request(method, params, options);
    const how = { ...options, interactive: true };
    const result = await this.requests.send((t) => t('send "{0}"', method), send, how);
    // Whoever sends that has chosen the level.
    if (method === 'logging/setLevel')
      this.contents.chosenLevel = loggingLevels.find((level) => level === params['level']);
    return result;
  }

  async sendNotification(method: string, params: Params): Promise<void> {
    // Some servers run what has no id, too.
    if (!method.startsWith('notifications/'))
      throw new TypeError(`The method of a notification begins with "notifications/": ${method}`);
    const send = (session: Session) => session.notify(method, params);
    return this.requests.send((t) => t('send "{0}"', method), send, { interactive: true });
  }

  subscribe(uri: string): Disposable {
    return this.contents.subscribe(uri);
  }

  setLoggingLevel(level: LoggingLevel): Promise<void> {
    return this.contents.setLoggingLevel(level);
  }

  chooseLoggingLevel(level: LoggingLevel | undefined): Promise<void> {
    return this.contents.chooseLoggingLevel(level);
  }

  get chosenLoggingLevel(): LoggingLevel | undefined {
    return this.contents.chosenLevel;
  }

  notifyRootsChanged(): void {
    const { session } = this.connection;
    if (!session || !eras[session.era].announcesRoots || !session.declared['roots']) return;
    session
      .notify('notifications/roots/list_changed')
      .catch((error: unknown) => this.deps.log.warn(errorMessage(error)));
  }

  /** Connects again if the session is lost, which may go unnoticed after the machine slept. */
  async probe(): Promise<void> {
    const { session } = this.connection;
    if (session) await this.lostSession.probe(session);
  }

  dispose(): void {
    this.signOuts?.dispose();
    this.connection.dispose();
    this.contents.dispose();
  }

  /** Reads an answer, and tells in the row of the server what is wrong with it; words an error that is not worded yet. */
  private async read<T>(
    what: LocalizableMessage,
    answer: Promise<Params>,
    read: (answer: Params, note: Note) => T,
  ): Promise<T> {
    try {
      return read(await answer, (sentence) => this.connection.session?.faults.note(sentence));
    } catch (error) {
      if (isCancellation(error) || error instanceof UserError) throw error;
      const reason = errorMessage(error, this.t);
      const message = this.t('"{0}" could not {1}: {2}', this.name, what(this.t), reason);
      throw new UserError(message, { cause: error });
    }
  }

  private opened(session: Session): Promise<void> {
    session.onDidSuspectLost(() => void this.lostSession.suspect(session));
    session.onFailure((error) => {
      if (suggestsLostSession(session, error)) void this.lostSession.check(session);
      else void this.lostSession.doubt(session, error);
    });
    session.onDidChangeListening((listening) => {
      if (!listening) void this.lostSession.ask(session);
    });
    return this.contents.attach(session);
  }
}
