import { deferred } from '../../base/async';
import { inEnglish, type Translate } from '../../base/translate';
import type { StartOutcome } from '../server';

/** Who waits for the start that is under way: it is called off when the last of them has left. */
export class StartWishes {
  private readonly open = new Set<object>();
  private readonly callOff: () => void;

  private readonly t: Translate;

  constructor(callOff: () => void, t: Translate = inEnglish) {
    this.callOff = callOff;
    this.t = t;
  }

  /** Another start is under way; a lasting one goes on whoever leaves. */
  begin(isLasting: boolean): void {
    this.open.clear();
    if (isLasting) this.open.add(this);
  }

  /** Waits for the outcome, at the longest until `signal` aborts; without one to the end. */
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
