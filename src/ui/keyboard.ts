/*
 * The only file that moves the keyboard into an editor, a view, a page or a dialog. Each function takes the permit to do
 * so; without it, what is shown leaves the keyboard where the user has it, and does not take that place.
 */
import * as vscode from 'vscode';
import type { View } from './ids';
import type { KeyboardPermit, UserAction } from './questions/question';

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

/** Returns the address of what a tab shows: of a difference, what it is now. */
export function shownIn({ input }: vscode.Tab): vscode.Uri | undefined {
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

/** The permit to take the keyboard; `undefined` to leave it where it is. */
export type Permit = KeyboardPermit | undefined;

type Options = vscode.TextDocumentShowOptions;

/** What an editor needs to show a document that waits for an answer. */
export interface ShownDocument {
  readonly uri: vscode.Uri;
  /** The name of the file beside it that it is compared with; `undefined` if it is shown alone. */
  readonly comparedWith: string | undefined;
}

/** The built-in editor that shows rendered Markdown. */
export const markdownPreview = 'vscode.markdown.preview.editor';

/** The built-in editors that only show something. */
const viewers: ReadonlySet<string> = new Set([
  markdownPreview,
  'imagePreview.previewEditor',
  'vscode.audioPreview',
  'vscode.videoPreview',
]);

/** Shows a document in a text editor. */
export async function showText(
  shown: vscode.Uri | vscode.TextDocument,
  permit: Permit,
  options: Options = {},
): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(shown as vscode.Uri, await placed(permit, options));
}

/** Shows a file in the editor that fits it, or in the one that is named. */
export async function openFile(
  uri: vscode.Uri,
  permit: Permit,
  { editor, ...options }: Options & { readonly editor?: string } = {},
): Promise<void> {
  const { executeCommand } = vscode.commands;
  const where = await placed(permit, options);
  if (editor === undefined) await executeCommand('vscode.open', uri, where);
  else await executeCommand('vscode.openWith', uri, editor, where);
}

/** Shows how two files differ; without a permit, the keyboard stays where it is. */
export async function showDiff(
  [before, after]: readonly [vscode.Uri, vscode.Uri],
  title: string,
  permit: Permit,
  options: Options = {},
): Promise<void> {
  const where = await placed(permit, options);
  await vscode.commands.executeCommand('vscode.diff', before, after, title, where);
}

/** Shows a document of a question, with the keyboard in the group that shows it already. */
export async function showDocument(
  { uri, comparedWith }: ShownDocument,
  permit: Permit,
): Promise<void> {
  const key = uri.toString();
  const [tab] = permit ? tabsOf((other) => other.toString() === key) : [];
  const options = { preview: false, ...(tab && { viewColumn: tab.group.viewColumn }) };
  if (comparedWith === undefined) {
    await showText(uri, permit, options);
    return;
  }
  const other = vscode.Uri.joinPath(uri, '..', comparedWith);
  await showDiff([other, uri], `${comparedWith} ↔ ${uri.path.slice(1)}`, permit, options);
}

/** Shows a view of ours, expanded; without a permit, the keyboard stays where it is. */
export async function showView(
  view: (typeof View)[keyof typeof View],
  permit: Permit,
): Promise<void> {
  const preserveFocus = permit === undefined;
  await vscode.commands.executeCommand(`${view}.focus`, { preserveFocus });
}

/** Runs a command of the editor that brings something of its own to the front. */
export async function runWithKeyboard(
  _permit: KeyboardPermit,
  command: string,
  ...args: readonly unknown[]
): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

/** Makes a page in a tab. */
export function createPage(
  permit: Permit,
  {
    viewType,
    title,
    viewColumn,
  }: { viewType: string; title: string; viewColumn: vscode.ViewColumn },
  options: vscode.WebviewOptions & vscode.WebviewPanelOptions,
): vscode.WebviewPanel {
  const where = { viewColumn, preserveFocus: permit === undefined };
  return vscode.window.createWebviewPanel(viewType, title, where, options);
}

/** Brings a page to the front. */
export function revealPage(panel: vscode.WebviewPanel, permit: Permit): void {
  panel.reveal(undefined, permit === undefined);
}

/** Makes a box to type into that the user has just asked for; it is not shown. */
export function createBox(_action: UserAction): vscode.InputBox {
  return vscode.window.createInputBox();
}

/** Lets the user choose where a file is saved; `undefined` if they dismissed the dialog. */
export async function askSaveAs(
  _permit: KeyboardPermit,
  options: vscode.SaveDialogOptions,
): Promise<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog(options);
}

/** Lets the user choose a file or a folder; `undefined` if they dismissed the dialog. */
export async function askFile(
  _action: UserAction,
  options: vscode.OpenDialogOptions,
): Promise<vscode.Uri | undefined> {
  const [chosen] = (await vscode.window.showOpenDialog({ ...options, canSelectMany: false })) ?? [];
  return chosen;
}

/** Returns the only folder of the workspace, or the one that the user picks; `undefined` if there is none. */
export async function askWorkspaceFolder(
  _action: UserAction,
): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0];
  return vscode.window.showWorkspaceFolderPick({ ignoreFocusOut: true });
}

async function placed(permit: Permit, options: Options): Promise<vscode.TextDocumentShowOptions> {
  return permit ? options : { ...options, ...(await besideWork()) };
}

/** Returns where to show something that leaves the keyboard alone. */
export async function besideWork(): Promise<vscode.TextDocumentShowOptions> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  // In the same group, the document would take the editor's place and receive its keys.
  const viewColumn =
    activeTab && (await takesText(activeTab)) ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return { viewColumn, preserveFocus: true };
}

/** False if a tab is only read: rendered Markdown, something that is only viewed (such as an image), or a read-only text. */
async function takesText({ input }: vscode.Tab): Promise<boolean> {
  if (input instanceof vscode.TabInputText) {
    // A document that was never saved has no file, but can be typed into.
    const stat = await vscode.workspace.fs.stat(input.uri).then(undefined, () => undefined);
    return ((stat?.permissions ?? 0) & vscode.FilePermission.Readonly) === 0;
  }
  // Any other page, such as an app's, may have fields to type into.
  if (input instanceof vscode.TabInputWebview) return !/\bmarkdown\.preview$/.test(input.viewType);
  return !(input instanceof vscode.TabInputCustom && viewers.has(input.viewType));
}
