import * as vscode from 'vscode';
import { formatBytes } from '../../base/text/text';
import type { SuggestedValues } from './suggestions';
import {
  describeText,
  fitsBox,
  maxSuggestions,
  textChoices,
  type TextChoice,
  type TextStepState,
} from '../sources/textChoices';
import type { PickLook } from '../rows/picks';

/** A line of a text step; separators have no choice. */
export type ChoiceItem = PickLook & { readonly choice?: TextChoice };

/** Returns the lines of a text step, with the number of suggestions above the first of them. */
export function choiceItems(state: TextStepState): readonly ChoiceItem[] {
  const choices = textChoices(state);
  const items = choices.map((choice) => choiceItem(choice, state));
  const first = choices.findIndex(({ kind }) => kind === 'suggested');
  if (first >= 0) {
    const kind = vscode.QuickPickItemKind.Separator;
    items.splice(first, 0, { label: countLabel(choices.length - first, state.suggested), kind });
  }
  return items;
}

function choiceItem(choice: TextChoice, { put, last, rest = '' }: TextStepState): ChoiceItem {
  const { kind, value } = choice;
  if (kind === 'rest')
    return { label: rest, iconPath: new vscode.ThemeIcon('run-all'), alwaysShow: true, choice };
  if (value === undefined) {
    const label = kind === 'skip' ? vscode.l10n.t('Skip') : vscode.l10n.t('Enter a value');
    const iconPath = new vscode.ThemeIcon(kind === 'skip' ? 'circle-slash' : 'edit');
    return { label, iconPath, alwaysShow: true, choice };
  }
  const { label, lines, bytes } = describeText(value);
  const notes = [
    ...(kind === 'typed' && value !== put ? [vscode.l10n.t('as typed')] : []),
    ...(kind === 'last' || (value === put && value === last) ? [vscode.l10n.t('last time')] : []),
    ...(fitsBox(value) ? [] : [vscode.l10n.t('{0} lines, {1}', lines, formatBytes(bytes))]),
  ];
  const edit: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: vscode.l10n.t('Use as Value'),
  };
  return {
    label,
    description: notes.join(' · '),
    alwaysShow: true,
    choice,
    ...(kind !== 'typed' && fitsBox(value) && { buttons: [edit] }),
  };
}

function countLabel(shown: number, { values, total: told, hasMore }: SuggestedValues): string {
  const total = values.length > maxSuggestions ? Math.max(values.length, told ?? 0) : told;
  if (total !== undefined && total > shown)
    return vscode.l10n.t('{0} of {1} suggestions', shown, total);
  return hasMore
    ? vscode.l10n.t('first {0} suggestions; there are more', shown)
    : vscode.l10n.t('suggestions');
}
