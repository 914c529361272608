import type { PromptMessage } from '../mcp/protocol/types';

/** What a prompt gave, on its way to a conversation; the messages are exactly the server's. */
export interface PromptDraft {
  readonly server: { readonly id: string; readonly name: string };
  readonly prompt: { readonly name: string; readonly title?: string };
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly arguments: Readonly<Record<string, string>>;
}

/** A document of this window that a user can open; `name` is made by us. */
export interface OpenableFile {
  readonly name: string;
  readonly uri: string;
}

/** A draft and what the chat needs beside it. */
export interface HandedPrompt {
  readonly draft: PromptDraft;
  /** Documents to read and give along, for which the user was asked. */
  readonly linked: readonly string[];
  /** What no model takes, such as sounds, for the user to open. */
  readonly openable: readonly OpenableFile[];
}

/** Why a prompt was not taken, in a sentence; `isTakenNow` where a chat is there that may yet give it to `@mcp`. */
export interface NotTaken {
  readonly why: string;
  readonly isTakenNow?: () => boolean;
}

/** Sends a prompt to `@mcp` in the chat; resolves with why it was not taken, and with nothing when it was. */
export type SendToChat = (prompt: HandedPrompt) => Promise<NotTaken | undefined>;
