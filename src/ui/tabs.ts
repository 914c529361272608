import * as vscode from 'vscode';

/** The tabs that show a document, in a text editor or a custom one. */
export function tabsOf(
  accept: (uri: vscode.Uri, tab: vscode.Tab) => boolean,
): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => {
      const { input } = tab;
      return (
        (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) &&
        accept(input.uri, tab)
      );
    });
}

/** Closes the tabs that {@link tabsOf} gives. */
export async function closeTabs(
  accept: (uri: vscode.Uri, tab: vscode.Tab) => boolean,
): Promise<void> {
  const tabs = tabsOf(accept);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}
