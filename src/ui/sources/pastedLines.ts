import * as vscode from 'vscode';
import { mayAskForClipboard } from './clipboard';
import { mayBePasted, withLineBreaks } from './pastedText';

/** A detector of text pasted into a one-line box, which flattens line breaks. */
export interface PastedLines {
  /** Notes what somebody other than the user put into the box. */
  put(value: string): void;
  /** Returns the text that was meant when the box changed to `value`; `undefined` if that is `value` itself. */
  meant(value: string): Promise<string | undefined>;
}

/** Makes the {@link PastedLines} for an empty box. */
export function createPastedLines(): PastedLines {
  let shown = '';
  return {
    put: (value) => {
      shown = value;
    },
    meant: async (value) => {
      const before = shown;
      shown = value;
      if (!mayBePasted(before, value, mayAskForClipboard())) return undefined;
      return withLineBreaks(value, await vscode.env.clipboard.readText());
    },
  };
}
