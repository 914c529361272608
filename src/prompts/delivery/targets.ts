import * as vscode from 'vscode';
import type { Translate } from '../../base/translate';
import { Command } from '../../ui/ids';

/** What is known about a target, whose texts stand on all buttons and rows for it. */
interface TargetTraits {
  readonly label: (t: Translate) => string;
  readonly icon: string;
  /** `folds` says that several messages may become one. */
  readonly tooltip?: (t: Translate, folds: boolean) => string | undefined;
  /** The command that chooses the target above a preview. */
  readonly command?: string;
  /** Whether it takes the keyboard from where the user has it, and so needs a permit. */
  readonly movesKeyboard: boolean;
}

/** The places where the messages of a prompt can go, the usual one first. */
const traits = {
  chat: {
    label: (t) => t('Send to @mcp'),
    icon: 'send',
    command: Command.promptToChat,
    movesKeyboard: true,
  },
  /** The chat with the linked resources included. */
  chatWithLinks: {
    label: (t) => t('Send to @mcp with Linked Resources'),
    icon: 'send',
    tooltip: (t) => t('Read the linked resources and include them'),
    command: Command.promptToChatWithLinks,
    movesKeyboard: true,
  },
  /** One message for whichever chat is open. */
  message: {
    label: (t) => t('Send to the Agent as One Message'),
    icon: 'send',
    tooltip: (t, folds) =>
      folds
        ? t(
            'For a chat without @mcp: all messages in one, each with its role above it, and images and files attached',
          )
        : t('For a chat without @mcp: the message, and images and files attached'),
    command: Command.promptAsMessage,
    movesKeyboard: true,
  },
  draft: {
    label: (t) => t('Open in Chat as Draft'),
    icon: 'edit',
    tooltip: (t, folds) =>
      folds
        ? t(
            'Only agents of local sessions are told of earlier turns. Elsewhere, use Send to the Agent as One Message',
          )
        : undefined,
    command: Command.promptToDraft,
    movesKeyboard: true,
  },
  insert: {
    label: (t) => t('Insert at Cursor'),
    icon: 'insert',
    command: Command.promptToCursor,
    movesKeyboard: false,
  },
  copy: {
    label: (t) => t('Copy'),
    icon: 'copy',
    tooltip: (t) => t('Copy the messages as text'),
    command: Command.promptToClipboard,
    movesKeyboard: false,
  },
  save: {
    label: (t) => t('Save as Markdown'),
    icon: 'save',
    command: Command.promptToFile,
    movesKeyboard: true,
  },
  /** Only returns them to the caller of the command, such as an input of a task. */
  return: { label: (t) => t('Use This Text'), icon: 'check', movesKeyboard: false },
} as const satisfies Readonly<Record<string, TargetTraits>>;

/** Where the messages of a prompt go. */
export type DeliveryTarget = keyof typeof traits;

/** Every target, the usual one first. */
export const deliveryTargets = Object.keys(traits) as readonly DeliveryTarget[];

/** The texts of a target, and the command that chooses it above a preview. */
interface TargetText {
  readonly label: string;
  readonly icon: string;
  readonly tooltip?: string;
  readonly command?: string;
}

/** Returns the texts of a target for all buttons and rows; `folds` says that several messages may become one. */
export function targetText(target: DeliveryTarget, folds = true): TargetText {
  const { t } = vscode.l10n;
  const { label, icon, tooltip, command }: TargetTraits = traits[target];
  const hint = tooltip?.(t, folds);
  return {
    label: label(t),
    icon,
    ...(hint !== undefined && { tooltip: hint }),
    ...(command !== undefined && { command }),
  };
}

/** Whether a target takes the keyboard from where the user has it, and so needs a permit. */
export function movesKeyboard(target: DeliveryTarget): boolean {
  return traits[target].movesKeyboard;
}

/** Returns the commands that make a choice above a preview. */
export function previewCommands(): readonly string[] {
  const rows: readonly TargetTraits[] = Object.values(traits);
  return [...rows.flatMap(({ command }) => command ?? []), Command.editPromptArguments];
}
