import { deferred } from '../base/async';
import type { AskingServer } from '../mcp/protocol/clientRequests';

/** How a question is left without an answer: the user declined it, or it was taken back. */
export type Unanswered = 'decline' | 'cancel';

/** The questions of a server that is paused. */
export interface HeldQuestions {
  readonly server: AskingServer;
  /** How many a minute would not have been held back. */
  readonly maxPerMinute: number;
  /** How many are held back now. */
  readonly count: number;
  /** Ends the pause: lets them through, or leaves them unanswered. */
  end(how: 'go' | Unanswered): void;
}

interface Asking {
  /** When it asked, epoch ms, the latest last. */
  times: readonly number[];
  /** Ends the wait of each question that is held back; absent while the server is not paused. */
  held?: Set<(how: 'go' | Unanswered) => void>;
}

const minuteMs = 60_000;

/** The most questions of a server that are held back; more are cancelled. */
export const maxHeld = 100;

/** Pauses a server that asks more than so often in a minute, until the person says how to go on. */
export class QuestionRateLimit {
  private readonly servers = new Map<string, Asking>();
  private readonly options: {
    readonly maxPerMinute: number;
    readonly now: () => number;
    /** Called once for every pause. */
    readonly onPause: (held: HeldQuestions) => void;
  };

  constructor(options: QuestionRateLimit['options']) {
    this.options = options;
  }

  /** Counts a question and resolves when it may be put to the person. */
  async enter(server: AskingServer, signal: AbortSignal): Promise<'go' | Unanswered> {
    const { maxPerMinute, now, onPause } = this.options;
    const asking = this.servers.get(server.id) ?? { times: [] };
    this.servers.set(server.id, asking);
    const time = now();
    // Only the last few decide, however many there are.
    asking.times = [
      ...asking.times.slice(-maxPerMinute).filter((earlier) => earlier > time - minuteMs),
      time,
    ];
    if (!asking.held && asking.times.length <= maxPerMinute) return 'go';
    const paused = asking.held === undefined;
    const held = (asking.held ??= new Set());
    if (held.size >= maxHeld) return 'cancel';
    const answer = deferred<'go' | Unanswered>();
    const authorize = (how: 'go' | Unanswered) => answer.resolve(how);
    const withdraw = () => authorize('cancel');
    held.add(authorize);
    signal.addEventListener('abort', withdraw);
    if (signal.aborted) withdraw();
    if (paused)
      onPause({
        server,
        maxPerMinute,
        get count() {
          return held.size;
        },
        end: (how) => {
          if (asking.held !== held) return;
          delete asking.held;
          asking.times = [];
          for (const each of held) each(how);
        },
      });
    try {
      return await answer.promise;
    } finally {
      held.delete(authorize);
      signal.removeEventListener('abort', withdraw);
    }
  }
}
