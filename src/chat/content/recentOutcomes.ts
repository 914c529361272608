import { Latest } from '../../base/async';
import { measureJson } from '../../base/measureJson';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';

/**
 * The most outcomes that are kept, and the most bytes that their arguments and results take together; the latest
 * is always kept.
 */
export const maxOutcomes = 100;
export const maxOutcomeBytes = 50_000_000;

/** A call and how it ended. */
export interface RecentOutcome {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
}

/** The latest outcomes of models' calls, so that a button in the chat can show one in full. */
export class RecentOutcomes {
  private readonly outcomes = new Map<string, RecentOutcome>();
  private readonly latest = new Latest<string>(
    { maxItems: maxOutcomes, maxBytes: maxOutcomeBytes },
    (id) => this.outcomes.delete(id),
  );

  /** Keeps an outcome, discarding the oldest ones if necessary, and returns its id. */
  keep(kept: RecentOutcome): string {
    const { call, outcome } = kept;
    const id = crypto.randomUUID();
    this.outcomes.set(id, kept);
    const sized = [call.arguments, outcome.kind === 'result' ? outcome.result : undefined];
    this.latest.add(id, measureJson(sized).bytes);
    return id;
  }

  get(id: string): RecentOutcome | undefined {
    return this.outcomes.get(id);
  }
}
