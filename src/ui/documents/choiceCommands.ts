import * as vscode from 'vscode';
import { Command } from '../ids';
import type { UserAction } from '../questions/question';
import { type PickLook, showPick } from '../rows/picks';

/** Makes the choice that leads from a read-only document back to the question that it belongs to. */
export function backToQuestion(): DocumentChoice {
  return {
    id: 'close',
    title: vscode.l10n.t('Back to the Question'),
    command: Command.backToQuestion,
    leadsBack: true,
  };
}

/** One way to end the editing of a document. */
export interface DocumentChoice {
  readonly id: string;
  /** Shown above the document; may begin with an icon, so it is never a server's text. */
  readonly title: string;
  readonly tooltip?: string;
  /** A command that makes this choice, for the menus of the editor and the Command Palette. */
  readonly command?: string;
  /** The line to show the choice above, 0-based; by default the first line, or the first difference in a comparison. */
  readonly line?: number;
  /** True if the choice brings a question back, which then takes the keyboard. */
  readonly leadsBack?: boolean;
  /** Runs with the text as it is now, instead of ending the editing. */
  readonly act?: (action: UserAction, text: string) => void | Promise<void>;
}

/** Makes a choice of the document at an address, or of the one that is open, as the documents of questions do. */
interface Choosing {
  choose(
    action: UserAction,
    uri: vscode.Uri | undefined,
    isMeant: (choice: DocumentChoice) => boolean,
  ): Promise<void>;
}

/** The commands of choices that several features offer, or whose feature registers no others. */
const shared = [
  Command.trustAndStart,
  Command.backToQuestion,
  Command.useText,
  Command.useArguments,
  Command.runEdited,
  Command.allowEdited,
  Command.sendReviewed,
  Command.returnReviewed,
  Command.useReviewedSkill,
  Command.saveReviewedSkill,
  Command.withdrawApproval,
] as const;

/**
 * Lets the user pick one of the choices that have no command and returns its id; `undefined` if they dismissed the list
 * or took its first row, which is there for an Enter pressed too early.
 */
export async function pickChoice(
  action: UserAction,
  { name }: { readonly name: string },
  choices: readonly DocumentChoice[],
): Promise<string | undefined> {
  const back = {
    label: vscode.l10n.t('Back to the Document'),
    iconPath: new vscode.ThemeIcon('arrow-left'),
  };
  const rows = choices.map(({ id, title, tooltip }) => {
    const [, icon, label = title] = /^\$\(([\w-]+)\) (.*)$/.exec(title) ?? [];
    return {
      id,
      label,
      ...(tooltip && { detail: tooltip }),
      ...(icon && { iconPath: new vscode.ThemeIcon(icon) }),
    };
  });
  const all: readonly (PickLook & { readonly id?: string })[] = [back, ...rows];
  const row = await showPick(action, all, { title: name });
  return row?.id;
}

/**
 * Returns handlers for commands that each make the choice naming them, for the editor's menus and the Command Palette.
 */
export function choiceCommands(
  input: Choosing,
  commands: readonly string[] = shared,
): Record<string, (action: UserAction, uri?: vscode.Uri) => Promise<void>> {
  return Object.fromEntries(
    commands.map((command) => [
      command,
      (action: UserAction, uri?: vscode.Uri) =>
        input.choose(action, uri, (choice) => choice.command === command),
    ]),
  );
}
