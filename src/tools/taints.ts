import type { CallOrigin } from '../mcp/toolCalls';

const keptConversations = 500;

/** Since when each conversation holds what strangers may have written. */
export class Taints {
  private readonly conversations = new Map<string, number>();

  /** Marks a conversation, unless it is marked already. */
  mark(origin: CallOrigin, at: number): void {
    if (origin.kind !== 'chat' || this.conversations.has(origin.conversation)) return;
    this.conversations.set(origin.conversation, at);
    for (const oldest of this.conversations.keys()) {
      if (this.conversations.size <= keptConversations) break;
      this.conversations.delete(oldest);
    }
  }

  /** When the conversation was marked: epoch ms. */
  since(origin: CallOrigin): number | undefined {
    return origin.kind === 'chat' ? this.conversations.get(origin.conversation) : undefined;
  }
}
