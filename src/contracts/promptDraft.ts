import type { PromptMessage } from '../mcp/protocol/types';

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
  /** Documents to read and give along, for which the person was asked. */
  readonly linked: readonly string[];
  /** What no model takes, such as sounds, for the person to open. */
  readonly openable: readonly OpenableFile[];
}

/** Sends a prompt to the chat. */
export type SendToChat = (prompt: HandedPrompt) => Promise<void>;
