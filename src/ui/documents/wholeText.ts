import * as vscode from 'vscode';
import { documentText } from '../../base/text/text';
import { backToQuestion } from './choiceCommands';
import type { DocumentInput } from './documentInput';
import { fitsPromptLine } from '../steps/promptLine';
import { frameOf, type StepFrame } from '../steps/stepFrame';
import type { Permit } from '../keyboard';
import type { UserAction } from '../questions/question';

/** A text to be read in an editor; `name` is the name of the tab, with an extension. */
export interface WholeText {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns a function that shows a text in an editor until the user closes it; `signal` closes it with the question that
 * it belongs to. `make` makes the text, which may be long, once somebody asks for it.
 */
export function createReader(
  name: string,
  make: () => string,
  signal: AbortSignal,
  input: DocumentInput,
): (permit: Permit) => Promise<void> {
  let shown = new AbortController();
  return async (permit) => {
    // When the user asks for it again, it comes to the front.
    shown.abort();
    shown = new AbortController();
    await input.ask({
      name,
      text: make(),
      readOnly: true,
      choices: [backToQuestion()],
      permit,
      signal: AbortSignal.any([signal, shown.signal]),
    });
  };
}

/** Returns the parts of a frame that lead from a shortened text to the full one. */
export function readingParts(
  read: (action: UserAction) => Promise<void>,
): Required<Pick<StepFrame, 'more' | 'actions'>> {
  const label = vscode.l10n.t('Show in Editor');
  return {
    more: vscode.l10n.t('(cut: “{0}” has all of it)', label),
    actions: [{ icon: new vscode.ThemeIcon('book'), label, run: read, inEditor: true }],
  };
}

/** Asks a step that shows a server's text below its box, with a way to read all of it if there is no room for it. */
export async function askWithReader<T>(
  title: string | StepFrame,
  { name, text }: WholeText,
  input: DocumentInput,
  ask: (title: string | StepFrame) => Promise<T>,
): Promise<T> {
  const frame = frameOf(title);
  if (frame.more !== undefined || fitsPromptLine(text)) return ask(frame);
  const ended = new AbortController();
  const read = createReader(name, () => documentText(text), ended.signal, input);
  try {
    const { more, actions } = readingParts(read);
    // What the frame says may change while the step is shown.
    return await ask({
      ...frame,
      more,
      get title() {
        return frame.title;
      },
      get actions() {
        return [...frame.actions, ...actions];
      },
    });
  } finally {
    ended.abort();
  }
}
