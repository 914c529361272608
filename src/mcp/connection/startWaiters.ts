import { AbortListeners, deferred } from '../../base/async';
import type { Translate } from '../../base/translate';
import type { StartOutcome } from '../serverState';

/** Tracks who is waiting for the current start, and calls it off when the last of them has left. */
export class StartWaiters {
  private readonly open = new Set<object>();
  private readonly aborts = new AbortListeners();
  private readonly callOff: () => void;
  private readonly cancelled: StartOutcome;

  constructor(callOff: () => void, t: Translate) {
    this.callOff = callOff;
    this.cancelled = { kind: 'refused', message: t('The start was cancelled.') };
  }

  /** Notes that another start has begun; a lasting one goes on even if nobody waits for it. */
  begin(isLasting: boolean): void {
    this.open.clear();
    if (isLasting) this.open.add(this);
  }

  /** Waits for the outcome, or until `signal` aborts. */
  async wait(outcome: Promise<StartOutcome>, signal?: AbortSignal): Promise<StartOutcome> {
    const waiter = {};
    this.open.add(waiter);
    if (!signal) return outcome;
    const gone = deferred<StartOutcome>();
    const leave = () => {
      gone.resolve(this.cancelled);
      if (this.open.delete(waiter) && this.open.size === 0) this.callOff();
    };
    const stopListening = this.aborts.add(signal, leave);
    if (signal.aborted) leave();
    try {
      return await Promise.race([outcome, gone.promise]);
    } finally {
      stopListening();
    }
  }
}
