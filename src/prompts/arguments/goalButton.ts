import * as vscode from 'vscode';
import type { QuestionContext } from '../../ui/questions/question';
import type { PickLook } from '../../ui/rows/picks';
import { pickRow } from '../../ui/steps/pickRows';
import type { TextSource } from '../../ui/steps/textStep';
import { actionText } from '../preview/actionTexts';
import { promptActions, type PromptAction } from '../promptAction';

/** Where the messages of a prompt go; the user may change it along the way. */
export interface Goal {
  action: PromptAction;
}

/** Returns a row for each action that the user can choose for messages; the current one is marked. */
export function goalRows(current: PromptAction): (PickLook & { readonly action: PromptAction })[] {
  return promptActions
    .filter((action) => action !== 'return')
    .map((action) => {
      const { label, icon } = actionText(action);
      return {
        label,
        iconPath: new vscode.ThemeIcon(icon),
        ...(action === current && { description: vscode.l10n.t('current') }),
        action,
      };
    });
}

/** Makes a button, shown with the last arguments, that changes where the messages go in this run and later ones. */
export function goalButton(goal: Goal, context: QuestionContext): TextSource {
  const title = vscode.l10n.t('Where the Messages Go');
  return {
    icon: new vscode.ThemeIcon('arrow-swap'),
    label: vscode.l10n.t('Change Where the Messages Go…'),
    async read() {
      const frame = { title, actions: [], context };
      const row = await pickRow({ frame, items: goalRows(goal.action) });
      if (row) goal.action = row.action;
      return undefined;
    },
  };
}

/** Returns the note at the last argument that says where the messages go. */
export function goalNote({ action }: Goal): string {
  return vscode.l10n.t('Then: {0}', actionText(action).label);
}
