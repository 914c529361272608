import * as vscode from 'vscode';
import { viewers } from '../editorCommands';
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
  await open(document, await besideWork());
}

/** Where a document comes up that leaves the keyboard alone. */
export async function besideWork(): Promise<vscode.TextDocumentShowOptions> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  // In the same group the keys of an editor would go to the document that takes its place.
  const viewColumn =
    activeTab && (await takesText(activeTab)) ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return { viewColumn, preserveFocus: true };
}

/** False for what is only read: pages, what the editor only shows, such as images, and texts that nobody can change. */
async function takesText({ input }: vscode.Tab): Promise<boolean> {
  if (input instanceof vscode.TabInputText) {
    // What was never saved has no file, and is written in.
    const stat = await vscode.workspace.fs.stat(input.uri).then(undefined, () => undefined);
    return ((stat?.permissions ?? 0) & vscode.FilePermission.Readonly) === 0;
  }
  if (input instanceof vscode.TabInputWebview) return false;
  return !(input instanceof vscode.TabInputCustom && viewers.has(input.viewType));
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
