import { Emitter } from '../../base/event';
import { isRecord } from '../../base/json';
import { createSessionMemento, type Memento, StoredList } from '../../base/memento';
import { withoutSecrets } from '../../base/secretMask';
import {
  identityFingerprint,
  toolIdentity,
  toolsIdentity,
  type ToolIdentity,
  type ToolsIdentity,
} from '../../mcp/serverIdentity';
import { fingerprint } from '../../base/bytes';
import type { JsonObject } from '../../mcp/protocol/types';
import type { ToolCall } from '../../contracts/toolCalls';
import {
  type ApprovalScope,
  type Duration,
  type DurationTraits,
  type KeptDuration,
  durationTraits,
  durations,
  isKept,
} from '../../contracts/questionOutcome';
import { type Approval, type Change, approvalKey, identityChanges } from './approval';
import { monotonicNow } from '../../base/async';

/** What is remembered about a call: the approval that applies, or how what was approved has changed since. */
export interface RememberedApproval {
  readonly approval?: Approval;
  readonly changes: readonly Change[];
}

const storeKey = 'toolApprovals';

/** Returns all that a call sends: its arguments, and in a list, which no arguments are, what the user wrote beside them. */
function sentBy({ arguments: args, meta }: ToolCall): object {
  return meta ? [args, meta] : args;
}

/** The approvals that the user gave, each bound to the fingerprint of what was approved. */
export class Approvals {
  private readonly lists: ReadonlyMap<Duration, StoredList<Approval>>;
  private readonly traits: Readonly<Record<Duration, Pick<DurationTraits, 'lastsMs'>>>;
  private readonly now: () => number;
  private readonly changed = new Emitter<void>();

  readonly onDidChange = this.changed.event;

  constructor(
    stores: Readonly<Record<KeptDuration, Memento>>,
    traits: Readonly<Record<Duration, Pick<DurationTraits, 'lastsMs'>>> = durationTraits,
    now: () => number = monotonicNow,
  ) {
    this.lists = new Map(
      durations.map((duration) => {
        const store = isKept(duration) ? stores[duration] : createSessionMemento();
        return [duration, new StoredList(store, storeKey, { max: Infinity, isEntry: isApproval })];
      }),
    );
    this.traits = traits;
    this.now = now;
  }

  /** Every approval whose time is not over, including those that a change has withdrawn. */
  get all(): readonly Approval[] {
    return durations.flatMap((duration) => this.read(duration));
  }

  /**
   * Finds an approval of `call`. One for a definition that has changed since is withdrawn for good, and the
   * differences are returned until a new approval replaces it.
   */
  async find(call: ToolCall): Promise<RememberedApproval> {
    const asking = appOf(call)?.fingerprint;
    const agent = agentOf(call)?.entry;
    const own = this.all.filter(
      (one) =>
        one.server.id === call.server.id &&
        one.app?.fingerprint === asking &&
        one.agent?.entry === agent,
    );
    if (own.length === 0) return { changes: [] };
    const argumentsFingerprint = await fingerprint(sentBy(call));
    const candidates = own.filter(
      ({ coverage, tool, arguments: args }) =>
        coverage === 'server' ||
        (tool === call.tool.name &&
          (coverage === 'tool' || args?.fingerprint === argumentsFingerprint)),
    );
    let changes: readonly Change[] = [];
    for (const approval of candidates) {
      const identity = await this.identityNow(approval, call);
      const unchanged = (await identityFingerprint(identity)) === approval.fingerprint;
      if (unchanged && approval.withdrawnAt === undefined) return { approval, changes: [] };
      if (unchanged) continue;
      if (changes.length === 0) changes = identityChanges(approval.identity, identity);
      if (approval.withdrawnAt === undefined && sameLaunch(approval.identity, identity))
        await this.markChanged(approval);
    }
    return { changes };
  }

  /** Stores an approval of `call` as the user asked, if it can last so long, replacing an older one for the same. */
  async remember(call: ToolCall, { duration: wanted, coverage }: ApprovalScope): Promise<void> {
    const duration = isKept(wanted) && !canLast(call) ? 'session' : wanted;
    const identity =
      coverage === 'server'
        ? await toolsIdentity(call.server)
        : await toolIdentity(call.server, call.tool);
    const { id, name } = call.server;
    const app = appOf(call);
    const agent = agentOf(call);
    await this.keep({
      duration,
      coverage,
      server: { id, name },
      ...(app && { app }),
      ...(agent && { agent }),
      ...(coverage !== 'server' && { tool: call.tool.name }),
      ...(coverage === 'arguments' && {
        arguments: {
          fingerprint: await fingerprint(sentBy(call)),
          shown: withoutSecrets(call.arguments) as JsonObject,
        },
      }),
      identity,
      fingerprint: await identityFingerprint(identity),
      givenAt: this.now(),
    });
  }

  /** Removes an approval that the user withdraws. */
  async withdraw(approval: Approval): Promise<void> {
    await this.lists.get(approval.duration)?.remove(isSameAs(approval));
    this.changed.fire();
  }

  /** Removes all that was allowed to an agent, or of a server. */
  async withdrawOf(whom: { readonly agent: string } | { readonly server: string }): Promise<void> {
    const isMeant = ({ agent, server }: Approval) =>
      'agent' in whom ? agent?.entry === whom.agent : server.id === whom.server;
    for (const list of this.lists.values()) await list.remove(isMeant);
    this.changed.fire();
  }

  private identityNow(approval: Approval, call: ToolCall): Promise<ToolIdentity | ToolsIdentity> {
    return approval.coverage === 'server'
      ? toolsIdentity(call.server)
      : toolIdentity(call.server, call.tool);
  }

  /** Keeps an approval in place of those for the same, and without those whose time is over. */
  private async keep(approval: Approval): Promise<void> {
    const { duration } = approval;
    const isSame = isSameAs(approval);
    await this.lists
      .get(duration)
      ?.put(approval, (one) => isSame(one) || one.givenAt <= this.since(duration));
    this.changed.fire();
  }

  /** Withdraws an approval whose definition has changed, unless it was removed or given again in the meantime. */
  private async markChanged(approval: Approval): Promise<void> {
    const isSame = isSameAs(approval);
    const kept = this.read(approval.duration).find(isSame);
    if (kept?.givenAt === approval.givenAt) await this.keep({ ...kept, withdrawnAt: this.now() });
  }

  /** Returns the approvals of a duration whose time is not over: nothing else reads them. */
  private read(duration: Duration): readonly Approval[] {
    const since = this.since(duration);
    return this.lists.get(duration)?.all.filter(({ givenAt }) => givenAt > since) ?? [];
  }

  private since(duration: Duration): number {
    return this.now() - this.traits[duration].lastsMs;
  }
}

/** Returns a function that is true for approvals for the same. */
function isSameAs(approval: Approval): (one: Approval) => boolean {
  const key = approvalKey(approval);
  return (one) => approvalKey(one) === key;
}

/** False for a call whose approval ends with the session, as what wants it can change unseen. */
export function canLast({ origin }: ToolCall): boolean {
  return origin.kind !== 'app' || !origin.canChange;
}

/** An approval for an agent is for the calls of its entry alone. */
function agentOf({ origin }: ToolCall): Approval['agent'] {
  return origin.kind === 'agent' ? { entry: origin.entry, label: origin.label } : undefined;
}

/** An approval for an app is for that app alone: models and other apps do not benefit from it. */
function appOf({ origin }: ToolCall): Approval['app'] {
  return origin.kind === 'app' ? { uri: origin.uri, fingerprint: origin.fingerprint } : undefined;
}

/**
 * A launch that the user configured differently is a different server; a server that changed its tools is the
 * same one.
 */
function sameLaunch(
  a: { readonly launchFingerprint: string },
  b: { readonly launchFingerprint: string },
) {
  return a.launchFingerprint === b.launchFingerprint;
}

function isApproval(value: unknown): value is Approval {
  return (
    isRecord(value) &&
    'fingerprint' in value &&
    'identity' in value &&
    'server' in value &&
    'coverage' in value
  );
}
