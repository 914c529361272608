import type { Transport } from '@modelcontextprotocol/client';
import { estimateSize } from '../../traffic/estimateSize';

/** The most answers that may wait for one server: those to all requests that may be open, and as many refusals. */
export const maxUnsentAnswers = 400;

/** The most bytes, roughly, that these may take together; an answer that is the only one may have any size. */
export const maxUnsentBytes = 50_000_000;

/**
 * The answers to requests of one server that it has not taken yet. Beyond a limit, its requests are dropped, because a
 * refusal would be one more answer; meanwhile, what a user waits for is still sent.
 */
export class UnsentAnswers {
  /** Called whenever a request, or the answer to one, is dropped. */
  onDropped: (() => void) | undefined;

  private count = 0;
  private bytes = 0;

  /** True if a request of the server may be answered; otherwise it counts as dropped. */
  take(): boolean {
    return this.taken(this.count < maxUnsentAnswers && this.bytes < maxUnsentBytes);
  }

  /** Sends the answer with `send`, unless too many are waiting. */
  async send(answer: Parameters<Transport['send']>[0], send: () => Promise<void>): Promise<void> {
    const bytes = estimateSize(answer, maxUnsentBytes);
    const hasRoom = this.count < maxUnsentAnswers && this.bytes + bytes <= maxUnsentBytes;
    if (!this.taken(hasRoom || this.count === 0)) return;
    this.count += 1;
    this.bytes += bytes;
    try {
      await send();
    } finally {
      this.count -= 1;
      this.bytes -= bytes;
    }
  }

  private taken(isTaken: boolean): boolean {
    if (!isTaken) this.onDropped?.();
    return isTaken;
  }
}
