import type { Memento } from '../../base/memento';
/** What a server may have of a language model in one hour without anyone being asked. */
export interface BudgetLimits {
  readonly requests: number;
  readonly tokens: number;
}

interface Spending {
  readonly id: string;
  readonly server: string;
  /** Epoch ms. */
  readonly time: number;
  readonly tokens: number;
}

const storeKey = 'samplingSpendings';
const hourMs = 3_600_000;

/** What each server had of a language model within the last hour, in all windows, by how it is launched. */
export class HourBudget {
  private readonly store: Memento;
  private readonly now: () => number;

  constructor(store: Memento, now: () => number) {
    this.store = store;
    this.now = now;
  }

  /** Takes from the budget what a request may cost at most; `undefined` where it does not suffice. */
  reserve(
    launchFingerprint: string,
    tokens: number,
    limits: BudgetLimits,
  ): { authorize(tokens: number): void } | undefined {
    const spent = this.spent(launchFingerprint);
    if (spent.requests >= limits.requests || spent.tokens + tokens > limits.tokens)
      return undefined;
    return this.spend(launchFingerprint, tokens);
  }

  /** Notes what a request costs; `authorize` says later what it did cost. */
  spend(launchFingerprint: string, tokens: number): { authorize(tokens: number): void } {
    const id = crypto.randomUUID();
    this.write([...this.recent(), { id, server: launchFingerprint, time: this.now(), tokens }]);
    return {
      authorize: (really) =>
        this.write(this.recent().map((one) => (one.id === id ? { ...one, tokens: really } : one))),
    };
  }

  /** What a server had within the last hour. */
  spent(launchFingerprint: string): BudgetLimits {
    const own = this.recent().filter(({ server }) => server === launchFingerprint);
    return {
      requests: own.length,
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  private recent(): readonly Spending[] {
    const since = this.now() - hourMs;
    const value = this.store.get(storeKey);
    return Array.isArray(value) ? value.filter((one) => isSpending(one) && one.time > since) : [];
  }

  /** It counts at once in this window, whenever the editor has it on the disk. */
  private write(spendings: readonly Spending[]): void {
    void this.store.update(storeKey, spendings);
  }
}

function isSpending(value: unknown): value is Spending {
  const { id, server, time, tokens } = Object(value) as Partial<Record<keyof Spending, unknown>>;
  return (
    typeof id === 'string' &&
    typeof server === 'string' &&
    typeof time === 'number' &&
    typeof tokens === 'number'
  );
}
