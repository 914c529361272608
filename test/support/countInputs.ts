/** Counts what a user has to give until they have what they want: a command, a choice, an answer. */
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
