import type { PromptMessage } from '../mcp/protocol/types';

/** The result of a prompt, on its way to a conversation; the messages are exactly the server's. */
export interface PromptDraft {
  readonly server: { readonly id: string; readonly name: string };
  readonly prompt: { readonly name: string; readonly title?: string };
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly arguments: Readonly<Record<string, string>>;
}

/** A document of this window that the user can open; `name` is our own, not a server's. */
export interface OpenableFile {
  readonly name: string;
  readonly uri: string;
}

/** A draft and what the chat needs besides it. */
export interface HandedPrompt {
  readonly draft: PromptDraft;
  /** URIs of resources to read and send along, as the user chose. */
  readonly linked: readonly string[];
  /** What models do not accept, such as audio, for the user to open. */
  readonly openable: readonly OpenableFile[];
}

/** Why a prompt was not taken, in a sentence; `isTakenNow`, absent if no chat opened, tells whether `@mcp` has it now. */
export interface NotTaken {
  readonly why: string;
  readonly isTakenNow?: () => boolean;
}
