import * as vscode from 'vscode';
import { neverAborted } from '../../base/async';
import type { Memento } from '../../base/memento';
import type { Servers } from '../../mcp/server';
import { Setting } from '../../ui/ids';
import { noServer } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionContext } from '../../ui/questions/question';
import { readLevels, updateForUser } from '../../ui/settings/readSetting';
import { pickItem } from '../../ui/steps/pickItem';

const askedKey = 'handOver.asked';

/** Nothing is offered to a user who has opened the window more recently than this. */
const quietMs = 60_000;

/** What the offer to hand over servers depends on. */
export interface HandOverDeps {
  readonly servers: Servers;
  /** True for servers that the editor's own client cannot find by itself, except for those without an entry. */
  readonly isOursAlone: (id: string) => boolean;
  readonly questions: Pick<Questions, 'ask'>;
  /** Outlives the session and is shared by all workspaces. */
  readonly state: Memento;
  readonly now: () => number;
}

/**
 * Makes the function to call when another chat has called one of our tools: it asks the user, once ever, whether
 * to hand the servers to the editor's own client, too. The question waits until nobody is typing.
 */
export function createHandOverOffer(deps: HandOverDeps): () => Promise<void> {
  const { servers, isOursAlone, questions, state, now } = deps;
  const opened = now();
  let isAsked = false;
  return async () => {
    if (isAsked || state.get(askedKey) === true || now() - opened < quietMs) return;
    if (readLevels(Setting.provideToEditor).user !== undefined) return;
    if (!servers.all.some(({ id, state: { kind } }) => kind === 'running' && isOursAlone(id)))
      return;
    isAsked = true;
    const outcome = await questions.ask({ info: cause(), ask }, neverAborted());
    // Nobody saw a question that was withdrawn.
    if (outcome.kind !== 'answered') return;
    await state.update(askedKey, true);
    if (outcome.answer === 'handOver') await updateForUser(Setting.provideToEditor, true);
    if (outcome.answer === 'never') await updateForUser(Setting.provideToEditor, false);
  };
}

type Answer = 'handOver' | 'notNow' | 'never';

function cause() {
  const what = vscode.l10n.t('Hand your servers to the editor?');
  return { kind: 'form', server: noServer, what } as const;
}

async function ask(context: QuestionContext): Promise<Answer> {
  const picked = await pickItem({
    frame: {
      title: vscode.l10n.t("Hand your servers, inputs filled in, to the editor's own agent?"),
      actions: [],
      context,
    },
    prompt: vscode.l10n.t(
      'Another chat used them through MCP Workbench. Calls made there would not pass its confirmation, and would not be in its log.',
    ),
    items: [
      { label: vscode.l10n.t('Not Now'), answer: 'notNow' as const, grantsNothing: true },
      {
        label: vscode.l10n.t('Hand Over'),
        description: Setting.provideToEditor,
        answer: 'handOver' as const,
      },
      { label: vscode.l10n.t('Never'), answer: 'never' as const },
    ],
  });
  return typeof picked === 'object' && 'answer' in picked ? picked.answer : 'notNow';
}
