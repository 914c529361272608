import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Translate } from '../../base/translate';
import type { Server } from '../../mcp/server';
import { sessionInfo, type ServerInfo, type ServerState } from '../../mcp/serverState';
import { type Surface, type SurfaceChange, compareSurfaces, surfaceOf } from './compareSurfaces';

/** What a server is compared with, in place of how it was when its changes were last dismissed. */
export interface Baseline {
  /** What it is, in a few words. */
  readonly label: string;
  readonly surface: Surface;
}

/**
 * What a start is compared with where there is no baseline: nothing but what was not dismissed, or else the session
 * before; `anew` compares with the session before in any case.
 */
export type Comparison = 'undismissed' | 'previous' | 'anew';

/** What one server said about itself before and after each of its starts; it survives changes to the configuration. */
export class SurfaceHistory implements Disposable {
  /** Where the running server differs from its baseline or, without one, from its session before the first change. */
  changes: readonly SurfaceChange[] = [];
  /** Resolves when the running server has been compared; with false if there was nothing to compare it with. */
  compared: Promise<boolean> = Promise.resolve(false);
  private readonly t: Translate;
  private readonly comparison: () => Comparison;
  private readonly readBaseline: () => Promise<Baseline | undefined>;
  private isRead = false;
  private readonly changed = new Emitter<void>();
  /** Fires when {@link changes} change. */
  readonly onDidChange = this.changed.event;
  private readonly started = new Emitter<void>();
  /** Fires when the server has started and its lists are loaded. */
  readonly onDidStart = this.started.event;
  /** The last session whose lists were loaded. */
  private last: Surface | undefined;
  /** The session before the first change that was not dismissed. */
  private first: Surface | undefined;
  private setBaseline: Baseline | undefined;
  private info: ServerInfo | undefined;
  private session = 0;
  /** True if the lists of the session are loaded, so that the next one can be compared with it. */
  private isComplete = false;

  /**
   * @param comparison returns what the start that is under way is compared with
   * @param readBaseline reads the baseline that was kept, before the first comparison
   */
  constructor(
    comparison: () => Comparison,
    t: Translate,
    readBaseline: () => Promise<Baseline | undefined> = () => Promise.resolve(undefined),
  ) {
    this.comparison = comparison;
    this.t = t;
    this.readBaseline = readBaseline;
  }

  /** Follows a server until the result is disposed of. */
  follow(server: Server): Disposable {
    const onState = (state: ServerState) => {
      const info = sessionInfo(state);
      if (info) this.begin(server, info);
      else this.end(server);
    };
    onState(server.state);
    const following = server.onDidChangeState(onState);
    return {
      dispose: () => {
        following.dispose();
        this.end(server);
      },
    };
  }

  /** What the user has the server compared with. */
  get baseline(): Baseline | undefined {
    return this.setBaseline;
  }

  /** Keeps nothing of a server that was removed, whether its last session has ended yet or not. */
  forget(): Promise<void> {
    this.last = undefined;
    this.isComplete = false;
    return this.compareWith(undefined, undefined);
  }

  /** Compares with a baseline from now on, and the running server at once; without one, as if all changes were dismissed. */
  async compareWith(baseline: Baseline | undefined, server: Server | undefined): Promise<void> {
    this.isRead = true;
    this.setBaseline = baseline;
    this.first = undefined;
    this.changes = [];
    const { info, session } = this;
    if (baseline && server && info && this.isComplete) {
      const changes = await compareSurfaces(baseline.surface, surfaceOf(server, info), this.t);
      if (this.session !== session || this.setBaseline !== baseline) return;
      this.changes = changes;
    }
    this.changed.fire();
  }

  dispose(): void {
    this.session += 1;
    this.changed.dispose();
    this.started.dispose();
  }

  private begin(server: Server, info: ServerInfo): void {
    // The state of a session may change while it lasts.
    if (this.info) return;
    this.info = info;
    this.compared = this.compare(server, info);
  }

  private end(server: Server): void {
    if (!this.info) return;
    if (this.isComplete) this.last = surfaceOf(server, this.info);
    this.isComplete = false;
    this.info = undefined;
    this.session += 1;
  }

  private async compare(server: Server, info: ServerInfo): Promise<boolean> {
    const { session } = this;
    const comparison = this.comparison();
    // Joins the start that is under way, which ends when the lists are loaded.
    const { kind } = await server.start();
    if (kind !== 'running' || this.session !== session) return false;
    this.isComplete = true;
    if (!this.isRead) {
      const kept = await this.readBaseline();
      // The user may have said otherwise meanwhile.
      if (!this.isRead) this.setBaseline = kept;
      this.isRead = true;
    }
    const { setBaseline } = this;
    // What was not dismissed stays, unless the user wants to see this start alone.
    const undismissed = comparison === 'anew' ? undefined : this.first;
    const previous = comparison === 'undismissed' ? undefined : this.last;
    const wanted = setBaseline?.surface ?? undismissed ?? previous;
    const changes = wanted ? await compareSurfaces(wanted, surfaceOf(server, info), this.t) : [];
    if (this.session !== session) return false;
    const isCurrent = this.setBaseline === setBaseline;
    if (isCurrent) this.first = setBaseline || changes.length === 0 ? undefined : wanted;
    if (isCurrent && (setBaseline || changes.length > 0 || this.changes.length > 0)) {
      this.changes = changes;
      this.changed.fire();
    }
    this.started.fire();
    return wanted !== undefined;
  }
}
