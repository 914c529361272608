import type { PromptMessage } from './protocol';

/** What a prompt gave, on its way to a conversation; the messages are exactly the server's. */
export interface PromptDraft {
  readonly server: { readonly id: string; readonly name: string };
  readonly prompt: { readonly name: string; readonly title?: string };
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly arguments: Readonly<Record<string, string>>;
}

/**
 * Hands a draft to the chat: sent at once, or left in the input box for the person to send. With
 * `readLinks` the resources that it links are read and attached, for which the person was asked.
 */
export type SendToChat = (
  draft: PromptDraft,
  options?: { readonly submit?: boolean; readonly readLinks?: boolean },
) => Promise<void>;
