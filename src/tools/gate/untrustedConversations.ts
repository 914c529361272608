import type { CallOrigin } from '../../contracts/toolCalls';

const keptConversations = 500;

/** Since when each conversation holds what strangers may have written. */
export class UntrustedConversations {
  private readonly conversations = new Map<string, number>();

  /** Marks a conversation, unless it is marked already. */
  mark(origin: CallOrigin, at: number): void {
    const conversation = conversationOf(origin);
    if (conversation === undefined || this.conversations.has(conversation)) return;
    this.conversations.set(conversation, at);
    for (const oldest of this.conversations.keys()) {
      if (this.conversations.size <= keptConversations) break;
      this.conversations.delete(oldest);
    }
  }

  /** When the conversation was marked: epoch ms. */
  since(origin: CallOrigin): number | undefined {
    const conversation = conversationOf(origin);
    return conversation === undefined ? undefined : this.conversations.get(conversation);
  }
}

/** The editor does not tell the conversations of its other chats apart, so they count as one. */
function conversationOf(origin: CallOrigin): string | undefined {
  switch (origin.kind) {
    case 'chat':
      return origin.conversation;
    case 'editor':
      return 'editor';
    case 'person':
      return undefined;
  }
}
