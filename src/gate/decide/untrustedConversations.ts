import type { CallOrigin } from '../../contracts/toolCalls';
import type { TaintReach } from './policy';

const keptConversations = 500;

/** The parts of a call that say to which conversation and server it belongs. */
interface Caller {
  readonly origin: CallOrigin;
  readonly server: { readonly id: string };
}

/** When a conversation first received content that strangers may have written, by whose approvals that affects. */
interface Taints {
  readonly forAll?: number;
  /** By the server that sent it, which affects the approvals of all other servers: two entries cover them all. */
  readonly forOthers: ReadonlyMap<string, number>;
}

/** Remembers when each conversation first received content that strangers may have written. */
export class UntrustedConversations {
  private readonly conversations = new Map<string, Taints>();

  /**
   * Marks the conversation of an answered call as far as `reach`, unless it already is; `at` is in epoch
   * milliseconds.
   */
  mark(call: Caller, reach: TaintReach, at: number): void {
    const conversation = conversationOf(call);
    if (conversation === undefined || reach === 'none') return;
    const before = this.conversations.get(conversation) ?? { forOthers: new Map() };
    this.conversations.set(conversation, withTaint(before, call.server.id, reach, at));
    for (const oldest of this.conversations.keys()) {
      if (this.conversations.size <= keptConversations) break;
      this.conversations.delete(oldest);
    }
  }

  /**
   * Returns when a call's conversation was marked for the approvals of its server, in epoch milliseconds;
   * `undefined` if it never was.
   */
  since(call: Caller): number | undefined {
    const conversation = conversationOf(call);
    const taints = conversation === undefined ? undefined : this.conversations.get(conversation);
    if (!taints) return undefined;
    const others = [...taints.forOthers].flatMap(([id, at]) => (id === call.server.id ? [] : [at]));
    const all = taints.forAll === undefined ? others : [taints.forAll, ...others];
    return all.length === 0 ? undefined : Math.min(...all);
  }
}

function withTaint(
  before: Taints,
  serverId: string,
  reach: 'otherServers' | 'all',
  at: number,
): Taints {
  const { forAll, forOthers } = before;
  if (reach === 'all') return { ...before, forAll: forAll ?? at };
  if (forOthers.has(serverId) || forOthers.size === 2) return before;
  return { ...before, forOthers: new Map([...forOthers, [serverId, at]]) };
}

/** The editor does not tell the conversations of its other chats apart, so they count as one. */
function conversationOf({ origin }: Caller): string | undefined {
  switch (origin.kind) {
    case 'chat':
    case 'agent':
      return origin.conversation;
    case 'editor':
      return 'editor';
    case 'app':
    case 'savedCalls':
    case 'user':
      return undefined;
  }
}
