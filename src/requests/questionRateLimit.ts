import { deferred } from '../base/async';
import { LastMinute } from '../base/pace/lastMinute';
import { withdrawnBy, type Withdrawn } from '../contracts/questionOutcome';
import type { AskingServer } from '../mcp/protocol/clientRequests';

/** What becomes of a question: it may be put to the user, or is not. */
export type Entrance = 'go' | 'decline' | Withdrawn;

/** The questions of a server that is paused. */
export interface HeldQuestions {
  readonly server: AskingServer;
  /** How many a minute would not have been held back. */
  readonly maxPerMinute: number;
  /** How many are held back now. */
  readonly count: number;
  /** Ends the pause: lets them through, declines them, or drops them, as nobody decided. */
  end(how: 'go' | 'decline' | 'drop'): void;
}

interface Asking {
  /** What it asked lately, from the last pause on. */
  lately: LastMinute;
  /** Ends the wait of each question that is held back; absent while the server is not paused. */
  held?: Set<(how: Entrance) => void>;
}

const paused = { kind: 'withdrawn', reason: 'paused' } as const;

/** The most questions of a server that are held back; more are cancelled. */
export const maxHeld = 100;

/** Pauses a server that asks more than so often in a minute, until the user says how to go on. */
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

  /** Counts a question and resolves when it may be put to the user. */
  async enter(server: AskingServer, signal: AbortSignal): Promise<Entrance> {
    const { maxPerMinute, now, onPause } = this.options;
    const asking = this.servers.get(server.id) ?? { lately: new LastMinute(now) };
    this.servers.set(server.id, asking);
    if (!asking.held && asking.lately.take(maxPerMinute)) return 'go';
    const begins = asking.held === undefined;
    const held = (asking.held ??= new Set());
    if (held.size >= maxHeld) return paused;
    const answer = deferred<Entrance>();
    const authorize = (how: Entrance) => answer.resolve(how);
    const withdraw = () => authorize(withdrawnBy(signal));
    held.add(authorize);
    signal.addEventListener('abort', withdraw);
    if (signal.aborted) withdraw();
    if (begins)
      onPause({
        server,
        maxPerMinute,
        get count() {
          return held.size;
        },
        end: (how) => {
          if (asking.held !== held) return;
          delete asking.held;
          asking.lately = new LastMinute(now);
          for (const each of held) each(how === 'drop' ? paused : how);
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
