import * as vscode from 'vscode';
import { neverAborted } from '../base/abort';
import { noServer } from '../ui/questions/askOwn';
import type { QuestionContext } from '../ui/questions/question';
import type { Questions } from '../ui/questions/questions';
import { pickItem } from '../ui/steps/pickItem';
import type { RootEntry } from './rootChoices';
import type { PickLook } from '../ui/rows/picks';

interface Row extends PickLook {
  readonly shares?: boolean;
}

/**
 * Asks whether to tell servers about the roots that the workspace settings add; `undefined` if the user did
 * not decide.
 */
export async function askWorkspaceRoots(
  questions: Pick<Questions, 'ask'>,
  roots: readonly RootEntry[],
): Promise<boolean | undefined> {
  const { t } = vscode.l10n;
  const items: Row[] = [
    ...roots.map(({ uri }) => ({
      label: decodedPath(uri),
      isLaidOut: true,
      iconPath: new vscode.ThemeIcon(uri.startsWith('file:') ? 'folder' : 'globe'),
    })),
    { label: t('Share'), iconPath: new vscode.ThemeIcon('check'), shares: true },
    {
      label: t('Do Not Share'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      shares: false,
      grantsNothing: true,
    },
  ];
  const title = t('Share these places with servers?');
  const cause = { kind: 'form', server: noServer, what: title } as const;
  const ask = (context: QuestionContext) =>
    pickItem({
      frame: { title, actions: [], context },
      prompt: t('The settings of this workspace add them to the roots that servers may work in.'),
      items,
      isString: ({ shares }) => shares === undefined,
    });
  const outcome = await questions.ask({ info: cause, ask }, neverAborted());
  const answer = outcome.kind === 'answered' ? outcome.answer : 'cancel';
  return typeof answer === 'string' ? undefined : answer.shares;
}

function decodedPath(uri: string): string {
  return uri.startsWith('file:') ? vscode.Uri.parse(uri).fsPath : uri;
}
