import { plainLabel } from '../../base/text/text';

const room = 400;

/** The line below the box of a step; where it is cut, `more` says where all of it stands. */
export function promptLine(text: string, more = ''): string {
  if (more === '' || fitsPromptLine(text)) return plainLabel(text, room);
  return `${plainLabel(text, room - more.length - 1)} ${more}`;
}

/** True where {@link promptLine} has room for all of a text. */
export function fitsPromptLine(text: string): boolean {
  // Two more, for what is cut may end in an ellipsis in place of a pair of units.
  return plainLabel(text, room + 2).length <= room;
}
