import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Translate } from '../../base/translate';
import type { Server } from '../../mcp/server';
import { sessionInfo, type ServerInfo, type ServerState } from '../../mcp/serverState';
import { type Surface, type SurfaceChange, compareSurfaces, surfaceOf } from './compareSurfaces';

/** What one server said about itself before and after each of its starts; it survives changes to the configuration. */
export class SurfaceHistory implements Disposable {
  /** Where the running server differs from its previous session. */
  changes: readonly SurfaceChange[] = [];
  /** Resolves when the running server has been compared; with false if there was nothing to compare it with. */
  compared: Promise<boolean> = Promise.resolve(false);
  private readonly t: Translate;
  private readonly isCompared: () => boolean;
  private readonly changed = new Emitter<void>();
  /** Fires when {@link changes} change. */
  readonly onDidChange = this.changed.event;
  private readonly started = new Emitter<void>();
  /** Fires when the server has started and its lists are loaded. */
  readonly onDidStart = this.started.event;
  private before: Surface | undefined;
  private info: ServerInfo | undefined;
  private session = 0;
  /** True if the lists of the session are loaded, so that the next one can be compared with it. */
  private isComplete = false;

  /** @param isCompared returns whether the start that is under way is compared with the previous one. */
  constructor(isCompared: () => boolean, t: Translate) {
    this.isCompared = isCompared;
    this.t = t;
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

  /** Discards the changes. */
  clear(): void {
    if (this.changes.length === 0) return;
    this.changes = [];
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
    if (this.isComplete) this.before = surfaceOf(server, this.info);
    this.isComplete = false;
    this.info = undefined;
    this.session += 1;
  }

  private async compare(server: Server, info: ServerInfo): Promise<boolean> {
    const { before, session } = this;
    const isWanted = this.isCompared();
    // Joins the start that is under way, which ends when the lists are loaded.
    const { kind } = await server.start();
    if (kind !== 'running' || this.session !== session) return false;
    this.isComplete = true;
    const changes =
      before && isWanted ? await compareSurfaces(before, surfaceOf(server, info), this.t) : [];
    if (this.session !== session) return false;
    if (changes.length > 0 || this.changes.length > 0) {
      this.changes = changes;
      this.changed.fire();
    }
    this.started.fire();
    return before !== undefined;
  }
}
