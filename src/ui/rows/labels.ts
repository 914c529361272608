import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { listText } from '../../base/translate';
import { UserError } from '../../base/errors';
import type { LeftOut } from '../steps/multiStep';

/** Makes the error of a command that has no server to choose from; `unused` counts those configured but not used. */
export function noServers(unused: number): UserError {
  return new UserError(
    unused > 0
      ? vscode.l10n.t('All MCP servers are disabled. Enable one with Enable Server.')
      : vscode.l10n.t('No MCP server is configured yet.'),
  );
}

const maxNames = 10;

/** Returns the names of servers in one line, of many only the first. */
export function namesOf(servers: readonly { readonly name: string }[]): string {
  const names = servers.slice(0, maxNames).map(({ name }) => plainLabel(name, 60));
  const rest = servers.length - names.length;
  const shown = listText(names, vscode.l10n.t);
  return rest > 0 ? vscode.l10n.t('{0} and {1} more', shown, rest) : shown;
}

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
