import * as vscode from 'vscode';
import { Command } from '../../ui/ids';
import { type PromptAction, promptActions } from '../promptEntry';

/** Returns the commands that make a choice above a preview. */
export function previewCommands(): readonly string[] {
  return [
    ...promptActions.flatMap((action) => actionText(action).command ?? []),
    Command.editPromptArguments,
  ];
}

/** The texts of a choice above a preview, and the command that makes it. */
export interface ActionText {
  readonly label: string;
  readonly icon: string;
  readonly tooltip?: string;
  readonly command?: string;
}

/** Returns the texts of an action for all buttons and rows; `folds` says that several messages may become one. */
export function actionText(action: PromptAction, folds = true): ActionText {
  const { t } = vscode.l10n;
  switch (action) {
    case 'chat':
      return { label: t('Send to @mcp'), icon: 'send', command: Command.promptToChat };
    case 'chatWithLinks':
      return {
        label: t('Send to @mcp with Linked Resources'),
        icon: 'send',
        tooltip: t('Read the linked resources and include them'),
        command: Command.promptToChatWithLinks,
      };
    case 'message':
      return {
        label: t('Send to the Agent as One Message'),
        icon: 'send',
        tooltip: folds
          ? t(
              'For a chat without @mcp: all messages in one, each with its role above it, and images and files attached',
            )
          : t('For a chat without @mcp: the message, and images and files attached'),
        command: Command.promptAsMessage,
      };
    case 'draft':
      return {
        label: t('Open in Chat as Draft'),
        icon: 'edit',
        ...(folds && {
          tooltip: t(
            'Only agents of local sessions are told of earlier turns. Elsewhere, use Send to the Agent as One Message',
          ),
        }),
        command: Command.promptToDraft,
      };
    case 'insert':
      return { label: t('Insert at Cursor'), icon: 'insert', command: Command.promptToCursor };
    case 'copy':
      return {
        label: t('Copy'),
        icon: 'copy',
        tooltip: t('Copy the messages as text'),
        command: Command.promptToClipboard,
      };
    case 'return':
      return { label: t('Use This Text'), icon: 'check' };
    case 'save':
      return { label: t('Save as Markdown'), icon: 'save', command: Command.promptToFile };
  }
}
