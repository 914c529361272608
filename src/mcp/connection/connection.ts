import { Timer } from '../../base/async';
import { type Translate, inEnglish } from '../../base/translate';
import type { Disposable } from '../../base/disposable';
import { errorDetail, errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import { truncate } from '../../base/text/text';
import { kindOf } from '../launch/launchKinds';
import { responseFailure } from '../protocol/errorFacts';
import {
  type Lifecycle,
  type LifecycleEvent,
  lastFailureOf,
  newLifecycle,
  reduceLifecycle,
} from '../lifecycle';
import type { ServerConfig, ServerDefinition } from '../serverConfig';
import {
  type FailedState,
  type Listening,
  type Readiness,
  type StartRefusal,
  type ServerState,
  type StartOutcome,
  outcomeOf,
} from '../serverState';
import { openFirstWorking } from '../session/openSession';
import type { Era } from '../protocol/revisions';
import type { Session } from '../session/session';
import type { ServerTransport } from '../transport/serverTransport';
import type { Attempt, ConnectionDeps } from './connectionDeps';
import { describeEnding, describeFailure } from './describeFailure';
import { StartWaiters } from './startWaiters';

/** The most that is shown of a server's output that is not a message, in UTF-16 units. */
const maxShown = 1000;

/** Follows the sessions of a connection. */
export interface SessionListener {
  /** Resolves with the era that the server last spoke, if known. */
  era(): Promise<Era | undefined>;
  /** Called when a session begins; resolves when it is fully usable. */
  opened(session: Session): Promise<void>;
  closed(): void;
}

/** Keeps one server connected: starts it, stops it, and restarts it after a crash. */
export class Connection implements Disposable {
  private life: Lifecycle;
  private readonly changed = new Emitter<ServerState>();
  readonly onDidChangeState = this.changed.event;

  private live: { readonly session: Session; readonly transport: ServerTransport } | undefined;
  private transport: ServerTransport | undefined;
  private tried: Pick<Attempt, 'config' | 'error'> = {};
  private starting: Promise<StartOutcome> | undefined;
  private closing: Promise<void> | undefined;
  private abort = new AbortController();
  private disposed = false;
  private readonly retry = new Timer(() => void this.begin('restart'));
  private readonly waiters: StartWaiters;
  /** The fingerprint of what was started last. */
  private launched: string | undefined;

  private readonly definition: ServerDefinition;
  private readonly deps: ConnectionDeps;
  private readonly t: Translate;
  private readonly listener: SessionListener;

  constructor(definition: ServerDefinition, deps: ConnectionDeps, listener: SessionListener) {
    this.definition = definition;
    this.deps = deps;
    this.t = deps.t ?? inEnglish;
    this.listener = listener;
    this.life = newLifecycle(deps.obstacle);
    this.waiters = new StartWaiters(() => {
      if (this.starting) void this.stop();
    }, this.t);
  }

  get state(): ServerState {
    return this.life.state;
  }

  get session(): Session | undefined {
    return this.live?.session;
  }

  /** The fingerprint of the launch that is running, whatever its configuration says now; `undefined` if none is. */
  get runningLaunch(): string | undefined {
    return this.live || this.starting ? this.launched : undefined;
  }

  get lastAttempt(): Attempt {
    const { ending, stderrTail, unexpectedOutput, neededSignal } = this.transport ?? {};
    const mask = (text: string | undefined) => text && (this.deps.mask?.(text) ?? text);
    return {
      ...this.tried,
      ending,
      neededSignal,
      stderrTail: mask(stderrTail),
      unexpectedOutput: mask(unexpectedOutput),
    };
  }

  get lastFailure(): FailedState | undefined {
    return lastFailureOf(this.life, Date.now(), this.deps.restarts);
  }

  start(signal?: AbortSignal): Promise<StartOutcome> {
    if (this.live && !this.starting) return Promise.resolve({ kind: 'running' });
    return this.waiters.wait(this.begin('start'), signal);
  }

  /** Stops the server and keeps it stopped; a second call while it is stopping forces it. */
  async stop(why?: 'stoppedByUser'): Promise<void> {
    this.became({ kind: 'stopping' });
    await this.end();
    if (!this.live && !this.starting) this.became({ kind: 'stopped', why });
  }

  /** Immediately replaces a session that is no longer valid or alive, unless the server was stopped on purpose. */
  reconnect(session: Session): Promise<StartOutcome> {
    if (this.live?.session === session) {
      this.deps.log.info('The session is lost. Connecting again.');
      void this.end();
    } else if (this.isEndedOnPurpose) {
      return Promise.resolve({ kind: 'refused', message: this.t('The server was stopped.') });
    } else if (this.live && !this.starting) {
      // Another caller has already replaced it: a second new session would never be closed.
      return Promise.resolve({ kind: 'running' });
    }
    return this.begin('restart');
  }

  /** True from when the user or a configuration change stops the server until it starts again. */
  get isEndedOnPurpose(): boolean {
    return this.life.isEndedOnPurpose;
  }

  /** Ends the session of a server that serves nothing more without a sign-in. */
  requireSignIn(): void {
    // Refreshes the state, as a sign-in may have failed meanwhile.
    if (this.state.kind === 'needsSignIn') return void this.became(this.signInRequired());
    if (!this.live) return;
    this.closing = this.live.transport.close();
    this.live = undefined;
    this.listener.closed();
    this.became(this.signInRequired());
  }

  /** Notes in the running state whether all, some or none of the server's own messages are received. */
  setListening(listening: Listening): void {
    this.became({ kind: 'listened', listening });
  }

  /** Notes what a look ahead found between a stopped server and its start. */
  lookedAt(found: Readiness): void {
    this.became({ kind: 'lookedAt', found });
  }

  /** Notes that the server of this session answers again. */
  reached(session: Session): void {
    if (this.live?.session !== session || this.state.kind !== 'reconnecting') return;
    this.deps.log.info('The server is reached again.');
    this.became({ kind: 'reached' });
  }

  /** Notes that nothing answers at the address of this session, which is kept: only the network may be down. */
  unreached(session: Session, error: unknown): void {
    if (this.live?.session !== session || this.state.kind !== 'running') return;
    const message =
      responseFailure(error, this.t) ?? truncate(errorMessage(error, this.t), maxShown);
    this.deps.log.warn(`The server is not reached and is asked again: ${errorMessage(error)}`);
    this.became({ kind: 'unreached', message });
  }

  dispose(): void {
    this.disposed = true;
    void this.stop();
    this.became({ kind: 'stopped' });
    this.changed.dispose();
  }

  /** Resolves when everything that was stopped has ended. */
  async ended(): Promise<void> {
    await this.closing;
    await this.starting;
  }

  private async end(): Promise<void> {
    const { transport, live, starting } = this;
    this.retry.dispose();
    this.abort.abort();
    this.live = undefined;
    if (live) this.listener.closed();
    if (transport) this.closing = transport.close();
    await this.closing;
    await starting;
  }

  private begin(why: 'start' | 'restart'): Promise<StartOutcome> {
    // Otherwise code that still holds the server would start a process that nothing ends.
    if (this.disposed)
      return Promise.resolve({
        kind: 'refused',
        message: this.t('It is no longer configured, or not in this way.'),
      });
    const before = this.starting;
    // A start that was stopped is not shared: a new one follows it.
    if (before && !this.abort.signal.aborted) return before;
    this.abort = new AbortController();
    this.waiters.begin(why === 'restart');
    const starting = this.attempt(why, before, this.abort.signal).finally(() => {
      if (this.starting === starting) this.starting = undefined;
    });
    this.starting = starting;
    return starting;
  }

  private async attempt(
    why: 'start' | 'restart',
    before: Promise<StartOutcome> | undefined,
    signal: AbortSignal,
  ): Promise<StartOutcome> {
    this.retry.dispose();
    this.became({ kind: 'started', isRestart: why === 'restart' });
    await before;
    await this.closing;
    const { definition, deps } = this;
    try {
      signal.throwIfAborted();
      this.transport = undefined;
      this.tried = {};
      this.launched = undefined;
      await deps.predecessor?.();
      signal.throwIfAborted();
      const prepared = await deps.launches.prepare(definition, signal, (answer) =>
        this.whileAsking(answer, signal),
      );
      if ('refused' in prepared) return this.refuse(prepared, signal);
      const { config } = prepared;
      this.tried = { config };
      this.launched = prepared.launchFingerprint;
      return await deps.limiter(() => this.connect(config, signal), signal);
    } catch (error) {
      if (signal.aborted) {
        // While its process is ending, another stop can force it.
        await this.closing;
        const refused = this.t('The server was stopped before it had started.');
        return this.refuse({ refused }, signal);
      }
      this.tried = { ...this.tried, error };
      // The configuration as written, since the values of its variables may be secret.
      const state = describeFailure(error, definition.config, this.lastAttempt, this.t);
      deps.log.debug(errorDetail(error));
      if (state.kind === 'failed' && why === 'restart') this.crashed(state);
      else if (state.kind === 'failed') {
        deps.log.error(state.message);
        this.became({ kind: 'failed', failure: state });
      } else this.became(this.signInRequired());
      return outcomeOf(state, this.t);
    }
  }

  private async connect(config: ServerConfig, signal: AbortSignal): Promise<StartOutcome> {
    signal.throwIfAborted();
    const session = await this.open(config, signal);
    signal.throwIfAborted();
    // What was refused until now was only the question of an era that the server does not speak.
    this.deps.authorization?.forgetRefusal();
    const transport = this.transport as ServerTransport;
    this.live = { session, transport };
    session.onLost(() => this.lost(session));
    session.onDidChangeListening((listening) => this.setListening(listening ? 'all' : 'none'));
    const { faults, info, declared } = session;
    const confinement = kindOf(config).confinement(config);
    const problems = faults.shown(this.t);
    const opened = { kind: 'opened', info, declared, ...problems } as const;
    this.became({ ...opened, ...(confinement && { confinement }) });
    faults.onDidChange(() => {
      if (this.live?.session === session)
        this.became({ kind: 'violated', ...faults.shown(this.t) });
    });
    await this.listener.opened(session);
    signal.throwIfAborted();
    // Some servers only require a sign-in once they are asked for their lists; and the server may have crashed.
    const { authorization } = this.deps;
    if (authorization?.need === 'signIn') this.requireSignIn();
    else authorization?.forgetProblem();
    return outcomeOf(this.state, this.t);
  }

  private async open(config: ServerConfig, signal: AbortSignal): Promise<Session> {
    const { definition, deps } = this;
    const { deadlines, maxMessageBytes } = definition.limits;
    const { log, authorization, debuggerFor, traffic, afterEndMs } = deps;
    const ways = await deps.openTransport(config, {
      definition,
      log,
      maxMessageBytes,
      onStderr: (line) => traffic?.noteStderr(line),
      onHttp: traffic && ((...exchange) => traffic.noteHttp(...exchange)),
      authorization,
      debuggerFor,
      afterEndMs,
      t: deps.t,
    });
    const era = await this.listener.era();
    const { revision, without } = definition;
    const options = { ...deps, era, revision, without, server: definition, deadlines, signal };
    return openFirstWorking(ways, options, (transport) => {
      this.transport = transport;
      transport.onUnexpectedOutput = () => this.tellUnexpected(transport);
    });
  }

  /** Shows unexpected output while the server starts, but stops nothing: many print a line and then work properly. */
  private tellUnexpected(transport: ServerTransport): void {
    if (this.transport !== transport) return;
    const { unexpectedOutput = '' } = this.lastAttempt;
    this.became({ kind: 'printed', text: truncate(unexpectedOutput, maxShown) });
  }

  private lost(session: Session): void {
    if (this.live?.session !== session) return;
    this.live = undefined;
    this.listener.closed();
    const { ending = this.t('closed the connection'), stderrTail } = this.lastAttempt;
    this.crashed(describeEnding(ending, { stderrTail }, this.t));
  }

  /** Handles a server that went down on its own: restarts it later, unless that was tried too often. */
  private crashed(failure: FailedState): void {
    const at = Date.now();
    const state = this.became({ kind: 'crashed', failure, at });
    const retryAt = state.kind === 'failed' ? state.retryAt : undefined;
    const { log } = this.deps;
    if (retryAt === undefined) return log.error(`${failure.message} It is not started again.`);
    log.error(`${failure.message} Retry in ${retryAt - at} ms.`);
    if (this.state === state) this.retry.start(retryAt - at);
  }

  private refuse({ refused, why, ...by }: StartRefusal, signal: AbortSignal): StartOutcome {
    // If another start has followed meanwhile, the state belongs to that one.
    if (this.abort.signal === signal) this.became({ kind: 'refused', why });
    return { kind: 'refused', message: refused, ...by };
  }

  /** Shows the start as waiting for the user until `answer` settles. */
  private whileAsking<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
    const note = (kind: 'asked' | 'answered') => {
      if (this.abort.signal === signal) this.became({ kind });
    };
    note('asked');
    return answer.finally(() => note('answered'));
  }

  /** Returns the state that the event led to, which whoever hears of it may change again at once. */
  private became(event: LifecycleEvent): ServerState {
    const before = this.life;
    this.life = reduceLifecycle(before, event, this.deps.restarts);
    const { state } = this.life;
    if (state !== before.state) this.changed.fire(state);
    return state;
  }

  private signInRequired(): LifecycleEvent {
    const { issuer, problem, isUnexplained } = this.deps.authorization ?? {};
    const why = problem && { problem: errorMessage(problem, this.t) };
    const known = { ...(issuer && { issuer }), ...(isUnexplained && { isUnexplained }) };
    return { kind: 'signInRequired', ...known, ...why };
  }
}
