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

/** Changed lists are saved once they have not changed for this long. */
const saveDelayMs = 3000;
/** Even if a stream keeps ending, everything is refreshed at most this often. */
const catchUpEveryMs = 30_000;

/** Keeps what a server offers current across its sessions: its lists, subscribed resources, log and memory. */
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

  /** Resolves with the era that the server last spoke, if known. */
  async era(): Promise<Era | undefined> {
    return this.spoken ?? rememberedEra(await this.remembered);
  }

  /** True if the server of the current session announces changes to all subscribed resources. */
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

  /** Follows a new session; resolves when its lists are loaded. */
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

  /** Stops following the session, which has ended. */
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

  /** Refreshes everything that may be in view, since changes may have been missed. */
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
