import { Throttle, Timer } from '../base/async';
import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import { Emitter } from '../base/event';
import { signInAndStart } from './auth/signIn';
import { Connection } from './connection/connection';
import type { ConnectionDeps } from './connection/connectionDeps';
import { ServerLog } from './connection/serverLog';
import { memoryKey } from './connection/memoryKey';
import { rememberedEra, type Remembered } from './connection/serverMemory';
import { ServerRequests } from './connection/serverRequests';
import { isDoubtful, SessionDoubt } from './connection/sessionDoubt';
import { fingerprint } from './fingerprint';
import { Catalog } from './lists/catalog';
import type { LoggingLevel } from './protocol/types';
import type { Server, StartOutcome } from './server';
import type { ServerDefinition } from './serverConfig';
import { callTool } from './session/callTool';
import {
  readCallToolResult,
  readCompletion,
  readGetPromptResult,
  readReadResourceResult,
} from './protocol/results';
import type { Era } from './session/handshake/negotiate';
import type { Session } from './session/session';
import { Subscriptions } from './session/subscriptions';

type Params = Readonly<Record<string, unknown>>;
type Send = (session: Session) => Promise<Params>;

/** Changed lists are written to disk when they were quiet for this long. */
const saveDelayMs = 3000;
/** A stream that ends again and again has everything asked for anew this often at most. */
const catchUpEveryMs = 30_000;

/** A {@link Server} over a {@link Connection}. */
export class ConfiguredServer implements Server, Disposable {
  readonly definition: ServerDefinition;
  readonly catalog = new Catalog();
  readonly tools = this.catalog.lists.tools;
  readonly prompts = this.catalog.lists.prompts;
  readonly resources = this.catalog.lists.resources;
  readonly resourceTemplates = this.catalog.lists.resourceTemplates;

  private readonly connection: Connection;
  private readonly requests: ServerRequests;
  private readonly doubt: SessionDoubt;
  private readonly subscriptions: Subscriptions;
  private readonly deps: ConnectionDeps;
  private readonly updated = new Emitter<string>();
  readonly onDidUpdateResource = this.updated.event;
  readonly onDidChangeState: Server['onDidChangeState'];
  private readonly remembered: Promise<Remembered | undefined>;
  private readonly saving = new Timer(() => this.remember());
  private readonly catchingUp = new Throttle(() => this.catchUp(), catchUpEveryMs);
  private readonly log: ServerLog;
  private loggingLevel: LoggingLevel | undefined;
  /** The era of the latest session. */
  private spoken: Era | undefined;

  constructor(definition: ServerDefinition, deps: ConnectionDeps) {
    this.definition = definition;
    this.deps = deps;
    this.subscriptions = new Subscriptions(deps.log);
    this.subscriptions.onDidResume(() => this.catchingUp.run());
    this.subscriptions.onDidChangeHearing((hears) => this.connection.setHearing(hears));
    this.log = new ServerLog(deps.log);
    this.remembered = deps.memory.load(memoryKey(definition)).then((remembered) => {
      if (remembered) this.catalog.restore(remembered.snapshot);
      return remembered;
    });
    this.connection = new Connection(definition, deps, {
      era: async () => this.spoken ?? rememberedEra(await this.remembered),
      opened: (session) => this.opened(session),
      closed: () => {
        this.catalog.detach();
        this.subscriptions.detach();
        this.catchingUp.dispose();
      },
    });
    this.doubt = new SessionDoubt(this.connection, deps.log);
    this.requests = new ServerRequests(definition.name, this.connection, deps, this.doubt);
    deps.authorization?.onDidRequire(() => this.connection.requireSignIn());
    this.onDidChangeState = this.connection.onDidChangeState;
  }

  get id(): string {
    return this.definition.id;
  }

  get name(): string {
    return this.definition.name;
  }

  get state(): Server['state'] {
    return this.connection.state;
  }

  get lastAttempt(): Server['lastAttempt'] {
    return this.connection.lastAttempt;
  }

  get canSubscribe(): boolean {
    const offers = this.connection.session?.info.capabilities.resources?.subscribe === true;
    return offers && this.subscriptions.isHonored;
  }

  get isSignedIn(): boolean {
    return this.deps.authorization?.isSignedIn === true;
  }

  start(signal?: AbortSignal): Promise<StartOutcome> {
    this.catalog.refreshExpired();
    return this.connection.start(signal);
  }

  stop(): Promise<void> {
    return this.connection.stop();
  }

  launchPrint(): Promise<string> {
    const { definition, deps } = this;
    return deps.launchPrint?.(definition) ?? fingerprint(definition.config);
  }

  async signIn(): Promise<StartOutcome> {
    const { authorization } = this.deps;
    const outcome = await this.start();
    if (!authorization?.need) return outcome;
    const { session } = this.connection;
    const signedIn = await signInAndStart(this.connection, authorization);
    // A session that ran before has lists that were loaded with fewer permissions.
    return session && signedIn.kind === 'running' ? this.connection.reconnect(session) : signedIn;
  }

  async signOut(): Promise<void> {
    await this.stop();
    await this.deps.authorization?.signOut();
  }

  async callTool(...[name, args, options]: Parameters<Server['callTool']>) {
    const call = { name, args, tool: this.tools.items.find((one) => one.name === name) };
    const send: Send = (session) => callTool(session, this.tools, call, options);
    const how = { ...options, interactive: true };
    return readCallToolResult(await this.requests.send(`call the tool "${name}"`, send, how));
  }

  async getPrompt(...[name, args, options]: Parameters<Server['getPrompt']>) {
    const send: Send = (session) =>
      session.request('prompts/get', { name, arguments: args }, options);
    const how = { ...options, repeatable: true, interactive: true };
    return readGetPromptResult(await this.requests.send(`get the prompt "${name}"`, send, how));
  }

  async readResource(...[uri, options]: Parameters<Server['readResource']>) {
    const send: Send = (session) => session.request('resources/read', { uri }, options);
    const how = { ...options, repeatable: true, interactive: true };
    return readReadResourceResult(await this.requests.send(`read "${uri}"`, send, how));
  }

  async complete(...[ref, argument, context, options]: Parameters<Server['complete']>) {
    const params = {
      ref,
      argument,
      ...(Object.keys(context).length > 0 && { context: { arguments: context } }),
    };
    const send: Send = async (session) =>
      session.info.capabilities.completions
        ? session.request('completion/complete', params, options)
        : {};
    const how = { ...options, repeatable: true };
    return readCompletion(await this.requests.send(`complete "${argument.name}"`, send, how));
  }

  subscribe(uri: string): Disposable {
    return this.subscriptions.add(uri);
  }

  async setLoggingLevel(level: LoggingLevel): Promise<void> {
    this.loggingLevel = level;
    await this.connection.session?.setLoggingLevel(level);
  }

  notifyRootsChanged(): void {
    const { session } = this.connection;
    if (session?.era !== 'legacy' || !this.deps.requests.listRoots) return;
    session
      .notify('notifications/roots/list_changed')
      .catch((error: unknown) => this.deps.log.warn(errorMessage(error)));
  }

  /** Connects again if the session is dead, which it may be unnoticed after the machine slept. */
  async probe(): Promise<void> {
    const { session } = this.connection;
    if (session) await this.doubt.probe(session);
  }

  dispose(): void {
    this.saving.dispose();
    this.connection.dispose();
    this.subscriptions.dispose();
    this.catalog.dispose();
    this.updated.dispose();
    this.log.dispose();
  }

  private async opened(session: Session): Promise<void> {
    this.spoken = session.era;
    session.onNotification(({ method, params }) => {
      if (this.catalog.notified(method)) return this.saving.start(saveDelayMs);
      const { uri } = params;
      if (method === 'notifications/resources/updated' && typeof uri === 'string')
        this.updated.fire(uri);
      if (method === 'notifications/message') this.log.write(params);
    });
    session.onDoubt(() => void this.probe());
    session.onFailure((error) => {
      if (isDoubtful(session, error)) void this.doubt.check(session);
    });
    session.onResumed(() => this.catchingUp.run());
    this.subscriptions.attach(session);
    if (this.loggingLevel)
      session
        .setLoggingLevel(this.loggingLevel)
        .catch((error: unknown) => this.deps.log.warn(errorMessage(error)));
    await this.catalog.attach(session);
    this.saving.start(0);
  }

  /** Changes may have been missed: asks again for all that somebody may look at. */
  private catchUp(): void {
    this.catalog.invalidate();
    for (const uri of this.subscriptions.uris) this.updated.fire(uri);
  }

  private remember(): void {
    const { session } = this.connection;
    if (!session) return;
    void this.deps.memory.save(memoryKey(this.definition), {
      snapshot: this.catalog.snapshot,
      era: session.era,
      savedAt: Date.now(),
    });
  }
}
