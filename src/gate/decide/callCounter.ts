import { LastMinute } from '../../base/pace/lastMinute';
import type { CallOrigin } from '../../contracts/toolCalls';

const keptAnswers = 100;

/** Counts calls of models over the last minute and over each answer. */
export class CallCounter {
  private readonly minute: LastMinute;
  private readonly answers = new Map<string, number>();

  constructor(now: () => number) {
    this.minute = new LastMinute(now);
  }

  /**
   * Counts a call if a model made it, and returns a function that undoes the counting; calls of apps are counted
   * where the apps are shown.
   */
  count(origin: CallOrigin): () => void {
    if (!isCounted(origin)) return () => {};
    const takeBack = this.minute.add();
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
    if (!isCounted(origin)) return undefined;
    if (this.minute.count >= limits.maxCallsPerMinute) return 'minute';
    const counted = origin.kind === 'chat' ? this.counted(origin.answer) : 0;
    return counted >= limits.maxCallsPerAnswer ? 'answer' : undefined;
  }

  private counted(answer: string): number {
    return this.answers.get(answer) ?? 0;
  }
}

function isCounted({ kind }: CallOrigin): boolean {
  return kind === 'chat' || kind === 'editor';
}
