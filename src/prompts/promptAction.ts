/**
 * Where the messages of a prompt can go, the usual first; `chatWithLinks` is the chat with the linked
 * resources read.
 */
export const promptActions = ['chat', 'chatWithLinks', 'draft', 'insert', 'copy', 'save'] as const;

/** One of {@link promptActions}. */
export type PromptAction = (typeof promptActions)[number];
