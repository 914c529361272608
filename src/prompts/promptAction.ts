/**
 * Where the messages of a prompt can go, the usual first; `chatWithLinks` is the chat with the linked
 * resources read, `message` one message for whichever chat is open, `return` only gives them to whoever ran
 * the command, such as an input of a task.
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
