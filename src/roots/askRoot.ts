import * as vscode from 'vscode';
import { fileAddress, pathOfAddress } from '../base/uri/fileAddress';
import { wrapIndented } from '../base/text/rows';
import type { Root } from '../mcp/protocol/types';
import { askFile } from '../ui/keyboard';
import { askOwn, noServer } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { askLine } from '../ui/steps/askLine';
import { askRow } from '../ui/steps/pickRows';
import type { StepFrame } from '../ui/steps/stepFrame';
import { type RootEntry, rootProblem } from './rootChoices';
import type { QuestionContext, UserAction } from '../ui/questions/question';
import { neverAborted } from '../base/async';
import { pickItem } from '../ui/steps/pickItem';
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
    // All of each, as its end says where it is.
    ...roots.flatMap(({ uri, link }) => [
      ...laidOut(pathOfAddress(uri), uri.startsWith('file:') ? 'folder' : 'globe'),
      ...(link === undefined
        ? []
        : laidOut(
            t('A link leads there, out of the workspace: {0}', pathOfAddress(link)),
            'warning',
          )),
    ]),
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

/** Returns rows with all of a text, the first of them with an icon. */
function laidOut(text: string, icon: string): readonly Row[] {
  return wrapIndented(text, { hasIcon: true }).map((label, index) => ({
    label,
    isLaidOut: true,
    ...(index === 0 && { iconPath: new vscode.ThemeIcon(icon) }),
  }));
}

/**
 * Asks for a root to add to the workspace folders: a folder on this machine, or an address; `undefined` if
 * dismissed.
 */
export async function askRoot(
  questions: Pick<Questions, 'ask'>,
  action: UserAction,
): Promise<Root | undefined> {
  const title = vscode.l10n.t('Add Root');
  const found = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    async (context) => {
      const frame = { title, actions: [], context };
      const address = { label: vscode.l10n.t('Address…'), description: 'https:' };
      const picked = await askRow({
        frame,
        items: [{ label: vscode.l10n.t('Folder…') }, address],
      });
      return picked === address ? askAddress(frame) : picked && ('folder' as const);
    },
  );
  // The editor's own dialog is not one of our questions, so it opens after ours has ended.
  return found === 'folder' ? askFolder(action) : found;
}

async function askFolder(action: UserAction): Promise<Root | undefined> {
  const folder = await askFile(action, {
    title: vscode.l10n.t('Add Root'),
    openLabel: vscode.l10n.t('Add Root'),
    canSelectFiles: false,
    canSelectFolders: true,
  });
  if (!folder) return undefined;
  const { scheme, path, authority } = folder;
  const uri = scheme === 'file' ? fileAddress(path, authority) : folder.toString();
  return { uri, name: folder.path.slice(folder.path.lastIndexOf('/') + 1) };
}

async function askAddress(frame: StepFrame): Promise<Root | undefined> {
  const typed = await askLine({
    frame,
    prompt: vscode.l10n.t('URI of a folder that servers may work in'),
    placeholder: 'https://example.com/repository',
    validate: (value) => {
      const problem = rootProblem(value.trim());
      if (problem === 'scheme')
        return vscode.l10n.t('Only addresses that begin with https:, http: or file: can be roots.');
      return problem && vscode.l10n.t('Enter a complete URL.');
    },
  });
  const uri = typed?.trim();
  return uri ? { uri, name: new URL(uri).hostname || uri } : undefined;
}
