/* The only file that calls commands of the editor that are not documented, but for those of its chat. */
import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { extensionId, walkthroughId } from './ids';

/** Shows the editor's own list of ways to a desktop or remote window. */
export const remoteMenuCommand = 'workbench.action.remote.showMenu';

/** Shows whether the workspace is trusted, and lets the user change it. */
export const manageWorkspaceTrustCommand = 'workbench.trust.manage';

/** Resolves when the editor has done all that it was told before: it does one thing after the other. */
export async function untilEditorCaughtUp(): Promise<void> {
  await vscode.commands.executeCommand('noop');
}

/** Calls back when the editor has done that, or cannot say. */
export function whenEditorCaughtUp(then: () => void): void {
  void untilEditorCaughtUp().then(then, then);
}

/** Keeps the active tab where the next one would take its place. */
export async function keepTab(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.keepEditor');
}

/** The text selected in the active terminal; the clipboard, through which it travels, is put back. */
export async function readTerminalSelection(): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText('');
  await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
  const selected = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText(before);
  return selected;
}

/**
 * Does what a key does that the editor does not see, in a frame of a page. F6 leads to the status bar and on
 * from there: the editor's own command may lead from a page to the same page.
 */
export async function passKey(key: string): Promise<void> {
  if (key === 'F6') await vscode.commands.executeCommand('workbench.action.focusStatusBar');
  if (key === 'F1') await vscode.commands.executeCommand('workbench.action.showCommands');
}

/** Opens the developer tools of webviews; throws a `UserError` where the editor has none of its own. */
export async function openWebviewTools(): Promise<void> {
  const command = 'workbench.action.webview.openDeveloperTools';
  if (!(await vscode.commands.getCommands(true)).includes(command))
    throw new UserError(
      vscode.l10n.t('This editor runs in a browser: use the developer tools of the browser.'),
    );
  await vscode.commands.executeCommand(command);
}

/** Installs a package (VSIX) for this profile only; rejects where the editor does not allow it. */
export async function installExtension(file: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('workbench.extensions.installExtension', file, {
    donotSync: true,
  });
}

/** Uninstalls an extension without a question. */
export async function uninstallExtension(id: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.extensions.uninstallExtension', id);
}

/** Opens a file in the text editor, whatever other editor is meant for it. */
export async function openText(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'default', options);
}

/** Lets the user pick the editor that a file is opened in; nothing is opened where they leave. */
export async function pickEditor(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('explorer.openWith', uri);
}

/** The editor's own editor that shows Markdown as it is rendered. */
export const markdownPreview = 'vscode.markdown.preview.editor';

/** The editor's own editors that only show something. */
export const viewers: ReadonlySet<string> = new Set([
  markdownPreview,
  'imagePreview.previewEditor',
  'vscode.audioPreview',
  'vscode.videoPreview',
]);

/** Shows a Markdown document as the editor renders it, or its text where there is no preview. */
export async function showMarkdownPreview(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  // As an editor of the document: the tab of a preview beside it does not say whose it is, and outlives the document.
  if (vscode.extensions.getExtension('vscode.markdown-language-features'))
    await vscode.commands.executeCommand('vscode.openWith', uri, markdownPreview, {
      preview: true,
      ...options,
    });
  else await vscode.window.showTextDocument(uri, { preview: true, ...options });
}

/**
 * Opens an address in the browser exactly as it is written; a `Uri` would have its escapes undone. False
 * when the user did not let the editor do it.
 */
export async function openAddress(href: string): Promise<boolean> {
  return await vscode.env.openExternal(href as unknown as vscode.Uri);
}

/** Shows a folder of the workspace in the editor's Explorer. */
export async function revealInExplorer(folder: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('revealInExplorer', folder);
}

/** Opens the walkthrough of this extension. */
export async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `${extensionId}#${walkthroughId}`,
  );
}
