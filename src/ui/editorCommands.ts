/* The only file that calls commands of the editor that are not documented. */
import * as vscode from 'vscode';
import { UserError } from '../base/errors';

const openChatCommand = 'workbench.action.chat.open';

/** What the chat view shall show: a message, sent or left as a draft, with files attached. */
export interface ChatOpening {
  readonly query: string;
  readonly submit: boolean;
  readonly attachFiles?: readonly vscode.Uri[];
  /** What was said before, which only the editor's own chat agent gets to see. */
  readonly previousRequests?: readonly { readonly request: string; readonly response: string }[];
}

/** True when the editor has a chat view. */
export async function hasChat(): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes(openChatCommand);
}

/** Opens the chat view; throws a `UserError` where the editor has none, the text then in the clipboard. */
export async function openChat(opening: ChatOpening): Promise<void> {
  const { query, submit, attachFiles, previousRequests } = opening;
  if (!(await hasChat())) {
    await vscode.env.clipboard.writeText(query);
    throw new UserError(
      vscode.l10n.t('This editor has no chat view. The message is in the clipboard instead.'),
    );
  }
  await vscode.commands.executeCommand(openChatCommand, {
    query,
    isPartialQuery: !submit,
    ...(attachFiles && { attachFiles: [...attachFiles] }),
    ...(previousRequests && { previousRequests: [...previousRequests] }),
  });
}

/** Attaches files to the message being written in the chat; throws a `UserError` where there is none. */
export async function attachToChat(files: readonly vscode.Uri[]): Promise<void> {
  if (!(await hasChat()))
    throw new UserError(vscode.l10n.t('This editor has no chat view to attach to.'));
  await vscode.commands.executeCommand(openChatCommand, { attachFiles: [...files] });
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

/** Opens a file as text and lets the person pick the editor that shows it. */
export async function reopenWith(uri: vscode.Uri): Promise<void> {
  await openText(uri);
  await vscode.commands.executeCommand('workbench.action.reopenWithEditor');
}

/** Shows a Markdown document as the editor renders it, or its text where there is no preview. */
export async function showMarkdownPreview(uri: vscode.Uri): Promise<void> {
  // Its commands are not listed before it is first used.
  if (vscode.extensions.getExtension('vscode.markdown-language-features'))
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  else await vscode.window.showTextDocument(uri, { preview: true });
}

/**
 * Opens an address in the browser exactly as it is written; a `Uri` would have its escapes undone. False
 * when the person did not let the editor do it.
 */
export async function openAddress(href: string): Promise<boolean> {
  return await vscode.env.openExternal(href as unknown as vscode.Uri);
}
