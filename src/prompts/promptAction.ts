/** Where the messages of a prompt can go, the usual first. */
export const promptActions = ['chat', 'draft', 'insert', 'copy', 'save'] as const;

/** One of {@link promptActions}. */
export type PromptAction = (typeof promptActions)[number];
