import type { CallOrigin } from '../../contracts/toolCalls';
import type { TaintReach } from './policy';

const keptConversations = 500;

/** A call as far as it belongs to a conversation and a server. */
interface Caller {
  readonly origin: CallOrigin;
  readonly server: { readonly id: string };
}

/** When a conversation was first given what strangers may have written, for the approvals of whom. */
interface Taints {
  readonly forAll?: number;
  /** By the server that sent it, for all others: of two servers, as the first two cover every third. */
  readonly forOthers: ReadonlyMap<string, number>;
}

/** Since when each conversation holds what strangers may have written. */
export class UntrustedConversations {
  private readonly conversations = new Map<string, Taints>();

  /** Marks the conversation of a call that was answered, as far as `reach`, unless it is marked already. */
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

  /** When the conversation of a call was marked for the approvals of its server: epoch ms. */
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
      return origin.conversation;
    case 'editor':
      return 'editor';
    case 'app':
    case 'savedCalls':
    case 'user':
      return undefined;
  }
}
