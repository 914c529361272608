import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { StepAction, StepFrame } from './stepFrame';

/** What every step asks about its field; texts that a server wrote are passed as they are. */
export interface FieldQuestion {
  /** The title of the series, or everything that surrounds its steps. */
  readonly title: string | StepFrame;
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  /** A button that ends the series in favor of another way to give the values. */
  readonly leave?: Pick<StepAction, 'icon' | 'label'>;
}

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
  question: Pick<FieldQuestion, 'name' | 'required' | 'description'>,
  more?: string,
): string {
  return [askedFor(question), promptLine(question.description ?? '', more)]
    .filter(Boolean)
    .join(' · ');
}

/** Names the value that a step asks for, first in the line below its box, where everybody can read it. */
export function askedFor({ name, required }: Pick<FieldQuestion, 'name' | 'required'>): string {
  const label = plainLabel(name);
  return required ? vscode.l10n.t('{0} (required)', label) : vscode.l10n.t('{0} (optional)', label);
}
