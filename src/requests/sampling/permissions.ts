import { Emitter } from '../../base/event';
import { StoredList, type Memento } from '../../base/memento';
import type { Server } from '../../mcp/server';

/**
 * The ways a server may use a language model: with a review of every request and answer, with a review of requests
 * only, within a budget without review, or not at all.
 */
export const samplingModes = ['ask', 'requests', 'budget', 'never'] as const;

/** One of {@link samplingModes}. */
export type SamplingMode = (typeof samplingModes)[number];

/** What a user decided for a server, bound to how it is launched. */
export interface SamplingPermission {
  readonly server: { readonly id: string; readonly name: string };
  readonly launchFingerprint: string;
  readonly mode: SamplingMode;
  /** The id of the model that the user chose for it. */
  readonly model?: string;
}

const maxKept = 500;

/** The decisions for all servers; a server that is now launched differently counts as another one. */
export class SamplingPermissions {
  private readonly kept: StoredList<SamplingPermission>;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'samplingPermissions', maxKept, isPermission);
  }

  get all(): readonly SamplingPermission[] {
    return this.kept.all;
  }

  /** Returns the decision for a server as it is launched now; `undefined` if there is none. */
  async find(server: Server): Promise<SamplingPermission | undefined> {
    const launchFingerprint = await server.launchFingerprint();
    return this.all.find((one) => isFor(one, server.id, launchFingerprint));
  }

  /** Keeps a decision, or removes it if it is `undefined`. */
  async set(
    server: Server,
    decision: Pick<SamplingPermission, 'mode' | 'model'> | undefined,
  ): Promise<void> {
    const { id, name } = server;
    const launchFingerprint = await server.launchFingerprint();
    // Other workspaces may have other servers with this id, with decisions of their own.
    const isOld = (one: SamplingPermission) => isFor(one, id, launchFingerprint);
    if (decision)
      await this.kept.put({ server: { id, name }, launchFingerprint, ...decision }, isOld);
    else await this.kept.remove(isOld);
    this.changed.fire();
  }

  /** Keeps the model for a server that may use one by the decision of now, whatever that was before. */
  async setModel(server: Server, model: string): Promise<void> {
    const launchFingerprint = await server.launchFingerprint();
    const isOld = (one: SamplingPermission) => isFor(one, server.id, launchFingerprint);
    const decision = this.all.find(isOld);
    if (!decision || decision.mode === 'never' || decision.model === model) return;
    await this.kept.put({ ...decision, model }, isOld);
    this.changed.fire();
  }
}

function isFor(permission: SamplingPermission, id: string, launchFingerprint: string): boolean {
  return permission.server.id === id && permission.launchFingerprint === launchFingerprint;
}

function isPermission(value: unknown): value is SamplingPermission {
  if (typeof value !== 'object' || value === null) return false;
  const { server, launchFingerprint, mode } = value as Partial<SamplingPermission>;
  return (
    typeof server?.id === 'string' &&
    typeof launchFingerprint === 'string' &&
    samplingModes.some((each) => each === mode)
  );
}
