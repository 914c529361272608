/** Counts the inputs that a user has to give to reach a goal: commands, choices, answers. */
export function countInputs(): {
  readonly count: number;
  readonly give: (step: () => Promise<void>) => Promise<void>;
} {
  let count = 0;
  return {
    get count() {
      return count;
    },
    give: async (step) => {
      count += 1;
      await step();
    },
  };
}
