import * as vscode from 'vscode';
import { wrapLine } from '../../base/text/rows';
import { plainLabel, truncate } from '../../base/text/text';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import type { Concern } from '../decide/decide';
import { changesView } from './detailView';
import type { QuestionItem } from './questionItems';

/** The most rows of a warning, so that the decisions stay in view in a small window. */
const maxConcernRows = 4;
const maxNameLength = 60;
const maxWarning = 1000;

/** Returns the rows for something that the user should know before deciding on a call. */
export function concernItems(concern: Concern): QuestionItem[] {
  switch (concern.kind) {
    case 'changed': {
      const what = concern.changes.map(({ part }) => part).join(', ');
      return [
        {
          label: vscode.l10n.t('Changed since you last saw it: {0}', what),
          description: vscode.l10n.t('select to see the difference'),
          iconPath: new vscode.ThemeIcon('diff'),
          choice: { kind: 'look', at: changesView(concern.changes) },
        },
      ];
    }
    case 'lookAlike': {
      const { same, server, tool } = concern.other;
      const name = truncate(server.name, maxNameLength);
      return warning(
        same
          ? vscode.l10n.t('{0} has a tool of the same name', name)
          : vscode.l10n.t('Resembles {0} from {1}', truncate(tool, maxNameLength), name),
      );
    }
    case 'moreLookAlikes':
      return warning(vscode.l10n.t('and {0} more look like it', concern.count));
    case 'tainted':
      return warning(vscode.l10n.t('This conversation contains untrusted content. Confirm again'));
    case 'over':
      return warning(
        concern.limit === 'minute'
          ? vscode.l10n.t('The limit of calls per minute was reached')
          : vscode.l10n.t('The limit of calls per answer was reached'),
      );
    case 'arguments':
      return warning(
        vscode.l10n.t(
          'Arguments do not match the tool: {0}',
          problemsText(concern.problems, vscode.l10n.t),
        ),
      );
    case 'formats':
      return warning(
        vscode.l10n.t('Unexpected format: {0}', problemsText(concern.problems, vscode.l10n.t)),
      );
    case 'unchecked':
      return warning(
        vscode.l10n.t('Arguments not checked: {0}', uncheckedText(concern.reason, vscode.l10n.t)),
      );
  }
}

function warning(text: string): QuestionItem[] {
  const all = wrapLine(plainLabel(text, maxWarning));
  const [first = '', ...others] =
    all.length > maxConcernRows ? [...all.slice(0, maxConcernRows - 1), '…'] : all;
  const icon = new vscode.ThemeIcon('warning');
  return [
    { label: first, isLaidOut: true, iconPath: icon },
    ...others.map((label) => ({ label: `\u2003 ${label}`, isLaidOut: true })),
  ];
}
