import { Emitter } from '../../base/event';
import { KeptList, type Memento } from '../../base/memento';
import type { Server } from '../../mcp/server';

/**
 * How a server may use a language model: every request and answer is looked at, only requests are, none
 * is within a budget, or it may not at all.
 */
export const samplingModes = ['ask', 'requests', 'budget', 'never'] as const;

/** One of {@link samplingModes}. */
export type SamplingMode = (typeof samplingModes)[number];

/** What a user decided once for a server, bound to how it is launched. */
export interface SamplingPermission {
  readonly server: { readonly id: string; readonly name: string };
  readonly launchFingerprint: string;
  readonly mode: SamplingMode;
  /** The id of the model that the user chose for it. */
  readonly model?: string;
}

const maxKept = 500;

/** What was decided for each server; a server that is launched otherwise than it was then is another one. */
export class SamplingPermissions {
  private readonly kept: KeptList<SamplingPermission>;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(store: Memento) {
    this.kept = new KeptList(store, 'samplingPermissions', maxKept, isPermission);
  }

  get all(): readonly SamplingPermission[] {
    return this.kept.all;
  }

  /** What was decided for a server as it is launched now; nothing when nobody was asked. */
  async find(server: Server): Promise<SamplingPermission | undefined> {
    const launchFingerprint = await server.launchFingerprint();
    return this.all.find((one) => isFor(one, server.id, launchFingerprint));
  }

  /** Keeps a decision, or with `undefined` forgets it. */
  async set(
    server: Server,
    decision: Pick<SamplingPermission, 'mode' | 'model'> | undefined,
  ): Promise<void> {
    const { id, name } = server;
    const launchFingerprint = await server.launchFingerprint();
    // Other workspaces may have other servers of that name, with decisions of their own.
    const isOld = (one: SamplingPermission) => isFor(one, id, launchFingerprint);
    if (decision)
      await this.kept.put({ server: { id, name }, launchFingerprint, ...decision }, isOld);
    else await this.kept.remove(isOld);
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
