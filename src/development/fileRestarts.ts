import { Timer } from '../base/async';
import type { Disposable } from '../base/disposable';
import { LastMinute } from '../base/pace';

/** Changes within this many milliseconds of each other cause one restart. */
export const settleMs = 300;
/** At most this many restarts per minute are caused by changes that were not saved in this window. */
export const maxPerMinute = 10;

/** A change of a watched file. */
export interface SourceChange {
  readonly path: string;
  /** True if it was saved in this window, and so not made by a program. */
  readonly isSaved: boolean;
  /** False for a save that the disk has already reported. */
  readonly isNew: boolean;
}

/** What {@link FileRestarts} needs. */
export interface FileRestartsDeps {
  /** False if the server was stopped, so that no change starts it. */
  readonly isUp: () => boolean;
  /** Restarts the server because of a file; never rejects. */
  readonly restart: (path: string) => Promise<void>;
  /** Called when restarts are put on hold, or no longer are. */
  readonly onDidChangeHold: () => void;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Restarts a server when its files change, but not over and over because of files that it writes itself. */
export class FileRestarts implements Disposable {
  private readonly deps: FileRestartsDeps;
  private readonly settle = new Timer(() => void this.run());
  private readonly recent: LastMinute;
  private next: SourceChange | undefined;
  private isRunning = false;
  private held: string | undefined;

  constructor(deps: FileRestartsDeps) {
    this.deps = deps;
    this.recent = new LastMinute(deps.now);
  }

  /** The file that changed so often that restarts are on hold until a file is saved; `undefined` if they are not. */
  get heldBy(): string | undefined {
    return this.held;
  }

  /** False while changes do not start the server because it was stopped. */
  get isHeeded(): boolean {
    return this.isRunning || this.deps.isUp();
  }

  changed(change: SourceChange): void {
    const wasHeld = this.held !== undefined;
    if (change.isSaved) this.resume();
    if (this.held !== undefined) return;
    if (!this.isHeeded) return;
    if (!change.isNew && !wasHeld) {
      // The restart for this change is done, or is about to happen.
      if (this.next) this.next = change;
      return;
    }
    // Among several changes, a save is what the user did.
    this.next = this.next?.isSaved ? this.next : change;
    this.settle.start(settleMs);
  }

  /** Lets changes restart the server again. */
  resume(): void {
    if (this.held === undefined) return;
    this.held = undefined;
    this.deps.onDidChangeHold();
  }

  /** Discards the changes so far, because the server is being restarted for another reason. */
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
    const { next, deps: parts } = this;
    // It follows the restart that is under way.
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
