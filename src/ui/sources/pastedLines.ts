import * as vscode from 'vscode';
import { mayAskForClipboard } from './clipboard';
import { mayBePasted, withLineBreaks } from './pastedText';

/** Knows what was pasted into a one-line box, which flattens a text with line breaks. */
export interface PastedLines {
  /** Is told what was put into the box by others than the user. */
  put(value: string): void;
  /** The text that was meant, after a change of the box to `value`; undefined where that is what stands there. */
  meant(value: string): Promise<string | undefined>;
}

/** Makes the {@link PastedLines} of an empty box. */
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
