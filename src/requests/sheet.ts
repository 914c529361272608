import { documentText, plainLabel, trimEnd } from '../base/text/text';
import type { Translate } from '../base/translate';

/**
 * A part of a sheet. Headings start at the left edge and bodies are indented, so that what a server
 * wrote cannot pass for one of our headings.
 */
export interface SheetSection {
  /** The text by which it is read back, the same in every language; or a title, if nothing is read back. */
  readonly heading: string;
  /** What follows the heading for users, and is not read back. */
  readonly notes?: readonly string[];
  readonly body?: string;
}

/** A section that was read back: its heading without the notes, its body, and its line, counted from 1. */
export interface ReadSection {
  readonly heading: string;
  readonly body: string;
  readonly line: number;
}

/** A text to read and edit, and the line of each section's heading, 0-based. */
export interface Sheet {
  readonly text: string;
  readonly lines: readonly number[];
}

const indent = '  ';
const noteMark = ' · ';

/** Makes a sheet: lines that only inform, followed by the sections, in whose bodies hidden characters are made visible. */
export function sheetText(lead: readonly string[], sections: readonly SheetSection[]): Sheet {
  const text = [...lead];
  const lines: number[] = [];
  for (const { heading, notes = [], body } of sections) {
    text.push('');
    lines.push(text.length);
    text.push([heading, ...notes].join(noteMark));
    if (body !== undefined) text.push(...shownBody(body).map((line) => line && indent + line));
  }
  return { text: `${text.join('\n')}\n`, lines };
}

/** Reads the sections of a sheet back; the lines above the first empty one are not part of any. */
export function readSheet(text: string): readonly ReadSection[] {
  const sections: { heading: string; line: number; body: string[] }[] = [];
  const lines = text.split(/\r\n|[\n\r]/);
  const start = lines.findIndex((line) => line.trim() === '');
  for (const [index, line] of lines.entries()) {
    if (index < start || start === -1) continue;
    if (/^\S/.test(line)) {
      const [heading = ''] = line.split(noteMark);
      sections.push({ heading: heading.trimEnd(), line: index + 1, body: [] });
    } else sections.at(-1)?.body.push(line.startsWith(indent) ? line.slice(2) : line.trimStart());
  }
  return sections.map(({ heading, line, body }) => ({
    heading,
    line,
    body: trimEnd(body.join('\n'), /\n/),
  }));
}

/** True if a body that was read back is still what was shown for `original`. */
export function isUnchanged(body: string, original: string): boolean {
  return body === trimEnd(shownBody(original).join('\n'), /\n/);
}

/** Returns what is wrong with a line at the left edge that is not a heading of the sheet. */
export function unknownHeading({ heading, line }: ReadSection, t: Translate): string {
  return t(
    'Line {0}: “{1}” is not a heading. Indent texts by two blanks.',
    String(line),
    plainLabel(heading, 60),
  );
}

function shownBody(body: string): readonly string[] {
  return documentText(body).split('\n');
}
