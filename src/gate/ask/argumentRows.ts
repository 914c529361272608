import { indentRest, rowText, rowWidth, widthOf, wrapShown } from '../../base/text/rows';
import { jsonText } from '../../base/text/jsonText';
import { hasHidden } from '../../base/text/text';
import type { JsonObject } from '../../mcp/protocol/types';

/** One row of an argument; `length` in characters on the last one where the middle of the value was left out. */
export interface ArgumentRow {
  readonly label: string;
  readonly length?: number;
}

/** What of the arguments stands in rows, and how much does not. */
export interface ArgumentRows {
  readonly rows: readonly ArgumentRow[];
  /** Absent where everything stands in the rows. */
  readonly elsewhere?: {
    /** Arguments without a row of their own. */
    readonly others: number;
    readonly characters: number;
    /** Whether characters that a reader cannot see are among them. */
    readonly hidden: boolean;
  };
}

/** The part of a row that a name may take. */
const nameWidth = 24;

/** The arguments in at most `max` rows, one each at least, long values without their middle; hidden characters shown. */
export function argumentRows(args: JsonObject, max: number): ArgumentRows {
  const entries = Object.entries(args);
  const inRows = entries.slice(0, max);
  const rows: ArgumentRow[] = [];
  const left: string[] = [];
  for (const [index, [name, value]] of inRows.entries()) {
    const text = jsonText(value);
    // Each of those that follow has a row for certain.
    const shown = inAtMost(max - rows.length - (inRows.length - index - 1), name, text);
    left.push(...shown.left);
    const last = shown.rows.length - 1;
    rows.push(
      ...indentRest(shown.rows).map((label, at) => ({
        label,
        ...(at === last && shown.left[1] && { length: text.length }),
      })),
    );
  }
  const others = entries.slice(max);
  for (const [name, value] of others) left.push(name, jsonText(value));
  const all = left.join('');
  if (all === '') return { rows };
  const elsewhere = { others: others.length, characters: all.length, hidden: hasHidden(all) };
  return { rows, elsewhere };
}

/** An argument in no more rows than that, with what was left out of its name and its value. */
function inAtMost(max: number, name: string, value: string) {
  const label = abridge(name, nameWidth);
  for (let count = max; ; count -= 1) {
    const shown = abridge(value, count * rowWidth - widthOf(label.text) - 2);
    const rows = wrapShown(`${label.text}: ${shown.text}`);
    // Rows that end behind words hold less.
    if (rows.length <= max || count === 1) return { rows, left: [label.left, shown.left] };
  }
}

/** A text without its middle, if need be, as a row shows it; `left` is what was left out. */
function abridge(text: string, room: number): { readonly text: string; readonly left: string } {
  const whole = text.length > 2 * room ? undefined : rowText(text);
  if (whole !== undefined && widthOf(whole) <= room) return { text: whole, left: '' };
  const half = Math.floor((room - 3) / 2);
  // An enormous text is looked at where it begins and ends only.
  const start = fitting(Array.from(text.slice(0, 2 * room)), half);
  const end = fitting(Array.from(text.slice(-2 * room)).toReversed(), half);
  const tail = Array.from(end).toReversed().join('');
  return {
    text: `${rowText(start)} … ${rowText(tail)}`,
    left: text.slice(start.length, text.length - tail.length),
  };
}

/** The first of the characters that take no more than `room`. */
function fitting(characters: readonly string[], room: number): string {
  let text = '';
  let taken = 0;
  for (const character of characters) {
    taken += widthOf(rowText(character));
    if (taken > room) break;
    text += character;
  }
  return text;
}
