import { Timer } from '../base/async';
import type { Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter } from '../base/event';
import type { Logger } from '../base/log';
import type { Authorization } from './auth/authorization';
import type { ClientRequests } from './clientRequests';
import { describeFailure, httpStatus } from './describeFailure';
import type { Implementation } from './protocol';
import { RestartPolicy } from './restartPolicy';
import type { StartOutcome } from './server';
import type { ServerConfig, ServerDefinition } from './serverConfig';
import type { ServerMemory } from './serverMemory';
import type { ServerState } from './serverState';
import { openSession, type Era, type Session } from './session';
import type { OpenWire, Wire } from './wire';

/** What a connection needs from its surroundings. */
export interface ConnectionDeps {
  readonly client: Implementation;
  readonly requests: ClientRequests;
  readonly openWire: OpenWire;
  /** Makes the configuration ready to launch (trust, variables), or says why it may not be. */
  readonly prepare: (
    definition: ServerDefinition,
    signal: AbortSignal,
  ) => Promise<{ readonly config: ServerConfig } | { readonly refused: string }>;
  /** Runs a start as soon as not too many others run. */
  readonly limiter: <T>(task: () => Promise<T>) => Promise<T>;
  readonly memory: ServerMemory;
  /** The sign-in of this server; without it a server that wants one cannot be used. */
  readonly authorization?: Authorization | undefined;
  readonly log: Logger;
  /** Says whether every message shall be written to the log, at level trace. */
  readonly tracing: () => boolean;
}

/** Takes part in the sessions of a connection. */
export interface SessionListener {
  /** The era that the server spoke last, if known. */
  era(): Promise<Era | undefined>;
  /** Resolves when the session is fully usable. */
  opened(session: Session): Promise<void>;
  closed(): void;
}

/** Keeps one server connected: starts and stops it, and starts it again when it crashed. */
export class Connection implements Disposable {
  private current: ServerState = { kind: 'stopped' };
  private readonly changed = new Emitter<ServerState>();
  readonly onDidChangeState = this.changed.event;

  private live: { readonly session: Session; readonly wire: Wire } | undefined;
  private wire: Wire | undefined;
  private starting: Promise<StartOutcome> | undefined;
  private closing: Promise<void> | undefined;
  private abort = new AbortController();
  private readonly policy = new RestartPolicy();
  private readonly retry = new Timer(() => void this.start());

  private readonly definition: ServerDefinition;
  private readonly deps: ConnectionDeps;
  private readonly listener: SessionListener;

  constructor(definition: ServerDefinition, deps: ConnectionDeps, listener: SessionListener) {
    this.definition = definition;
    this.deps = deps;
    this.listener = listener;
  }

  get state(): ServerState {
    return this.current;
  }

  get session(): Session | undefined {
    return this.live?.session;
  }

  /** How the last process or connection ended, and its last words. */
  get lastWire(): Pick<Wire, 'ending' | 'lastWords'> | undefined {
    return this.wire;
  }

  start(): Promise<StartOutcome> {
    if (this.live && !this.starting) return Promise.resolve({ kind: 'running' });
    this.starting ??= this.attempt().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Ends what runs and stays stopped; a second call while it ends forces it. */
  async stop(): Promise<void> {
    this.policy.reset();
    await this.end();
    if (!this.starting) this.setState({ kind: 'stopped' });
  }

  /** The session is no longer valid or alive: replaces it at once by another. */
  async reconnect(session: Session): Promise<StartOutcome> {
    if (this.live?.session === session) {
      this.deps.log.info('The session is lost. Connecting again.');
      await this.end();
    }
    return this.start();
  }

  /** Ends a session whose server serves nothing more without a sign-in. */
  requireSignIn(issuer: string | undefined): void {
    if (!this.live) return;
    this.closing = this.live.wire.close();
    this.live = undefined;
    this.listener.closed();
    this.setState({ kind: 'needsSignIn', ...(issuer && { issuer }) });
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
  }

  private async end(): Promise<void> {
    this.retry.dispose();
    this.abort.abort();
    const { wire, live } = this;
    this.live = undefined;
    if (live) this.listener.closed();
    if (wire) this.closing = wire.close();
    await this.closing;
    await this.starting?.catch(() => {});
  }

  private async attempt(): Promise<StartOutcome> {
    this.retry.dispose();
    const abort = new AbortController();
    this.abort = abort;
    this.setState({ kind: 'starting' });
    await this.closing;
    const { definition, deps } = this;
    let config = definition.config;
    try {
      const prepared = await deps.prepare(definition, abort.signal);
      if ('refused' in prepared) return this.refuse(prepared.refused);
      config = prepared.config;
      return await deps.limiter(() => this.connect(config, abort.signal));
    } catch (error) {
      if (abort.signal.aborted) return this.refuse('The server was stopped before it had started.');
      const state = describeFailure(error, config, this.wire);
      deps.log.debug(errorDetail(error));
      if (state.kind === 'failed') deps.log.error(state.message);
      this.setState(state);
      return state.kind === 'failed'
        ? { kind: 'failed', message: state.message }
        : { kind: state.kind };
    }
  }

  private async connect(config: ServerConfig, signal: AbortSignal): Promise<StartOutcome> {
    signal.throwIfAborted();
    const session = await this.open(config, signal);
    if (signal.aborted) {
      await session.close();
      signal.throwIfAborted();
    }
    const wire = this.wire as Wire;
    this.live = { session, wire };
    session.onLost(() => this.lost(session, wire));
    this.setState({ kind: 'running', info: session.info });
    await this.listener.opened(session);
    // Some servers only want a sign-in once their lists are asked for.
    return { kind: this.state.kind === 'needsSignIn' ? 'needsSignIn' : 'running' };
  }

  private async open(config: ServerConfig, signal: AbortSignal): Promise<Session> {
    const { definition, deps } = this;
    const { deadlines, maxMessageBytes } = definition.limits;
    const { log, authorization } = deps;
    const context = { definition, log, maxMessageBytes, authorization };
    const ways = await deps.openWire(config, context);
    for (const [index, openWire] of ways.entries()) {
      this.wire = openWire();
      try {
        return await openSession({
          ...deps,
          wire: this.wire,
          era: await this.listener.era(),
          server: definition,
          deadlines,
          signal,
        });
      } catch (error) {
        if (index === ways.length - 1 || !isTransportUnknown(error)) throw error;
        log.info(`The server does not speak this transport (HTTP ${httpStatus(error)}).`);
      }
    }
    throw new Error('There is no way to reach the server.');
  }

  private lost(session: Session, wire: Wire): void {
    if (this.live?.session !== session) return;
    this.live = undefined;
    this.listener.closed();
    const message = `The server ${wire.ending ?? 'closed the connection'}.`;
    const detail = wire.lastWords ? { detail: wire.lastWords } : {};
    const wait = this.policy.crashed();
    this.deps.log.error(
      wait === undefined
        ? `${message} It is not started again.`
        : `${message} Retry in ${wait} ms.`,
    );
    if (wait === undefined) return this.setState({ kind: 'failed', message, ...detail });
    this.setState({ kind: 'failed', message, ...detail, retryAt: Date.now() + wait });
    this.retry.start(wait);
  }

  private refuse(message: string): StartOutcome {
    this.setState({ kind: 'stopped' });
    return { kind: 'refused', message };
  }

  private setState(state: ServerState): void {
    if (state.kind === 'stopped' && this.current.kind === 'stopped') return;
    this.current = state;
    this.changed.fire(state);
  }
}

/** Such a status in answer to `initialize` means HTTP+SSE (backwards compatibility of transports). */
function isTransportUnknown(error: unknown): boolean {
  return [400, 404, 405].includes(httpStatus(error) ?? 0);
}
