import * as vscode from 'vscode';
import type { LeftOut } from '../steps/multiStep';

/** What leaves out the next steps is called so where what is given runs then; `isFilledIn` says of a step whether its value was given. */
export function restLabel(
  { isToEnd, unseen }: LeftOut,
  isFilledIn: (key: string) => boolean,
): string {
  const { t } = vscode.l10n;
  if (!isToEnd) return nextRequiredLabel();
  // What nobody looks at before it is sent is said.
  const kept = unseen.filter(isFilledIn).length;
  return kept === 0
    ? t('Skip the Rest and Run')
    : t('Skip the Rest and Run ({0} filled in earlier)', kept);
}

/** The same where what is given is looked at before it is sent. */
export function restLabelForReview({ isToEnd }: LeftOut): string {
  return isToEnd ? vscode.l10n.t('Skip the Rest') : nextRequiredLabel();
}

function nextRequiredLabel(): string {
  return vscode.l10n.t('Skip to the Next Required Value');
}
