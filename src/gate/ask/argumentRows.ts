import { rowText, rowWidth, widthOf, wrapLine } from '../../base/text/rows';
import { jsonText } from '../../base/text/jsonText';
import { hasHidden } from '../../base/text/text';
import type { JsonObject } from '../../mcp/protocol/types';

/** One argument as a row; `length` in characters where its middle was left out. */
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

/** The arguments as at most `max` rows, one each, long values without their middle; hidden characters shown. */
export function argumentRows(args: JsonObject, max: number): ArgumentRows {
  const entries = Object.entries(args);
  const rows: ArgumentRow[] = [];
  const left: string[] = [];
  for (const [name, value] of entries.slice(0, max)) {
    const label = abridge(name, nameWidth);
    const text = jsonText(value);
    const shown = abridge(text, rowWidth - widthOf(label.text) - 2);
    left.push(label.left, shown.left);
    rows.push({
      label: `${label.text}: ${shown.text}`,
      ...(shown.left && { length: text.length }),
    });
  }
  const others = entries.slice(max);
  for (const [name, value] of others) left.push(name, jsonText(value));
  const all = left.join('');
  if (all === '') return { rows };
  const elsewhere = { others: others.length, characters: all.length, hidden: hasHidden(all) };
  return { rows, elsewhere };
}

/** A text without its middle, if need be, as a row shows it; `left` is what was left out. */
function abridge(text: string, room: number): { readonly text: string; readonly left: string } {
  const [whole = '', ...more] = text.length > 2 * room ? ['', ''] : wrapLine(text, room);
  if (more.length === 0) return { text: whole, left: '' };
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
