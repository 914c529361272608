/** How many tests of a part passed, failed and were skipped. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** One line for each test that failed, or passed only on its second try; repeated at the end of a run. */
  remarks?: string[];
}

/** Adds up the counts of several parts. */
export function sum(parts: readonly Counts[]): Required<Counts> {
  const total = {
    passed: 0,
    failed: 0,
    skipped: 0,
    remarks: parts.flatMap((part) => part.remarks ?? []),
  };
  for (const part of parts) {
    total.passed += part.passed;
    total.failed += part.failed;
    total.skipped += part.skipped;
  }
  return total;
}

/** Formats counts as one line: `3 passed, 0 failed`, and `, 1 skipped` if some were. */
export function format({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** How many remarks the end of a report has, and how long each is there: two reports fit onto a page of 60 lines. */
const endRemarks = { most: 25, characters: 300 };

/** Returns the end of a report: a line for each remark, failures first, and the total. */
export function formatEnd(counts: Counts): string[] {
  const { remarks = [] } = counts;
  const ordered = [
    ...remarks.filter((remark) => remark.startsWith('failed')),
    ...remarks.filter((remark) => !remark.startsWith('failed')),
  ];
  const lines = ordered
    .slice(0, endRemarks.most)
    .map((remark) => remark.replaceAll(/\s+/g, ' ').slice(0, endRemarks.characters));
  const more = ordered.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more, above`] : []), format(counts)];
}

/** Narrows what came from another process; throws if it is not counts. */
export function parseCounts(value: unknown): Counts {
  const counts = (value ?? {}) as Partial<Record<keyof Counts, unknown>>;
  const { passed, failed, skipped, remarks = [] } = counts;
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof skipped !== 'number') {
    throw new Error(`Not the counts of a test run: ${JSON.stringify(value)}`);
  }
  return { passed, failed, skipped, remarks: Array.isArray(remarks) ? remarks.map(String) : [] };
}
