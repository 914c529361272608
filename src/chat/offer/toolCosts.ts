import { tokensIn } from '../../base/measureJson';
import { createLimiter, within } from '../../base/async';
import { fingerprint } from '../../base/bytes';
import type { OfferedTool } from '../../offer/offeredTools';

/** The most tools whose tokens a model counts; the rest are estimated. */
export const maxCountedTools = 500;

/** The most counts that are kept, for all models together. */
export const maxKeptCounts = 5000;

/** The longest wait for counts. */
const waitMs = 1000;
const atOnce = 8;

/** What the syntax around a definition and its name adds to their size, in bytes. */
const overheadBytes = 40;

/** The parts of a model that count tokens. */
export interface TokenCounter {
  readonly id: string;
  readonly countTokens: (text: string) => PromiseLike<number>;
}

/** How much of a model's context the definition of a tool takes. */
export interface ToolCost {
  readonly tokens: number;
  /** True if no model counted the tokens. */
  readonly isEstimate: boolean;
}

type CostedTool = Pick<OfferedTool, 'name' | 'definition'>;

/** The costs of tools: counted by the model that was used last, or estimated from their size. */
export class ToolCosts {
  private readonly counts = new Map<string, number>();
  private readonly keys = new WeakMap<object, string>();
  private model: TokenCounter | undefined;
  private readonly limiter = createLimiter(atOnce);

  /** Sets the model that counts from now on. */
  use(model: TokenCounter): void {
    this.model = model;
  }

  /** Returns the cost of a tool as far as it is known now. */
  of({ name, definition }: CostedTool): ToolCost {
    const key = this.keys.get(definition);
    const counted = key !== undefined && this.model && this.counts.get(this.keyOf(key));
    if (typeof counted === 'number') return { tokens: counted, isEstimate: false };
    const bytes = definition.bytes + name.length + overheadBytes;
    return { tokens: tokensIn(bytes), isEstimate: true };
  }

  /** Returns the cost of several tools together. */
  total(tools: readonly CostedTool[]): ToolCost {
    const costs = tools.map((tool) => this.of(tool));
    return {
      tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
      isEstimate: costs.some(({ isEstimate }) => isEstimate),
    };
  }

  /** Lets the model count the first of these tools; resolves when it is done, or after a second while it continues. */
  async count(tools: readonly CostedTool[]): Promise<void> {
    const { model } = this;
    if (!model) return;
    const counted = tools
      .slice(0, maxCountedTools)
      .map((tool) => this.limiter(() => this.countOne(model, tool)));
    // If a model cannot count, the estimate remains.
    await within(Promise.allSettled(counted), waitMs);
  }

  private async countOne(model: TokenCounter, { name, definition }: CostedTool): Promise<void> {
    const { description, inputSchema } = definition;
    const text = JSON.stringify({ name, description, inputSchema });
    const key = await fingerprint([text]);
    this.keys.set(definition, key);
    const kept = `${model.id}\n${key}`;
    if (this.counts.has(kept)) return;
    const tokens = await model.countTokens(text);
    if (!Number.isFinite(tokens) || tokens < 0) return;
    this.counts.set(kept, Math.ceil(tokens));
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= maxKeptCounts) break;
      this.counts.delete(oldest);
    }
  }

  private keyOf(key: string): string {
    return `${this.model?.id ?? ''}\n${key}`;
  }
}

/** Returns the cost of each server, most expensive first. */
export function costsByServer(
  tools: readonly OfferedTool[],
  costs: ToolCosts,
): readonly { readonly server: OfferedTool['server']; readonly cost: ToolCost }[] {
  return [...groupByServer(tools)]
    .map(([server, own]) => ({ server, cost: costs.total(own) }))
    .toSorted((a, b) => b.cost.tokens - a.cost.tokens);
}

/** Groups tools by their servers, in the order of each server's first tool. */
export function groupByServer<T extends Pick<OfferedTool, 'server'>>(
  tools: readonly T[],
): ReadonlyMap<T['server'], readonly T[]> {
  const groups = new Map<T['server'], T[]>();
  for (const tool of tools) {
    const group = groups.get(tool.server);
    if (group) group.push(tool);
    else groups.set(tool.server, [tool]);
  }
  return groups;
}
