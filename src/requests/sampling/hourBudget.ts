/** What a server may have of a language model in one hour without anyone being asked. */
export interface BudgetLimits {
  readonly requests: number;
  readonly tokens: number;
}

interface Spending {
  readonly time: number;
  tokens: number;
}

const hourMs = 3_600_000;

/** What each server had of a language model within the last hour. */
export class HourBudget {
  private readonly spendings = new Map<string, readonly Spending[]>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Takes from the budget what a request may cost at most; `undefined` where it does not suffice. */
  reserve(
    serverId: string,
    tokens: number,
    limits: BudgetLimits,
  ): { settle(tokens: number): void } | undefined {
    const spent = this.spent(serverId);
    if (spent.requests >= limits.requests || spent.tokens + tokens > limits.tokens)
      return undefined;
    return this.spend(serverId, tokens);
  }

  /** Notes what a request costs; `settle` says later what it did cost. */
  spend(serverId: string, tokens: number): { settle(tokens: number): void } {
    const spending = { time: this.now(), tokens };
    this.spendings.set(serverId, [...this.recent(serverId), spending]);
    return {
      settle: (really) => {
        spending.tokens = really;
      },
    };
  }

  /** What a server had within the last hour. */
  spent(serverId: string): BudgetLimits {
    const recent = this.recent(serverId);
    return {
      requests: recent.length,
      tokens: recent.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  private recent(serverId: string): readonly Spending[] {
    const since = this.now() - hourMs;
    return (this.spendings.get(serverId) ?? []).filter(({ time }) => time > since);
  }
}
