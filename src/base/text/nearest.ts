/** The longest word that is compared. */
const longestWord = 40;

/** Returns the one of `words` that `word` most likely misspells, in a letter or two or in case; `undefined` if none is close. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  const most = word.length < 5 ? 1 : 2;
  const written = word.toLowerCase();
  return words
    .map((one) => ({ one, far: editDistance(written, one.toLowerCase()) }))
    .filter(({ one, far }) => far <= most && far < one.length / 2)
    .toSorted((a, b) => a.far - b.far)[0]?.one;
}

/** Counts how many letters have to be added, removed, changed or swapped with their neighbor. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (before[column - 2] ?? Infinity) + 1
          : Infinity;
      line.push(
        Math.min(
          (last[column] ?? Infinity) + 1,
          (line[column - 1] ?? Infinity) + 1,
          (last[column - 1] ?? Infinity) + same,
          swapped,
        ),
      );
    }
    before = last;
    last = line;
  }
  return last[to.length] ?? Infinity;
}
