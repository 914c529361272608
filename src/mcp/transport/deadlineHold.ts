import { toDisposable, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';

/** Stops the deadlines of all requests to a server while something keeps it from answering, as a debugger does. */
export class DeadlineHold {
  private holders = 0;
  private readonly changed = new Emitter<boolean>();
  /** Fires with true when deadlines are held, and with false when they no longer are. */
  readonly onDidChange = this.changed.event;

  get isHeld(): boolean {
    return this.holders > 0;
  }

  /** Holds deadlines until the returned disposable, and those of all other holders, are disposed. */
  hold(): Disposable {
    this.holders += 1;
    if (this.holders === 1) this.changed.fire(true);
    return toDisposable(() => {
      this.holders -= 1;
      if (this.holders === 0) this.changed.fire(false);
    });
  }
}
