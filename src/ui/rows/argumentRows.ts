import * as vscode from 'vscode';
import {
  type RowsRoom,
  indentRest,
  roomAt,
  rowText,
  widthOf,
  wrapShown,
} from '../../base/text/rows';
import { jsonText } from '../../base/text/jsonText';
import { hasHidden } from '../../base/text/text';
import type { JsonObject } from '../../mcp/protocol/types';
import type { PickLook } from './picks';

/** One row of an argument; the last one has the `length` of the value, in characters, if its middle was left out. */
interface ArgumentRow {
  readonly label: string;
  readonly length?: number;
}

/** The part of the arguments that is shown in rows, and how much is not. */
interface ArgumentRows {
  readonly rows: readonly ArgumentRow[];
  /** Absent if the rows show everything. */
  readonly rest?: {
    /** How many arguments have no row of their own. */
    readonly others: number;
    readonly characters: number;
    /** True if invisible characters are among them. */
    readonly hidden: boolean;
  };
}

/** The name of each argument, and its value as JSON. */
type ArgumentTexts = readonly (readonly [string, string])[];

/** How much of a row a name may take, in pixels. */
const nameWidth = 160;
/** What a value whose middle is left out leaves to the note on its length beside it, in pixels. */
const noteWidth = 110;

/** Lays out the arguments in at most `max` rows, or in one more, instead of the one that leads to the rest. */
export function argumentRows(args: JsonObject, max: number, heading = ''): ArgumentRows {
  const texts = Object.entries(args).map(([name, value]) => [name, jsonText(value)] as const);
  const whole = layOut(texts, max + 1, heading);
  return whole.rest ? layOut(texts, max, heading) : whole;
}

/** Returns arguments as rows of a pick, with one that says how much they leave out, if anything. */
export function argumentPicks(args: JsonObject, max: number, heading: string): readonly PickLook[] {
  const { t } = vscode.l10n;
  const { rows, rest } = argumentRows(args, max, heading);
  const looks = rows.map(({ label, length }): PickLook => ({
    label,
    isLaidOut: true,
    ...(length !== undefined && {
      description: t('{0} characters', length.toLocaleString(vscode.env.language)),
    }),
  }));
  const iconPath = new vscode.ThemeIcon('go-to-file');
  return rest ? [...looks, { label: t('Show All'), description: restText(rest), iconPath }] : looks;
}

function restText({ others, characters, hidden }: NonNullable<ArgumentRows['rest']>): string {
  const { t } = vscode.l10n;
  const count = characters.toLocaleString(vscode.env.language);
  // A narrow window cuts off the end.
  return [
    ...(hidden ? [t('⚠ some invisible')] : []),
    ...(others > 0 ? [others === 1 ? t('1 more argument') : t('{0} more arguments', others)] : []),
    t('{0} characters more', count),
  ].join(' · ');
}

/**
 * Lays out the first `max` arguments in at most `max` rows, at least one each, leaving out the middle of long
 * values and making hidden characters visible.
 */
function layOut(args: ArgumentTexts, max: number, heading: string): ArgumentRows {
  const inRows = args.slice(0, max);
  const rows: ArgumentRow[] = [];
  const left: string[] = [];
  for (const [index, [name, text]] of inRows.entries()) {
    // Each of the arguments that follow needs at least one row.
    const most = max - rows.length - (inRows.length - index - 1);
    const room = roomAt({ heading: index === 0 ? heading : '' }, true);
    const shown = inAtMost(most, room, name, text);
    left.push(...shown.left);
    const last = shown.rows.length - 1;
    rows.push(
      ...indentRest(shown.rows).map((label, at) => ({
        label,
        ...(at === last && shown.left[1] && { length: text.length }),
      })),
    );
  }
  const others = args.slice(max);
  left.push(...others.flat());
  const all = left.join('');
  if (all === '') return { rows };
  const rest = { others: others.length, characters: all.length, hidden: hasHidden(all) };
  return { rows, rest };
}

/** Lays out an argument in at most `max` rows; `left` is what was left out of its name and its value. */
function inAtMost(max: number, room: RowsRoom, name: string, value: string) {
  const label = abridge(name, nameWidth);
  for (let count = max; ; count -= 1) {
    const all = room.first + (count - 1) * room.others;
    const shown = abridge(value, all - widthOf(`${label.text}: `), noteWidth);
    const rows = wrapShown(`${label.text}: ${shown.text}`, room);
    // Rows that break after words hold less.
    if (rows.length <= max || count === 1) return { rows, left: [label.left, shown.left] };
  }
}

/**
 * Fits a text into `room`, leaving out its middle if it is too long, and `note` free behind it then; `left` is what was
 * left out.
 */
function abridge(
  text: string,
  room: number,
  note = 0,
): { readonly text: string; readonly left: string } {
  // No character is narrower than one pixel.
  const whole = text.length > room ? undefined : rowText(text);
  if (whole !== undefined && widthOf(whole) <= room) return { text: whole, left: '' };
  const half = Math.floor((room - note - widthOf(' … ')) / 2);
  // Only the beginning and the end of an enormous text are looked at.
  const looked = Math.max(1, Math.ceil(room));
  const start = fitting(Array.from(text.slice(0, looked)), half);
  const end = fitting(Array.from(text.slice(-looked)).toReversed(), half);
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
