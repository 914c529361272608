import { Throttle, Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { ConnectionDeps } from './connectionDeps';
import { memoryKey } from './memory/memoryKey';
import { rememberedEra, type RememberedServer } from './memory/serverMemory';
import { ServerLog } from './serverLog';
import { Catalog } from '../lists/catalog';
import type { LoggingLevel } from '../protocol/types';
import type { ServerDefinition } from '../serverConfig';
import type { Era } from '../session/handshake/negotiate';
import type { Session } from '../session/session';
import { Subscriptions } from '../session/subscriptions';

/** Changed lists are written to disk when they were quiet for this long. */
const saveDelayMs = 3000;
/** A stream that ends again and again has everything asked for anew this often at most. */
const catchUpEveryMs = 30_000;

/** Keeps what a server offers current over its sessions: its lists, subscribed resources, its log, and the memory of it. */
export class ServerContents implements Disposable {
  readonly catalog: Catalog;
  private readonly definition: ServerDefinition;
  private readonly deps: Pick<ConnectionDeps, 'memory' | 'folders' | 'log' | 't'>;
  private readonly subscriptions: Subscriptions;
  readonly onDidChangeListening: Subscriptions['onDidChangeListening'];
  private readonly updated = new Emitter<string>();
  readonly onDidUpdateResource = this.updated.event;
  private readonly log: ServerLog;
  private readonly remembered: Promise<RememberedServer | undefined>;
  private readonly saving = new Timer(() => this.remember());
  private readonly catchingUp = new Throttle(() => this.catchUp(), catchUpEveryMs);
  private session: Session | undefined;
  private loggingLevel: LoggingLevel | undefined;
  /** The era of the latest session. */
  private spoken: Era | undefined;

  constructor(
    definition: ServerDefinition,
    deps: Pick<ConnectionDeps, 'memory' | 'folders' | 'log' | 't'>,
  ) {
    this.definition = definition;
    this.deps = deps;
    this.catalog = new Catalog(deps.t);
    this.log = new ServerLog(deps.log);
    this.subscriptions = new Subscriptions(deps.log);
    this.subscriptions.onDidResume(() => this.catchingUp.run());
    this.onDidChangeListening = this.subscriptions.onDidChangeListening;
    this.remembered = deps.memory.load(memoryKey(definition, deps.folders)).then((remembered) => {
      if (remembered) this.catalog.restore(remembered.snapshot);
      return remembered;
    });
  }

  /** The era that the server spoke last, if known. */
  async era(): Promise<Era | undefined> {
    return this.spoken ?? rememberedEra(await this.remembered);
  }

  /** True when the server of the session tells of changes of all resources that are subscribed. */
  get canSubscribe(): boolean {
    const offers = this.session?.info.capabilities.resources?.subscribe === true;
    return offers && this.subscriptions.isHonored;
  }

  subscribe(uri: string): Disposable {
    return this.subscriptions.add(uri);
  }

  async setLoggingLevel(level: LoggingLevel): Promise<void> {
    this.loggingLevel = level;
    await this.session?.setLoggingLevel(level);
  }

  /** A session began; resolves when its lists are in. */
  async attach(session: Session): Promise<void> {
    this.session = session;
    this.spoken = session.era;
    session.onNotification(({ method, params }) => {
      if (this.catalog.notified(method)) return this.saving.start(saveDelayMs);
      const { uri } = params;
      if (method === 'notifications/resources/updated' && typeof uri === 'string')
        this.updated.fire(uri);
      if (method === 'notifications/message') this.log.write(params);
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

  /** The session ended. */
  detach(): void {
    this.session = undefined;
    this.catalog.detach();
    this.subscriptions.detach();
    this.catchingUp.dispose();
  }

  dispose(): void {
    this.saving.dispose();
    this.subscriptions.dispose();
    this.catalog.dispose();
    this.updated.dispose();
    this.log.dispose();
  }

  /** Changes may have been missed: asks again for all that somebody may look at. */
  private catchUp(): void {
    this.catalog.invalidate();
    for (const uri of this.subscriptions.uris) this.updated.fire(uri);
  }

  private remember(): void {
    const { session, definition, deps } = this;
    if (!session) return;
    void deps.memory.save(memoryKey(definition, deps.folders), {
      snapshot: this.catalog.snapshot,
      era: session.era,
      savedAt: Date.now(),
    });
  }
}
