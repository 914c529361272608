import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Questions } from '../../ui/questions/questions';
import type { Stage } from '../../ui/questions/stage';
import { askLine } from '../../ui/steps/askLine';
import type { Coverage } from '../gate/approval';
import type { Answer, Ask, Question } from '../gate/question';
import { confirmToolCall } from './confirmToolCall';
import { editArguments } from './editArguments';
import { showDetailView } from './detailView';
import type { DefaultChoice } from './questionItems';

/** What asking the user about calls needs of the editor. */
export interface AskingParts {
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly defaultChoice: () => DefaultChoice;
}

/** Makes what asks the user about a call, in turn with all other questions. */
export function createAsk({ questions, ...parts }: AskingParts): Ask {
  return (question, signal) => {
    const { server, tool, origin } = question.call;
    return questions.ask<Answer>(
      {
        cause: {
          kind: 'call',
          server,
          what: vscode.l10n.t('run {0}', plainLabel(tool.name, 60)),
          asked: origin.kind === 'person',
        },
        declined: { kind: 'deny' },
        ask: (stage) => askUser(question, stage, parts),
      },
      signal,
    );
  };
}

async function askUser(
  proposal: Question,
  stage: Stage,
  { input, defaultChoice }: Omit<AskingParts, 'questions'>,
): Promise<Answer> {
  const { signal } = stage;
  let coverage: Coverage = 'tool';
  let question = proposal;
  for (;;) {
    const confirmed = await confirmToolCall(question, stage, {
      defaultChoice: defaultChoice(),
      coverage,
    });
    const { decision } = confirmed;
    coverage = confirmed.coverage;
    const args = question.call.arguments;
    switch (decision.kind) {
      case 'allow': {
        const { duration } = decision;
        return {
          kind: 'allow',
          arguments: args,
          ...(duration && { remember: { duration, coverage } }),
        };
      }
      case 'look':
        // A question over it would cover what is looked at.
        await stage.elsewhere(() => showDetailView(decision.at, input, signal));
        if (signal.aborted) return { kind: 'deny' };
        break;
      case 'edit': {
        const edited = await stage.elsewhere(() =>
          editArguments(question, coverage, input, signal),
        );
        if (edited.kind !== 'back') return edited;
        question = { ...question, call: { ...question.call, arguments: edited.arguments } };
        break;
      }
      case 'denyWhy': {
        const reason = await askReason(stage);
        // Escape leads back to the choices, where a second one denies.
        if (reason === undefined && !signal.aborted) break;
        return { kind: 'deny', ...(reason && { reason }) };
      }
      case 'deny':
        return { kind: 'deny' };
    }
  }
}

function askReason(stage: Stage): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return askLine({
    frame: { title: t('Deny'), actions: [], stage },
    prompt: t('Reason to send to the model'),
  });
}
