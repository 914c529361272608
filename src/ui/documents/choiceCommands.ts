import * as vscode from 'vscode';
import { Command } from '../ids';
import type { UserAction } from '../questions/stage';
import { showPick, type PickLook } from '../rows/picks';
import type { DocumentChoice, DocumentInput, DocumentQuestion } from './documentInput';

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
  { name }: Pick<DocumentQuestion, 'name'>,
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
  input: Pick<DocumentInput, 'choose'>,
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
