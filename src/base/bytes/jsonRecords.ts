/** The values of texts that hold one JSON value each. */
export interface JsonRecords {
  readonly values: readonly unknown[];
  /** How many texts are broken, as a killed process may leave one; they are skipped. */
  readonly broken: number;
}

/** Parses each text separately. */
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
