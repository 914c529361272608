import { type Memento, StoredList } from '../../base/memento';

/** How many requests and tokens a server may use in one hour without anyone being asked. */
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

/** The most spendings that are kept of an hour. */
const maxKept = 10_000;
const hourMs = 3_600_000;

/** Keeps how much each server, as it is launched, has used language models within the last hour, in all windows. */
export class HourBudget {
  private readonly kept: StoredList<Spending>;
  private readonly now: () => number;

  constructor(store: Memento, now: () => number) {
    this.kept = new StoredList(store, 'samplingSpendings', {
      max: maxKept,
      isEntry: isSpending,
      restricts: true,
    });
    this.now = now;
  }

  /** Takes from the budget the most that a request may cost; `undefined` if that is more than is left. */
  reserve(
    launchFingerprint: string,
    tokens: number,
    limits: BudgetLimits,
  ): { settle(tokens: number): void } | undefined {
    const spent = this.spent(launchFingerprint);
    if (spent.requests >= limits.requests || spent.tokens + tokens > limits.tokens)
      return undefined;
    return this.spend(launchFingerprint, tokens);
  }

  /** Records what a request is expected to cost; `settle` says later what it really cost. */
  spend(launchFingerprint: string, tokens: number): { settle(tokens: number): void } {
    const id = crypto.randomUUID();
    const spending = { id, server: launchFingerprint, time: this.now(), tokens };
    this.write(spending);
    return { settle: (really) => this.write({ ...spending, tokens: really }) };
  }

  /** Returns what a server has used within the last hour. */
  spent(launchFingerprint: string): BudgetLimits {
    const own = this.recent().filter(({ server }) => server === launchFingerprint);
    return {
      requests: own.length,
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  private recent(): readonly Spending[] {
    const since = this.now() - hourMs;
    return this.kept.all.filter(({ time }) => time > since);
  }

  /** Writes a spending, which counts at once in this window, whenever the editor saves it to disk. */
  private write(spending: Spending): void {
    const since = this.now() - hourMs;
    void this.kept.put(spending, ({ id, time }) => id === spending.id || time <= since);
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
