import { LastMinute } from '../../base/pace/lastMinute';
import { isOfModels, type CallOrigin } from '../../contracts/toolCalls';

const keptAnswers = 100;

/** Counts calls of models over the last minute, those of each agent apart, and over each answer. */
export class CallCounter {
  private readonly now: () => number;
  private readonly minutes = new Map<string, LastMinute>();
  private readonly answers = new Map<string, number>();

  constructor(now: () => number) {
    this.now = now;
  }

  /**
   * Counts a call if a model made it, and returns a function that undoes the counting; calls of apps are counted
   * where the apps are shown.
   */
  count(origin: CallOrigin): () => void {
    if (!isOfModels(origin)) return () => {};
    const takeBack = this.minuteOf(origin).add();
    if (origin.kind !== 'chat') return takeBack;
    const { answer } = origin;
    this.answers.set(answer, this.counted(answer) + 1);
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= keptAnswers) break;
      this.answers.delete(oldest);
    }
    return () => {
      takeBack();
      if (this.answers.has(answer)) this.answers.set(answer, this.counted(answer) - 1);
    };
  }

  /** Returns the limit that one more call of this origin would exceed, if any. */
  over(
    origin: CallOrigin,
    limits: { readonly maxCallsPerMinute: number; readonly maxCallsPerAnswer: number },
  ): 'minute' | 'answer' | undefined {
    if (!isOfModels(origin)) return undefined;
    if (this.minuteOf(origin).count >= limits.maxCallsPerMinute) return 'minute';
    const counted = origin.kind === 'chat' ? this.counted(origin.answer) : 0;
    return counted >= limits.maxCallsPerAnswer ? 'answer' : undefined;
  }

  /** One agent that calls too much must not slow the others, or the chat. */
  private minuteOf(origin: CallOrigin): LastMinute {
    const key = origin.kind === 'agent' ? origin.entry : '';
    const minute = this.minutes.get(key) ?? new LastMinute(this.now);
    this.minutes.set(key, minute);
    return minute;
  }

  private counted(answer: string): number {
    return this.answers.get(answer) ?? 0;
  }
}
