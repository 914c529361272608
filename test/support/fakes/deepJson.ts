/** Lists in one another, so many that what walks them by calling itself runs out of stack. */
export const deepJson = (depth = 100_000): unknown =>
  JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** What stands in the place of such a value wherever it is shown. */
export const tooDeep = /nested too deep/;
