import type { PromptMessage } from './protocol';

/** What a prompt gave, on its way to a conversation; the messages are exactly the server's. */
export interface PromptDraft {
  readonly server: { readonly id: string; readonly name: string };
  readonly prompt: { readonly name: string; readonly title?: string };
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly arguments: Readonly<Record<string, string>>;
}

/** A document of this window that a person can open; `name` is made by us. */
export interface OpenableFile {
  readonly name: string;
  readonly uri: string;
}

/** A draft and what the chat needs beside it. */
export interface HandedPrompt {
  readonly draft: PromptDraft;
  /** What no model takes, such as sounds, for the person to open. */
  readonly openable: readonly OpenableFile[];
}

/**
 * Sends a prompt to the chat. With `readLinks` the resources that it links are read and attached, for
 * which the person was asked.
 */
export type SendToChat = (
  prompt: HandedPrompt,
  options: { readonly readLinks: boolean },
) => Promise<void>;
