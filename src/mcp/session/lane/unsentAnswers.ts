import type { Transport } from '@modelcontextprotocol/client';
import { weighMessage } from '../../traffic/weighMessage';

/** The most answers that one server has not taken yet: to all that may be open, and as many refusals. */
export const maxUnsentAnswers = 400;

/** About how many bytes these take together at most; one of any size is sent where it is alone. */
export const maxUnsentBytes = 50_000_000;

/**
 * The answers to requests of one server that it has not taken yet. Beyond a bound its requests are dropped, as a
 * refusal would be one more answer; what a user waits for is sent meanwhile.
 */
export class UnsentAnswers {
  /** Called whenever a request, or the answer to one, is dropped. */
  onDropped: (() => void) | undefined;

  private count = 0;
  private bytes = 0;

  /** True where a request of the server may be answered; otherwise it counts as dropped. */
  take(): boolean {
    return this.taken(this.count < maxUnsentAnswers && this.bytes < maxUnsentBytes);
  }

  /** Has `send` send the answer, unless too many wait. */
  async send(answer: Parameters<Transport['send']>[0], send: () => Promise<void>): Promise<void> {
    const bytes = weighMessage(answer, maxUnsentBytes);
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
