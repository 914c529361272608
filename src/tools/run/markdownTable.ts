const maxRows = 500;
const maxColumns = 20;

/**
 * Formats a list of flat objects as a Markdown table with escaped cells; `undefined` for other lists or too many
 * columns.
 */
export function markdownTable(
  list: readonly unknown[],
  escape: (text: string) => string,
): string | undefined {
  const rows = list.filter(isFlatObject);
  if (rows.length === 0 || rows.length < list.length) return undefined;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > maxColumns) return undefined;
  const shown = rows.slice(0, maxRows);
  return [
    line(columns.map((column) => escape(column))),
    line(columns.map(() => '---')),
    ...shown.map((row) => line(columns.map((column) => escape(cell(row[column]))))),
    ...(rows.length > maxRows ? [`\n… ${rows.length - maxRows}`] : []),
  ].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isFlatObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((part) => typeof part !== 'object' || part === null);
}
