/**
 * The places where the messages of a prompt can go, the usual one first; `chatWithLinks` is the chat with the linked
 * resources included, `message` is one message for whichever chat is open, and `return` only returns them to the
 * caller of the command, such as an input of a task.
 */
export const promptActions = [
  'chat',
  'chatWithLinks',
  'message',
  'draft',
  'insert',
  'copy',
  'save',
  'return',
] as const;

/** One of {@link promptActions}. */
export type PromptAction = (typeof promptActions)[number];
