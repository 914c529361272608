// Shared by tests inside the extension host; only those may import it.
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import { poll } from '../poll';

/**
 * Types into the filter box of a list, such as `Traffic`, and dismisses it; resolves with what was in the box at first.
 */
export async function typeFilter(
  list: string,
  text: string,
  leave: (box: vscode.InputBox) => unknown = () => undefined,
): Promise<string> {
  const { createInputBox } = vscode.window;
  const typed = new Emitter<string>();
  let shown: vscode.InputBox | undefined;
  vscode.window.createInputBox = () => {
    shown = createInputBox();
    // The editor reports only what a user typed.
    return Object.assign(shown, { onDidChangeValue: typed.event });
  };
  try {
    const gone = vscode.commands.executeCommand(`mcpWorkbench.filter${list}`);
    const box = await poll('the box', 20_000, () => Promise.resolve(shown));
    typed.fire(text);
    await leave(box);
    let isGone = false;
    const going = gone.then(() => (isGone = true));
    // A box that has only just appeared is shown once more.
    await poll('the end of the box', 20_000, () => {
      if (!isGone) box.hide();
      return Promise.resolve(isGone || undefined);
    });
    await going;
    return box.value;
  } finally {
    vscode.window.createInputBox = createInputBox;
  }
}
