import { Throttle, Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { ConnectionDeps } from './connectionDeps';
import { Catalog, type RememberedServer, rememberedEra } from '../lists/catalog';
import type { LoggingLevel } from '../protocol/types';
import type { ServerConfig, ServerDefinition } from '../serverConfig';
import type { Era, Revision } from '../protocol/revisions';
import type { Session } from '../session/session';
import { Subscriptions } from '../session/subscriptions';
import type { Logger } from '../../base/log';
import { jsonText } from '../../base/text/jsonText';
import { shownText, truncate, withoutColors } from '../../base/text/text';
import { BurstLimit } from '../../base/pace';

/** The longest message that is written, in UTF-16 units. */
export const maxLength = 10_000;

/** Writes what a server logs (`notifications/message`) to its log, but only the beginning of a burst. */
export class ServerLog implements Disposable {
  private readonly log: Logger;
  private readonly burst: BurstLimit;

  constructor(log: Logger) {
    this.log = log;
    this.burst = new BurstLimit(log, 'messages');
  }

  /** Writes a message at the closest level, with its own where that says more, without colors and with hidden characters made visible. */
  write({ level, logger, data }: Readonly<Record<string, unknown>>, isChosen = false): void {
    if (!this.burst.take()) return;
    const text = typeof data === 'string' ? data : jsonText(data, 2, maxLength);
    const name = typeof logger === 'string' ? `[${logger}] ` : '';
    // Logs of the editor show nothing below the level that is set in their own menu.
    const isRaised = isChosen && level === 'debug';
    const own = isFiner(level) || isRaised ? `[${level}] ` : '';
    const near = withoutColors(truncate(`${own}${name}${text}`, 2 * maxLength));
    this.log[isRaised ? 'info' : nearest(level)](shownText(near, maxLength));
  }

  dispose(): void {
    this.burst.dispose();
  }
}

/** The levels of the protocol that logs of the editor do not have. */
const finerLevels = ['notice', 'critical', 'alert', 'emergency'] as const;

function isFiner(level: unknown): level is (typeof finerLevels)[number] {
  return finerLevels.some((one) => one === level);
}

function nearest(level: unknown): keyof Logger {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'warning':
      return 'warn';
    case 'error':
    case 'critical':
    case 'alert':
    case 'emergency':
      return 'error';
    default:
      return 'info';
  }
}

/** The parts by which a server is recognized: how and where it is configured. */
interface MemoryKey {
  readonly name: string;
  readonly config: ServerConfig;
  /** The URI of the folder, file or workspace; `undefined` if the user configured it for all workspaces. */
  readonly place: string | undefined;
  /** The folders of the window, if the configuration has variables for them. */
  readonly folders?: readonly string[];
  readonly revision?: Revision;
  readonly without?: ServerDefinition['without'];
}

/**
 * Returns the key of a server in a window with these folders; a server that is configured the same way in another
 * place, or that works on other folders, has a different key.
 */
function memoryKey(
  { name, config, folder, source, revision, without }: ServerDefinition,
  folders: readonly string[] = [],
): MemoryKey {
  const isOfFolders = JSON.stringify(config).includes('${workspaceFolder');
  const place = source.uri ?? folder ?? source.workspace;
  // What a server says in one revision alone, or to a lesser client, is not what it says else.
  return {
    name,
    place,
    config,
    ...(isOfFolders && { folders }),
    ...(revision && { revision }),
    ...(without && { without }),
  };
}

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
  private remembered: Promise<RememberedServer | undefined>;
  /** Resolves when what was learned last is kept. */
  private saved: Promise<void> = Promise.resolve();
  private readonly saving = new Timer(() => this.remember());
  private readonly catchingUp = new Throttle(() => this.catchUp(), catchUpEveryMs);
  private session: Session | undefined;
  private followedLevel: LoggingLevel | undefined;
  chosenLevel: LoggingLevel | undefined;
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
    this.followedLevel = level;
    if (!this.chosenLevel) await this.session?.setLoggingLevel(level);
  }

  async chooseLoggingLevel(level: LoggingLevel | undefined): Promise<void> {
    const wanted = level ?? this.followedLevel;
    if (wanted) await this.session?.setLoggingLevel(wanted);
    // One that the server refuses is none that it logs at.
    this.chosenLevel = level;
  }

  private get wantedLevel(): LoggingLevel | undefined {
    return this.chosenLevel ?? this.followedLevel;
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
      if (method === 'notifications/message')
        this.log.write(params, this.chosenLevel !== undefined);
    });
    session.onResumed(() => this.catchingUp.run());
    this.subscriptions.attach(session);
    if (this.wantedLevel)
      session
        .setLoggingLevel(this.wantedLevel)
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

  /** Removes what was learned of the server, which is not running, here and where it is kept. */
  async forget(): Promise<void> {
    const { definition, deps } = this;
    this.saving.dispose();
    await Promise.all([this.remembered, this.saved]);
    this.remembered = Promise.resolve(undefined);
    this.spoken = undefined;
    this.catalog.forget();
    await deps.memory.forget(memoryKey(definition, deps.folders));
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
    this.saved = deps.memory.save(memoryKey(definition, deps.folders), {
      snapshot: this.catalog.snapshot,
      era: session.era,
      savedAt: Date.now(),
    });
  }
}
