import * as vscode from 'vscode';
import type { LeftOut } from '../steps/multiStep';

/** Returns the label below rows that are not all there are; `count` is how many more there are. */
export function moreLabel(count: number): string {
  return vscode.l10n.t('{0} more. Type to narrow down', count.toLocaleString(vscode.env.language));
}

/**
 * Returns the label of the choice that skips the next steps, in a form that is then sent without a review; `isFilledIn`
 * says whether a step's value was given.
 */
export function restLabel(
  { isToEnd, unseen }: LeftOut,
  isFilledIn: (key: string) => boolean,
): string {
  const { t } = vscode.l10n;
  if (!isToEnd) return nextRequiredLabel();
  // Mentions values that nobody looks at before they are sent.
  const kept = unseen.filter(isFilledIn).length;
  return kept === 0
    ? t('Skip the Rest and Run')
    : t('Skip the Rest and Run ({0} filled in earlier)', kept);
}

/** Returns the same label for when the values are reviewed before they are sent. */
export function restLabelForReview({ isToEnd }: LeftOut): string {
  return isToEnd ? vscode.l10n.t('Skip the Rest') : nextRequiredLabel();
}

function nextRequiredLabel(): string {
  return vscode.l10n.t('Skip to the Next Required Value');
}
