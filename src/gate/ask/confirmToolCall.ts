import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { ToolCall } from '../../contracts/toolCalls';
import { displayName } from '../../mcp/protocol/types';
import { byUser, type Stage } from '../../ui/questions/stage';
import { pickItem } from '../../ui/steps/pickItem';
import { coverages, type Coverage } from '../decide/approval';
import type { Proposal } from './question';
import { argumentsView } from './detailView';
import {
  isDefaultChoice,
  questionItems,
  type AnswerStep,
  type DefaultChoice,
  type QuestionItem,
} from './questionItems';

/** How the user answered the confirmation; `coverage` is what an approval is to cover. */
export interface Confirmed {
  readonly decision: AnswerStep;
  readonly coverage: Coverage;
}

/**
 * Asks in a quick pick that shows the arguments. Escape denies, and Enter takes the default choice; for the
 * user's own call, Enter runs it, and Escape returns to where it was written if `canGoBack` is set.
 */
export async function confirmToolCall(
  question: Proposal,
  stage: Stage,
  options: {
    readonly defaultChoice: DefaultChoice;
    readonly coverage: Coverage;
    readonly isUnfinished: boolean;
  },
): Promise<Confirmed> {
  const { call, canGoBack } = question;
  const { isUnfinished } = options;
  const isOwn = call.origin.kind === 'user';
  const defaultChoice = isOwn ? 'allow' : options.defaultChoice;
  const { place } = stage;
  const name = plainLabel(call.tool.name);
  const hasWorkspace = vscode.workspace.workspaceFolders !== undefined;
  let { coverage } = options;
  const stays = ({ choice }: QuestionItem): boolean => {
    switch (choice?.kind) {
      case 'nextExtent':
        coverage = coverages[(coverages.indexOf(coverage) + 1) % coverages.length] ?? 'tool';
        return true;
      case 'denyAll':
        place.declineAll();
        return true;
      default:
        return false;
    }
  };
  const picked = await pickItem<QuestionItem>({
    frame: {
      get title() {
        return title(question, place.waiting);
      },
      actions: [
        {
          icon: new vscode.ThemeIcon('go-to-file'),
          label: vscode.l10n.t('Show Arguments in Editor'),
          ends: 'leave',
        },
      ],
      onDidChange: place.onDidChange,
      stage,
    },
    placeholder: isOwn ? ownPlaceholder(name, canGoBack) : placeholder(name, defaultChoice),
    canGoBack,
    items: () =>
      questionItems(question, {
        coverage,
        waiting: place.waitingOfServer,
        hasWorkspace,
        isUnfinished,
      }),
    isText: ({ choice }) => choice === undefined,
    // Another default is the user's own: their call, or their setting.
    ...((isOwn || defaultChoice !== 'deny') && {
      own: { action: byUser(), active: (item) => isDefaultChoice(item, defaultChoice) },
    }),
    stays,
  });
  return { decision: decisionOf(picked, call), coverage };
}

function decisionOf(
  picked: Awaited<ReturnType<typeof pickItem<QuestionItem>>>,
  call: ToolCall,
): AnswerStep {
  if (picked === 'leave') return { kind: 'look', at: argumentsView(call) };
  const choice = typeof picked === 'string' ? undefined : picked.choice;
  if (choice && isDecision(choice)) return choice;
  return { kind: call.origin.kind === 'user' ? 'back' : 'deny' };
}

function isDecision(choice: NonNullable<QuestionItem['choice']>): choice is AnswerStep {
  return choice.kind !== 'nextExtent' && choice.kind !== 'denyAll';
}

/** Says what is asked and what Enter does, in one text that a screen reader reads once. */
function placeholder(name: string, choice: DefaultChoice): string {
  const { t } = vscode.l10n;
  switch (choice) {
    case 'deny':
      return t('Run {0} with these arguments? Enter denies.', name);
    case 'edit':
      return t('Run {0} with these arguments? Enter edits them.', name);
    case 'allow':
      return t('Run {0} with these arguments? Enter allows it once.', name);
  }
}

function ownPlaceholder(name: string, canGoBack: boolean): string {
  const { t } = vscode.l10n;
  return canGoBack
    ? t('Run {0} with these arguments? Enter runs it, Escape goes back.', name)
    : t('Run {0}? Enter runs it, Escape cancels.', name);
}

/** Names a call in a title by its server and its tool. */
export function callName({ server, tool }: Proposal['call']): string {
  return `${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
}

function title({ call }: Proposal, waiting: number): string {
  const name = callName(call);
  return waiting > 1 ? vscode.l10n.t('{0} (1 of {1})', name, waiting) : name;
}
