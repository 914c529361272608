import type { CallOrigin } from '../../contracts/toolCalls';

const minuteMs = 60_000;
const keptAnswers = 100;

/** Counts calls of models over the last minute and over each answer. */
export class CallCounter {
  private recent: number[] = [];
  private readonly answers = new Map<string, number>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Counts one call; a person's own are not a model's and do not count. */
  count(origin: CallOrigin): void {
    if (origin.kind === 'person') return;
    this.recent.push(this.now());
    if (origin.kind !== 'chat') return;
    this.answers.set(origin.answer, (this.answers.get(origin.answer) ?? 0) + 1);
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= keptAnswers) break;
      this.answers.delete(oldest);
    }
  }

  /** The limit that one more call of this origin would pass, if any. */
  over(
    origin: CallOrigin,
    limits: { readonly maxCallsPerMinute: number; readonly maxCallsPerAnswer: number },
  ): 'minute' | 'answer' | undefined {
    if (origin.kind === 'person') return undefined;
    const since = this.now() - minuteMs;
    this.recent = this.recent.filter((time) => time > since);
    if (this.recent.length >= limits.maxCallsPerMinute) return 'minute';
    const counted = origin.kind === 'chat' ? (this.answers.get(origin.answer) ?? 0) : 0;
    return counted >= limits.maxCallsPerAnswer ? 'answer' : undefined;
  }
}
