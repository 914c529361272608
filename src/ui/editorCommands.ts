/* The only file that calls commands of the editor that are not documented. */
import * as vscode from 'vscode';
import { UserError } from '../base/errors';

const openChatCommand = 'workbench.action.chat.open';

/** What the chat view shall show: a message, sent or left as a draft, with files attached. */
export interface ChatOpening {
  readonly query: string;
  readonly submit: boolean;
  readonly attachFiles?: readonly vscode.Uri[];
}

/** Opens the chat view; throws a `UserError` where the editor has none, the text then in the clipboard. */
export async function openChat({ query, submit, attachFiles }: ChatOpening): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes(openChatCommand)) {
    await vscode.env.clipboard.writeText(query);
    throw new UserError(
      vscode.l10n.t('This editor has no chat view. The message is in the clipboard instead.'),
    );
  }
  await vscode.commands.executeCommand(openChatCommand, {
    query,
    isPartialQuery: !submit,
    ...(attachFiles && { attachFiles: [...attachFiles] }),
  });
}

/** Attaches files to the message being written in the chat; throws a `UserError` where there is none. */
export async function attachToChat(files: readonly vscode.Uri[]): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes(openChatCommand))
    throw new UserError(vscode.l10n.t('This editor has no chat view to attach to.'));
  await vscode.commands.executeCommand(openChatCommand, { attachFiles: [...files] });
}
