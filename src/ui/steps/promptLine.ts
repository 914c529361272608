import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';

const room = 400;

/** Returns the line below the box of a step; if the text is cut, `more` says where to find all of it. */
export function promptLine(text: string, more = ''): string {
  if (more === '' || fitsPromptLine(text)) return plainLabel(text, room);
  return `${plainLabel(text, room - more.length - 1)} ${more}`;
}

/** True if {@link promptLine} has room for all of a text. */
export function fitsPromptLine(text: string): boolean {
  // Two more, because a text that is cut may end in an ellipsis in place of a surrogate pair.
  return plainLabel(text, room + 2).length <= room;
}

/** Returns the line below the box of a step that has no problem: which value it asks for, and what that is. */
export function aboutLine(
  question: {
    readonly name: string;
    readonly required: boolean;
    readonly description?: string;
  },
  more?: string,
): string {
  return [askedFor(question), promptLine(question.description ?? '', more)]
    .filter(Boolean)
    .join(' · ');
}

/** Names the value that a step asks for, first in the line below its box, where everybody can read it. */
export function askedFor({
  name,
  required,
}: {
  readonly name: string;
  readonly required: boolean;
}): string {
  const label = plainLabel(name);
  return required ? vscode.l10n.t('{0} (required)', label) : vscode.l10n.t('{0} (optional)', label);
}
