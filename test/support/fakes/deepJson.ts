/** Returns lists nested so deeply that recursive code runs out of stack. */
export const deepJson = (depth = 100_000): unknown =>
  JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** Matches the text that is shown in place of such a value. */
export const tooDeep = /nested too deep/;
