import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { askOwn, noServer } from '../questions/askOwn';
import type { Questions } from '../questions/questions';
import type { UserAction } from '../questions/question';
import type { PickLook } from '../rows/picks';
import { pickItem } from './pickItem';

/** At most this many lines of a {@link Confirmation} are shown; the rest is counted. */
export const maxConfirmedLines = 20;

/** What the user is to confirm. */
export interface Confirmation {
  readonly question: string;
  /** What it is about, one thing a line, as others may have written it. */
  readonly about?: readonly string[];
  /** The row that does it. */
  readonly yes: string;
}

type Row = PickLook & { readonly isYes?: boolean };

/**
 * Asks the user to confirm what an action of theirs led to, in place of a dialog of the editor, which begins on the
 * button that agrees: Enter, Escape and a hidden question leave it undone.
 */
export async function confirm(
  questions: Pick<Questions, 'ask'>,
  asked: UserAction | undefined,
  { question, about = [], yes }: Confirmation,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const more = about.length - maxConfirmedLines;
  const items: readonly Row[] = [
    ...about.slice(0, maxConfirmedLines).map((line) => ({ label: plainLabel(line, 200) })),
    ...(more > 0 ? [{ label: t('and {0} more', String(more)) }] : []),
    {
      label: t('Cancel'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      isYes: false,
      grantsNothing: true,
    },
    { label: yes, iconPath: new vscode.ThemeIcon('check'), isYes: true },
  ];
  const picked = await askOwn(questions, { server: noServer, what: question, asked }, (context) =>
    pickItem({
      frame: { title: question, actions: [], context },
      placeholder: t('Enter changes nothing.'),
      items,
      isString: ({ isYes }) => isYes === undefined,
    }),
  );
  return typeof picked === 'object' && picked.isYes === true;
}
