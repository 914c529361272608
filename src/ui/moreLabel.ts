import * as vscode from 'vscode';

/** Returns the label below rows that are not all there are; `count` is how many more there are. */
export function moreLabel(count: number): string {
  return vscode.l10n.t('{0} more. Type to narrow down', count.toLocaleString(vscode.env.language));
}
