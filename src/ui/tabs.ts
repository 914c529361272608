import * as vscode from 'vscode';

/** Returns the tabs (by default of all) that show an accepted document in a text editor, a custom editor or a diff. */
export function tabsOf(
  accept: (uri: vscode.Uri, tab: vscode.Tab) => boolean,
  tabs: readonly vscode.Tab[] = vscode.window.tabGroups.all.flatMap((group) => group.tabs),
): readonly vscode.Tab[] {
  return tabs.filter((tab) => {
    const uri = shownIn(tab);
    return uri !== undefined && accept(uri, tab);
  });
}

/**
 * Closes the tabs that {@link tabsOf} returns; unless `preserveFocus` is set, what comes to the front gets the
 * keyboard.
 */
export async function closeTabs(
  accept: (uri: vscode.Uri, tab: vscode.Tab) => boolean,
  { preserveFocus = false } = {},
): Promise<void> {
  const tabs = tabsOf(accept);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, preserveFocus);
}

function shownIn({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)
    return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** Selects a piece of a text of which a visible document has all, `before` UTF-16 units after its start. */
export function selectIn(
  document: vscode.TextDocument,
  { offset, length }: { readonly offset: number; readonly length: number },
  before: number,
): void {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (!editor) return;
  const start = document.positionAt(before + offset);
  editor.selection = new vscode.Selection(start, document.positionAt(before + offset + length));
  editor.revealRange(editor.selection);
}
