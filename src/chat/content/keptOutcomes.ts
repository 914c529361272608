import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';

const maxKept = 100;

/** A call and how it ended. */
export interface KeptOutcome {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
}

/** The latest outcomes of models' calls, so that a button in the chat can show one whole. */
export class KeptOutcomes {
  private readonly outcomes = new Map<string, KeptOutcome>();

  /** Keeps an outcome, the oldest making room, and gives its id. */
  keep(kept: KeptOutcome): string {
    const id = crypto.randomUUID();
    this.outcomes.set(id, kept);
    for (const oldest of this.outcomes.keys()) {
      if (this.outcomes.size <= maxKept) break;
      this.outcomes.delete(oldest);
    }
    return id;
  }

  get(id: string): KeptOutcome | undefined {
    return this.outcomes.get(id);
  }
}
