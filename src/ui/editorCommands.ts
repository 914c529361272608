/* The only file that calls undocumented commands of the editor, other than those of its chat. */
import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import type { WebAddress } from '../mcp/http/webAddress';
import { extensionId, walkthroughId } from './ids';
import { markdownPreview, openFile, runWithKeyboard, showText, type Permit } from './keyboard';
import type { KeyboardPermit } from './questions/question';

/** The command that shows the editor's own list of ways to open a desktop or remote window. */
export const remoteMenuCommand = 'workbench.action.remote.showMenu';

/** The command that shows whether the workspace is trusted, and lets the user change that. */
export const manageWorkspaceTrustCommand = 'workbench.trust.manage';

/** The command that wraps long lines of the active editor, or no longer does. */
export const wordWrapCommand = 'editor.action.toggleWordWrap';

/** Resolves when the editor has done everything that it was told before: it does one thing after another. */
export async function untilEditorCaughtUp(): Promise<void> {
  await vscode.commands.executeCommand('noop');
}

/** Calls `then` once the editor has done that, or if it cannot tell. */
export function whenEditorCaughtUp(then: () => void): void {
  void untilEditorCaughtUp().then(then, then);
}

/** Keeps the active tab open if the next one would take its place. */
export async function keepTab(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.keepEditor');
}

/** Returns the text selected in the active terminal; it goes through the clipboard, whose text is restored. */
export async function readTerminalSelection(): Promise<string> {
  const before = await vscode.env.clipboard.readText();
  await vscode.env.clipboard.writeText('');
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await vscode.env.clipboard.readText();
  } finally {
    await vscode.env.clipboard.writeText(before);
  }
}

/**
 * Does what a key would do that is pressed inside a frame of a page, where the editor does not see it. F6 leads to the
 * status bar, and on from there: the editor's own command may lead from a page back to the same page.
 */
export async function passKey(key: string, permit: KeyboardPermit): Promise<void> {
  if (key === 'F6') await runWithKeyboard(permit, 'workbench.action.focusStatusBar');
  if (key === 'F1') await runWithKeyboard(permit, 'workbench.action.showCommands');
}

/** Opens the developer tools of webviews; throws a `UserError` if the editor has none of its own. */
export async function openWebviewTools(permit: KeyboardPermit): Promise<void> {
  const command = 'workbench.action.webview.openDeveloperTools';
  if (!(await vscode.commands.getCommands(true)).includes(command))
    throw new UserError(
      vscode.l10n.t('This editor runs in a browser: use the developer tools of the browser.'),
    );
  await runWithKeyboard(permit, command);
}

/** Installs a package (VSIX) for this profile only; rejects if the editor does not allow it. */
export async function installExtension(file: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('workbench.extensions.installExtension', file, {
    donotSync: true,
  });
}

/** Uninstalls an extension without asking. */
export async function uninstallExtension(id: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.extensions.uninstallExtension', id);
}

/** Lets the user pick the editor to open a file in; opens nothing if they dismissed the list. */
export async function pickEditor(uri: vscode.Uri, permit: KeyboardPermit): Promise<void> {
  await runWithKeyboard(permit, 'explorer.openWith', uri);
}

/** Shows a Markdown document as the editor renders it, or its text if there is no preview. */
export async function showMarkdownPreview(uri: vscode.Uri, permit: Permit): Promise<void> {
  // As an editor of the document: the tab of a preview beside it does not say what it belongs to, and outlives it.
  if (vscode.extensions.getExtension('vscode.markdown-language-features'))
    await openFile(uri, permit, { editor: markdownPreview, preview: true });
  else await showText(uri, permit, { preview: true });
}

/**
 * Opens the address of a page, which was read to be shown, in the browser exactly as it is written, as a `Uri` would undo
 * its escapes; false if the user did not let the editor do it. Rejects for any other address: what opens that may be a
 * program.
 */
export async function openAddress({ href }: WebAddress): Promise<boolean> {
  if (!/^https?:$/.test(new URL(href).protocol)) throw new Error('This is no address of a page.');
  return await vscode.env.openExternal(href as unknown as vscode.Uri);
}

/** Shows a folder of the workspace in the editor's Explorer. */
export async function revealInExplorer(folder: vscode.Uri, permit: KeyboardPermit): Promise<void> {
  await runWithKeyboard(permit, 'revealInExplorer', folder);
}

/** Opens the walkthrough of this extension. */
export async function openWalkthrough(permit: KeyboardPermit): Promise<void> {
  const id = `${extensionId}#${walkthroughId}`;
  const open = () => runWithKeyboard(permit, 'workbench.action.openWalkthrough', id);
  await open();
  // In a new profile, VS Code 1.110 shows one of its own at first, because it has not yet read those of extensions.
  await untilEditorCaughtUp();
  await open();
}
