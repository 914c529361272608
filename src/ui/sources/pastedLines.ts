import * as vscode from 'vscode';
import { trimEnd } from '../../base/text/text';
import { within } from '../../base/async';
import { withProgress } from '../messages';

/** The wait is shown after this time, which is longer than reading takes if it is allowed. */
const shownAfterMs = 500;

/** True if reading the clipboard may make a browser, or the editor in it, ask the user for permission. */
function mayAskForClipboard(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}

/**
 * Reads the clipboard; if a browser refuses that, the editor waits for the user, perhaps forever: the wait is shown,
 * and `undefined` is returned if the user cancels it.
 */
export async function readClipboard(): Promise<string | undefined> {
  const reading = Promise.resolve(vscode.env.clipboard.readText());
  const settled = reading.then(
    () => true,
    () => true,
  );
  if (await within(settled, shownAfterMs)) return reading;
  return withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Waiting for access to the clipboard…'),
      cancellable: true,
    },
    (_progress, token) => {
      const cancelled = new Promise<undefined>((resolve) => {
        token.onCancellationRequested(() => resolve(undefined));
      });
      return Promise.race([reading, cancelled]);
    },
  );
}

/**
 * The longest text that may be one word, in UTF-16 units: an input method, or a phone, may enter a whole word at once.
 */
const longestWord = 30;

/**
 * True if what is in a box now may have been pasted there; with `mayAsk`, when reading the clipboard may disturb the
 * user, only if it can hardly have been entered in another way.
 */
export function mayBePasted(before: string, after: string, mayAsk: boolean): boolean {
  const grown = newPart(before, after);
  if (!mayAsk) return grown.length > 1;
  return grown.length > longestWord || /\S\s+\S/.test(grown);
}

/** Returns what `after` has between the beginning and the end that both texts share. */
function newPart(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const most = Math.min(before.length, after.length) - start;
  let end = 0;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.slice(start, after.length - end);
}

/**
 * Returns the text that was meant when a text with line breaks was pasted into a one-line box, which replaces them with
 * spaces or drops them, and drops the last ones anyway; `undefined` if `value` does not contain such a clipboard.
 */
export function withLineBreaks(value: string, clipboard: string): string | undefined {
  // A line that was copied as a whole ends with a line break that nobody means.
  if (!/[\r\n]/.test(clipboard.trimEnd())) return undefined;
  for (const text of [clipboard, trimEnd(clipboard, /[\r\n]/)])
    for (const replacement of [' ', '']) {
      const flat = text.replaceAll(/\r\n|\r|\n/g, replacement);
      const at = value.indexOf(flat);
      if (flat && at >= 0) return value.slice(0, at) + text + value.slice(at + flat.length);
    }
  return undefined;
}

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
