/** What texts of one JSON value each hold. */
export interface JsonRecords {
  readonly values: readonly unknown[];
  /** How many are broken, as a process that is killed may leave one; they are left out. */
  readonly broken: number;
}

/** Parses each of some texts by itself. */
export function parseEach(texts: readonly string[]): JsonRecords {
  const values = texts.flatMap(parse);
  return { values, broken: texts.length - values.length };
}

function parse(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
