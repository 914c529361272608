import * as vscode from 'vscode';

/** The tabs that show a document, its custom editors included. */
export function tabsOf(accept: (uri: vscode.Uri) => boolean): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      const uri = inputUri(input);
      return uri !== undefined && accept(uri);
    });
}

/** Closes every tab of a document. */
export async function closeTabs(accept: (uri: vscode.Uri) => boolean): Promise<void> {
  const tabs = tabsOf(accept);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs);
}

function inputUri(input: unknown): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
