/** One row of a tree, as a user reads it. */
export interface TreeRow {
  label: string;
  description: string;
  /** Counts from 1. */
  level: number;
  /** Absent for a row with nothing below it. */
  expanded?: boolean;
}

/** A row and where it is drawn. */
export interface PlacedRow extends TreeRow {
  /** Its place among the rows of its list, drawn or not. */
  index: number;
  /** The place of its list among those of the sidebar, each of which has rows of its own. */
  list: number;
}

/** Returns drawn rows from top to bottom, one list after the other: the order of the elements is another. */
export function inOrder<T extends PlacedRow>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => a.list - b.list || a.index - b.index);
}

/** Where a path of labels leads among the drawn rows; `complete` if to its own row. */
export type PathEnd = { at: number; complete: boolean };

/**
 * Follows a path of labels from the root down, to its row or to the first collapsed row on the way; `undefined` if a
 * label is not there.
 */
export function followPath(rows: readonly TreeRow[], path: readonly string[]): PathEnd | undefined {
  let from = 0;
  for (const [depth, label] of path.entries()) {
    const end = rows.findIndex((row, index) => index >= from && row.level < depth + 1);
    const at = rows.findIndex(
      (row, index) => index >= from && row.level === depth + 1 && row.label === label,
    );
    const row = rows[at];
    if (!row || (end !== -1 && at > end)) return undefined;
    const complete = depth === path.length - 1;
    if (complete || row.expanded === false) return { at, complete };
    from = at + 1;
  }
  return undefined;
}
