import { rowText } from './rows';
import {
  asWritten,
  maxTooltipLength,
  plainLabel,
  tooltipText,
  truncate,
  withoutColors,
  wordsLabel,
} from './text';

/** The longest detail and the longest laid-out line, in UTF-16 units. */
const maxLine = 1000;

/** Characters that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const leftToRightMark = '\u200E';

/** The texts of a quick pick's row. */
export interface PickTexts {
  readonly label: string;
  /** The label is one line of a longer text and keeps its blanks. */
  readonly isLaidOut?: boolean;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
}

/** The texts of a tree's row. */
export interface TreeTexts {
  readonly label: string;
  readonly description?: string | undefined;
  readonly tooltip?: string | undefined;
  /** The kind of thing that the row stands for, in the user's language; spoken before its name. */
  readonly kind?: string | undefined;
  /** What only an icon or a check box shows; spoken after the visible texts. */
  readonly state?: string | undefined;
}

/** Returns the texts of a quick pick's row, made safe for the editor. */
export function pickTexts({ label, isLaidOut, description, detail }: PickTexts): {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
} {
  const shown = isLaidOut ? line(label) : plainLabel(label);
  return {
    label: shown,
    ...(description !== undefined && { description: besideLabel(shown, description) }),
    ...(detail !== undefined && { detail: plainLabel(detail, maxLine) }),
  };
}

/**
 * Returns a description that stays after its label: the editor draws both as one line, in which a description that
 * begins in the same direction, or with a number, would come before a right-to-left label and take its space.
 */
function besideLabel(label: string, description: string): string {
  if (!rightToLeft.test(label)) return plainLabel(description);
  const marked = description.startsWith(leftToRightMark);
  const shown = plainLabel(marked ? description.slice(leftToRightMark.length) : description);
  return shown && leftToRightMark + shown;
}

function line(text: string): string {
  const near = truncate(text, maxLine).replaceAll(/\r?\n|\t/g, ' ');
  return truncate(rowText(near), maxLine);
}

/** Returns what texts have in common that say the same. */
function keyOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '').toLowerCase();
}

/** Returns those that say what none before them has said; empty ones stay. */
function saidFirst(texts: readonly string[], isRepeatable = (_key: string) => false): string[] {
  const said = new Set<string>();
  return texts.filter((text) => {
    const key = keyOf(text);
    const isNew = !said.has(key) || key === '' || isRepeatable(key);
    said.add(key);
    return isNew;
  });
}

/**
 * Returns a tooltip without the lines that are the label again, and the paragraphs that say what one before them has
 * said. Other lines may repeat: they may be code, or parts of a list.
 */
function saidOnce(tooltip: string, label: string): string {
  const near = truncate(tooltip, 2 * maxTooltipLength);
  const name = keyOf(truncate(label, maxTooltipLength));
  const lines = saidFirst(near.split('\n'), (key) => key !== name);
  return saidFirst(lines.join('\n').split('\n\n')).join('\n\n');
}

/**
 * Returns the texts of a tree's row, made safe for the editor; `spoken` is what a screen reader says, which
 * would otherwise read the tooltip aloud.
 */
export function treeTexts({ label, description, tooltip, kind, state }: TreeTexts): {
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly spoken: string;
} {
  const shown = plainLabel(label);
  const given = description === undefined ? '' : wordsLabel(description);
  const beside = keyOf(given) === keyOf(shown) ? '' : given;
  // The description may already begin with the state.
  const more = state !== undefined && !beside.startsWith(state) ? [beside, state] : [beside];
  const name = kind === undefined ? shown : `${kind} ${shown}`;
  return {
    label: shown,
    ...(beside && { description: besideLabel(shown, beside) }),
    ...(tooltip !== undefined && {
      tooltip: tooltipText(withoutColors(asWritten(saidOnce(tooltip, label)))),
    }),
    spoken: [name, ...more.filter(Boolean)].join(', '),
  };
}
