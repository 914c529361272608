import * as vscode from 'vscode';
import { tabsOf } from '../tabs';

/** A document that waits for an answer, as far as its editor goes. */
export interface ShownDocument {
  readonly uri: vscode.Uri;
  /** The file beside it that it is shown with, what differs being marked. */
  readonly comparedWith: string | undefined;
}

/** Opens a document with the keyboard, where it is shown already or in the place of the active one. */
export async function showDocument(document: ShownDocument): Promise<void> {
  const key = document.uri.toString();
  const [tab] = tabsOf((uri) => uri.toString() === key);
  await open(document, tab ? { viewColumn: tab.group.viewColumn } : {});
}

/** Opens a document beside what the user works in, where keys go on going. */
export async function showBeside(document: ShownDocument): Promise<void> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  // In the same group the keys of an editor would go to the document that takes its place.
  const viewColumn = activeTab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  await open(document, { viewColumn, preserveFocus: true });
}

async function open(
  { uri, comparedWith }: ShownDocument,
  where: vscode.TextDocumentShowOptions,
): Promise<void> {
  const options = { preview: false, ...where };
  if (comparedWith === undefined) {
    await vscode.window.showTextDocument(uri, options);
    return;
  }
  const other = vscode.Uri.joinPath(uri, '..', comparedWith);
  const title = `${comparedWith} ↔ ${uri.path.slice(1)}`;
  await vscode.commands.executeCommand('vscode.diff', other, uri, title, options);
}
