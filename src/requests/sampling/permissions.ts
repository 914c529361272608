import { Emitter } from '../../base/event';
import type { Memento } from '../../base/memento';
import type { Server } from '../../mcp/server';

/**
 * How a server may use a language model: every request and answer is looked at, only requests are, none
 * is within a budget, or it may not at all.
 */
export const samplingModes = ['ask', 'requests', 'budget', 'never'] as const;

/** One of {@link samplingModes}. */
export type SamplingMode = (typeof samplingModes)[number];

/** What a person decided once for a server, bound to how it is launched. */
export interface SamplingPermission {
  readonly server: { readonly id: string; readonly name: string };
  readonly launchPrint: string;
  readonly mode: SamplingMode;
  /** The id of the model that the person chose for it. */
  readonly model?: string;
}

const storeKey = 'samplingPermissions';
const maxKept = 500;

/** What was decided for each server; a server that is launched otherwise than it was then is another one. */
export class SamplingPermissions {
  private readonly store: Memento;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(store: Memento) {
    this.store = store;
  }

  get all(): readonly SamplingPermission[] {
    const value = this.store.get(storeKey);
    return Array.isArray(value) ? value.filter(isPermission) : [];
  }

  /** What was decided for a server as it is launched now; nothing when nobody was asked. */
  async find(server: Server): Promise<SamplingPermission | undefined> {
    const launchPrint = await server.launchPrint();
    return this.all.find((one) => isFor(one, server.id, launchPrint));
  }

  /** Keeps a decision, or with `undefined` forgets it. */
  async set(
    server: Server,
    decision: Pick<SamplingPermission, 'mode' | 'model'> | undefined,
  ): Promise<void> {
    const { id, name } = server;
    const launchPrint = await server.launchPrint();
    // Other workspaces may have other servers of that name, with decisions of their own.
    const others = this.all.filter((one) => !isFor(one, id, launchPrint)).slice(-maxKept);
    const kept = decision && { server: { id, name }, launchPrint, ...decision };
    await this.store.update(storeKey, kept ? [...others, kept] : others);
    this.changed.fire();
  }
}

function isFor(permission: SamplingPermission, id: string, launchPrint: string): boolean {
  return permission.server.id === id && permission.launchPrint === launchPrint;
}

function isPermission(value: unknown): value is SamplingPermission {
  if (typeof value !== 'object' || value === null) return false;
  const { server, launchPrint, mode } = value as Partial<SamplingPermission>;
  return (
    typeof server?.id === 'string' &&
    typeof launchPrint === 'string' &&
    samplingModes.some((each) => each === mode)
  );
}
