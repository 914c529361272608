import { deferred } from '../../base/async';
import { inEnglish, type Translate } from '../../base/translate';
import type { StartOutcome } from '../server';

/** Tracks who is waiting for the current start, and calls it off when the last of them has left. */
export class StartWishes {
  private readonly open = new Set<object>();
  private readonly callOff: () => void;

  private readonly t: Translate;

  constructor(callOff: () => void, t: Translate = inEnglish) {
    this.callOff = callOff;
    this.t = t;
  }

  /** Notes that another start has begun; a lasting one goes on even if nobody waits for it. */
  begin(isLasting: boolean): void {
    this.open.clear();
    if (isLasting) this.open.add(this);
  }

  /** Waits for the outcome, or until `signal` aborts. */
  async wait(outcome: Promise<StartOutcome>, signal?: AbortSignal): Promise<StartOutcome> {
    const { t } = this;
    const wish = {};
    this.open.add(wish);
    if (!signal) return outcome;
    const gone = deferred<StartOutcome>();
    const leave = () => {
      gone.resolve({ kind: 'refused', message: t('The start was cancelled.') });
      if (this.open.delete(wish) && this.open.size === 0) this.callOff();
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await Promise.race([outcome, gone.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
