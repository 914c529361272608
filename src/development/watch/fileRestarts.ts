import { Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { LastMinute } from '../../base/pace/lastMinute';

/** Changes within this many milliseconds cost one restart. */
export const settleMs = 300;
/** Changes that nobody saved here restart a server so often in a minute. */
export const maxPerMinute = 10;

/** A change of a watched file. */
export interface SourceChange {
  readonly path: string;
  /** It was saved in this window, so that no program did it. */
  readonly isSaved: boolean;
  /** False for a save that the disk reported before. */
  readonly isNew: boolean;
}

/** What {@link FileRestarts} works with. */
export interface RestartParts {
  /** False for a server that was stopped: no change starts it. */
  readonly isUp: () => boolean;
  /** Restarts the server because of a file; never rejects. */
  readonly restart: (path: string) => Promise<void>;
  /** Restarts are held, or no longer. */
  readonly onDidChangeHold: () => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Restarts a server when its files changed, but not again and again because of files that it writes itself. */
export class FileRestarts implements Disposable {
  private readonly parts: RestartParts;
  private readonly settle = new Timer(() => void this.run());
  private readonly recent: LastMinute;
  private next: SourceChange | undefined;
  private isRunning = false;
  private held: string | undefined;

  constructor(parts: RestartParts) {
    this.parts = parts;
    this.recent = new LastMinute(parts.now);
  }

  /** The file that changed so often that no change restarts the server until one is saved. */
  get heldBy(): string | undefined {
    return this.held;
  }

  /** False while no change starts the server, because it was stopped. */
  get isHeeded(): boolean {
    return this.isRunning || this.parts.isUp();
  }

  changed(change: SourceChange): void {
    const wasHeld = this.held !== undefined;
    if (change.isSaved) this.resume();
    if (this.held !== undefined) return;
    if (!this.isHeeded) return;
    if (!change.isNew && !wasHeld) {
      // The restart for it is done, or about to be.
      if (this.next) this.next = change;
      return;
    }
    // A save among other changes is what the user did.
    this.next = this.next?.isSaved ? this.next : change;
    this.settle.start(settleMs);
  }

  /** Changes restart the server again. */
  resume(): void {
    if (this.held === undefined) return;
    this.held = undefined;
    this.parts.onDidChangeHold();
  }

  /** The server is started anew by somebody else: what changed so far needs no restart any more. */
  forget(): void {
    this.settle.dispose();
    this.next = undefined;
    this.resume();
  }

  dispose(): void {
    this.settle.dispose();
    this.next = undefined;
  }

  private async run(): Promise<void> {
    const { next, parts } = this;
    // It comes after the one under way.
    if (!next || this.isRunning) return;
    this.next = undefined;
    if (!parts.isUp()) return;
    if (!next.isSaved && !this.recent.take(maxPerMinute)) {
      this.held = next.path;
      parts.onDidChangeHold();
      return;
    }
    this.isRunning = true;
    await parts.restart(next.path);
    this.isRunning = false;
    if (this.next) this.settle.start(settleMs);
  }
}
