import { indentRest, rowText, rowWidth, widthOf, wrapShown } from '../../base/text/rows';
import { jsonText } from '../../base/text/jsonText';
import { hasHidden } from '../../base/text/text';
import type { JsonObject } from '../../mcp/protocol/types';

/** One row of an argument; the last one has the `length` of the value, in characters, if its middle was left out. */
export interface ArgumentRow {
  readonly label: string;
  readonly length?: number;
}

/** The part of the arguments that is shown in rows, and how much is not. */
export interface ArgumentRows {
  readonly rows: readonly ArgumentRow[];
  /** Absent if the rows show everything. */
  readonly elsewhere?: {
    /** How many arguments have no row of their own. */
    readonly others: number;
    readonly characters: number;
    /** True if invisible characters are among them. */
    readonly hidden: boolean;
  };
}

/** How much of a row a name may take, in narrow characters. */
const nameWidth = 24;

/**
 * Lays out the first `max` arguments in at most `max` rows, at least one each, leaving out the middle of long
 * values and making hidden characters visible.
 */
export function argumentRows(args: JsonObject, max: number): ArgumentRows {
  const entries = Object.entries(args);
  const inRows = entries.slice(0, max);
  const rows: ArgumentRow[] = [];
  const left: string[] = [];
  for (const [index, [name, value]] of inRows.entries()) {
    const text = jsonText(value);
    // Each of the arguments that follow needs at least one row.
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

/** Lays out an argument in at most `max` rows; `left` is what was left out of its name and its value. */
function inAtMost(max: number, name: string, value: string) {
  const label = abridge(name, nameWidth);
  for (let count = max; ; count -= 1) {
    const shown = abridge(value, count * rowWidth - widthOf(label.text) - 2);
    const rows = wrapShown(`${label.text}: ${shown.text}`);
    // Rows that break after words hold less.
    if (rows.length <= max || count === 1) return { rows, left: [label.left, shown.left] };
  }
}

/** Fits a text into `room`, leaving out its middle if it is too long; `left` is what was left out. */
function abridge(text: string, room: number): { readonly text: string; readonly left: string } {
  const whole = text.length > 2 * room ? undefined : rowText(text);
  if (whole !== undefined && widthOf(whole) <= room) return { text: whole, left: '' };
  const half = Math.floor((room - 3) / 2);
  // Only the beginning and the end of an enormous text are looked at.
  const start = fitting(Array.from(text.slice(0, 2 * room)), half);
  const end = fitting(Array.from(text.slice(-2 * room)).toReversed(), half);
  const tail = Array.from(end).toReversed().join('');
  return {
    text: `${rowText(start)} … ${rowText(tail)}`,
    left: text.slice(start.length, text.length - tail.length),
  };
}

/** Returns as many of the first characters as fit into `room`. */
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
