import { deferred } from '../base/async';
import { LastMinute } from '../base/pace';
import { type Withdrawn, withdrawnBy } from '../contracts/questionOutcome';
import type { AskingServer } from '../mcp/protocol/serverRequests';
import * as vscode from 'vscode';
import { plainLabel } from '../base/text/text';
import { showMessage } from '../ui/messages';

/** Tells the user that a server is paused because it asks too much, and asks how to go on. */
export async function showPause(held: HeldQuestions, declineAll: () => void): Promise<void> {
  const { t } = vscode.l10n;
  const go = t('Resume');
  const decline = t('Decline All');
  const name = plainLabel(held.server.name, 60);
  const pressed = await showMessage(
    'warning',
    t('"{0}" asked more than {1} questions a minute and was paused.', name, held.maxPerMinute),
    go,
    decline,
  );
  const chosen = pressed?.button;
  if (chosen === decline) declineAll();
  held.end(chosen === go ? 'go' : chosen === decline ? 'decline' : 'drop');
}

/** What happens to a question: it is put to the user (`go`), declined, or withdrawn. */
export type RateLimitDecision = 'go' | 'decline' | Withdrawn;

/** The questions of a server that is paused. */
export interface HeldQuestions {
  readonly server: AskingServer;
  /** How many questions a minute are allowed without a pause. */
  readonly maxPerMinute: number;
  /** How many questions are held back now. */
  readonly count: number;
  /** Ends the pause: lets the questions through, declines them, or drops them because nobody decided. */
  end(how: 'go' | 'decline' | 'drop'): void;
}

interface RecentQuestions {
  /** The questions of the last minute, counted from the last pause on. */
  lately: LastMinute;
  /** The functions that end the wait of each held question; absent while the server is not paused. */
  held?: Set<(how: RateLimitDecision) => void>;
}

const paused = { kind: 'withdrawn', reason: 'paused' } as const;

/** At most this many questions of a server are held back; more are cancelled. */
export const maxHeld = 100;

/** Pauses a server that asks more than `maxPerMinute` questions, until the user says how to go on. */
export class QuestionRateLimit {
  private readonly servers = new Map<string, RecentQuestions>();
  private readonly options: {
    readonly maxPerMinute: number;
    readonly now: () => number;
    /** Called once for every pause. */
    readonly onPause: (held: HeldQuestions) => void;
  };

  constructor(options: QuestionRateLimit['options']) {
    this.options = options;
  }

  /** Counts a question and resolves once it is clear whether it may be put to the user. */
  async enter(server: AskingServer, signal: AbortSignal): Promise<RateLimitDecision> {
    const { maxPerMinute, now, onPause } = this.options;
    const asking = this.servers.get(server.id) ?? { lately: new LastMinute(now) };
    this.servers.set(server.id, asking);
    if (!asking.held && asking.lately.take(maxPerMinute)) return 'go';
    const begins = asking.held === undefined;
    const held = (asking.held ??= new Set());
    if (held.size >= maxHeld) return paused;
    const answer = deferred<RateLimitDecision>();
    const release = (how: RateLimitDecision) => answer.resolve(how);
    const withdraw = () => release(withdrawnBy(signal));
    held.add(release);
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
      held.delete(release);
      signal.removeEventListener('abort', withdraw);
    }
  }
}
