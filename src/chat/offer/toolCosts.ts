import { createLimiter, delay } from '../../base/async';
import { fingerprint } from '../../mcp/fingerprint';
import type { OfferedTool } from './offeredTools';

/** The most tools that a model counts the tokens of; the rest are estimated. */
export const maxCountedTools = 500;

/** The most counts that are kept, of all models. */
export const maxKeptCounts = 5000;

/** How long anything waits for counts. */
const waitMs = 1000;
const atOnce = 8;

/** What the name and the braces of a definition add to it, in bytes. */
const overheadBytes = 40;

/** A model, as far as it counts. */
export interface TokenCounter {
  readonly id: string;
  readonly countTokens: (text: string) => PromiseLike<number>;
}

/** What the definition of a tool takes of a model's context. */
export interface ToolCost {
  readonly tokens: number;
  /** True where no model counted it. */
  readonly isEstimate: boolean;
}

type CostedTool = Pick<OfferedTool, 'name' | 'definition'>;

/** What tools cost: counted by the model that was chosen last, and estimated by their size where it was not. */
export class ToolCosts {
  private readonly counts = new Map<string, number>();
  private readonly keys = new WeakMap<object, string>();
  private model: TokenCounter | undefined;
  private readonly limiter = createLimiter(atOnce);

  /** The model that counts from now on. */
  use(model: TokenCounter): void {
    this.model = model;
  }

  /** What is known now. */
  of({ name, definition }: CostedTool): ToolCost {
    const key = this.keys.get(definition);
    const counted = key !== undefined && this.model && this.counts.get(this.keyOf(key));
    if (typeof counted === 'number') return { tokens: counted, isEstimate: false };
    const bytes = definition.bytes + name.length + overheadBytes;
    return { tokens: Math.ceil(bytes / 4), isEstimate: true };
  }

  /** Of several together. */
  total(tools: readonly CostedTool[]): ToolCost {
    const costs = tools.map((tool) => this.of(tool));
    return {
      tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
      isEstimate: costs.some(({ isEstimate }) => isEstimate),
    };
  }

  /** Has the model count the first of these; resolves when it has, or a second later while it goes on. */
  async count(tools: readonly CostedTool[]): Promise<void> {
    const { model } = this;
    if (!model) return;
    const counted = tools
      .slice(0, maxCountedTools)
      .map((tool) => this.limiter(() => this.countOne(model, tool)));
    // A model that cannot count leaves the estimate.
    await Promise.race([Promise.allSettled(counted), delay(waitMs)]);
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

/** The costs of each server, the dearest first. */
export function costsByServer(
  tools: readonly OfferedTool[],
  costs: ToolCosts,
): readonly { readonly server: OfferedTool['server']; readonly cost: ToolCost }[] {
  return [...groupByServer(tools)]
    .map(([server, own]) => ({ server, cost: costs.total(own) }))
    .toSorted((a, b) => b.cost.tokens - a.cost.tokens);
}

/** Tools by their servers, in the order of the first of each. */
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
