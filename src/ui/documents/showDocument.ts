import * as vscode from 'vscode';
import { viewers } from '../editorCommands';
import { tabsOf } from '../tabs';

/** What an editor needs to show a document that waits for an answer. */
export interface ShownDocument {
  readonly uri: vscode.Uri;
  /** The name of the file beside it that it is compared with; `undefined` if it is shown alone. */
  readonly comparedWith: string | undefined;
}

/** Opens a document with the keyboard, in the group that shows it already or else in the active one. */
export async function showDocument(document: ShownDocument): Promise<void> {
  const key = document.uri.toString();
  const [tab] = tabsOf((uri) => uri.toString() === key);
  await open(document, tab ? { viewColumn: tab.group.viewColumn } : {});
}

/** Opens a document beside what the user is working in, without taking the keyboard. */
export async function showBeside(document: ShownDocument): Promise<void> {
  await open(document, await besideWork());
}

/** Returns where to show a document that leaves the keyboard alone. */
export async function besideWork(): Promise<vscode.TextDocumentShowOptions> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  // In the same group, the document would take the editor's place and receive its keys.
  const viewColumn =
    activeTab && (await takesText(activeTab)) ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return { viewColumn, preserveFocus: true };
}

/** False if a tab is only read: a page, something that is only viewed (such as an image), or a read-only text. */
async function takesText({ input }: vscode.Tab): Promise<boolean> {
  if (input instanceof vscode.TabInputText) {
    // A document that was never saved has no file, but can be typed into.
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
