import { Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { errorMessage, isCancellation } from '../../base/errors';
import { Emitter } from '../../base/event';
import { inEnglish, type Translate } from '../../base/translate';

/** Values that fit what was typed; `total` counts all that exist, if that is known. */
export interface SuggestedValues {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** Finds the values that fit `typed`; `signal` aborts as soon as something else was typed. */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<SuggestedValues>;

/** The suggestions for a text while it is typed: one request at a time, and answers to older ones are discarded. */
export class Suggestions implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly timer = new Timer(() => void this.ask());
  private readonly suggest: Suggest;
  private readonly delayMs: number;
  private readonly t: Translate;
  private typed: string | undefined;
  private asking: AbortController | undefined;
  private answer: SuggestedValues = { values: [] };
  private problem: string | undefined;

  readonly onDidChange = this.changed.event;

  constructor(suggest: Suggest, delayMs = 150, t: Translate = inEnglish) {
    this.suggest = suggest;
    this.delayMs = delayMs;
    this.t = t;
  }

  get values(): SuggestedValues {
    return this.answer;
  }

  /** Why the last request failed, in one line; free text is never affected. */
  get error(): string | undefined {
    return this.problem;
  }

  get busy(): boolean {
    return this.asking !== undefined || this.timer.pending;
  }

  /** Asks for what fits `typed`: at once the first time, later after a pause in the typing. */
  update(typed: string): void {
    if (typed === this.typed) return;
    const first = this.typed === undefined;
    this.typed = typed;
    this.asking?.abort();
    this.asking = undefined;
    this.timer.start(first ? 0 : this.delayMs);
    this.changed.fire();
  }

  dispose(): void {
    this.timer.dispose();
    this.asking?.abort();
    this.asking = undefined;
    this.changed.dispose();
  }

  private async ask(): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    try {
      const answer = await this.suggest(this.typed ?? '', asking.signal);
      if (this.asking !== asking) return;
      this.answer = answer;
      this.problem = undefined;
    } catch (error) {
      if (this.asking !== asking) return;
      this.answer = { values: [] };
      this.problem = isCancellation(error) ? undefined : errorMessage(error, this.t);
    }
    this.asking = undefined;
    this.changed.fire();
  }
}
