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

/** Narrows what came from another process; throws if it is not counts. */
export function parseCounts(value: unknown): Counts {
  const counts = (value ?? {}) as Partial<Record<keyof Counts, unknown>>;
  const { passed, failed, skipped, remarks = [] } = counts;
  if (typeof passed !== 'number' || typeof failed !== 'number' || typeof skipped !== 'number') {
    throw new Error(`Not the counts of a test run: ${JSON.stringify(value)}`);
  }
  return { passed, failed, skipped, remarks: Array.isArray(remarks) ? remarks.map(String) : [] };
}
