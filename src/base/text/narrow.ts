/** The most rows that a pick shows at a time; the editor draws, filters and sends all of them on every change. */
export const maxPickRows = 1000;

/**
 * Narrows rows that are too many to be shown to those whose text has every word that was typed, at
 * most {@link maxPickRows}; `more` counts the further ones that match.
 */
export function narrow<T>(
  rows: readonly T[],
  typed: string,
  textOf: (row: T) => string,
): { readonly shown: readonly T[]; readonly more: number } {
  if (rows.length <= maxPickRows) return { shown: rows, more: 0 };
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting =
    words.length === 0
      ? rows
      : rows.filter((row) => {
          const text = textOf(row).toLowerCase();
          return words.every((word) => text.includes(word));
        });
  const shown = fitting.slice(0, maxPickRows);
  return { shown, more: fitting.length - shown.length };
}
