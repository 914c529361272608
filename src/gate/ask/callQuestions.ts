import * as vscode from 'vscode';
import type { QuestionOutcome } from '../../contracts/questionOutcome';
import { plainLabel } from '../../base/text/text';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Questions } from '../../ui/questions/questions';
import { byUser, type Stage } from '../../ui/questions/stage';
import { askLine } from '../../ui/steps/askLine';
import type { Coverage } from '../decide/approval';
import type { Answer, Proposal, Question, Settled } from './question';
import { callName, confirmToolCall } from './confirmToolCall';
import { editArguments } from './editArguments';
import { showDetailView } from './detailView';
import type { DefaultChoice } from './questionItems';

/** Asks the user about calls, taking turns with all other questions. */
export class CallQuestions {
  private readonly questions: Questions;
  private readonly input: DocumentInput;
  private readonly defaultChoice: () => DefaultChoice;

  constructor(
    questions: Questions,
    input: DocumentInput,
    defaultChoice: CallQuestions['defaultChoice'],
  ) {
    this.questions = questions;
    this.input = input;
    this.defaultChoice = defaultChoice;
  }

  /** Asks about one call; aborting `signal` withdraws the question. */
  ask(question: Question, signal: AbortSignal): Promise<QuestionOutcome<Settled>> {
    const { server, tool, origin } = question.call;
    const { input, defaultChoice } = this;
    return this.questions.ask<Settled>(
      {
        cause: {
          kind: 'call',
          server,
          what: vscode.l10n.t('run {0}', plainLabel(tool.name, 60)),
          asked: origin.kind === 'user' || question.isAgain ? byUser() : undefined,
          ...(origin.kind === 'chat' && { answer: origin.answer }),
        },
        declined: { kind: 'deny' },
        ask: async (stage) => {
          if (!(await question.isOpen())) return { kind: 'ruled' };
          const answer = await askUser(question, stage, input, defaultChoice);
          // Nobody waits for the answer any longer, and nothing that it allows may be kept.
          return stage.signal.aborted ? { kind: 'deny' } : question.settle(answer);
        },
      },
      signal,
    );
  }
}

async function askUser(
  proposed: Proposal,
  stage: Stage,
  input: DocumentInput,
  defaultChoice: () => DefaultChoice,
): Promise<Answer> {
  const { signal } = stage;
  let coverage: Coverage = 'tool';
  let question = proposed;
  /** The text of edited arguments that is not a JSON object yet. */
  let unfinished: string | undefined;
  let unsaid = '';
  for (;;) {
    const confirmed = await confirmToolCall(question, stage, {
      defaultChoice: defaultChoice(),
      coverage,
      isUnfinished: unfinished !== undefined,
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
        // The question would cover what the user is looking at.
        await stage.elsewhere(() => showDetailView(decision.at, input, signal));
        break;
      case 'edit': {
        const edited = await stage.elsewhere(() =>
          editArguments(question, { coverage, unfinished }, input, signal),
        );
        if (edited.kind !== 'left') return edited;
        ({ unfinished } = edited);
        question = { ...question, call: { ...question.call, arguments: edited.arguments } };
        break;
      }
      case 'denyWhy': {
        const reason = await askReason(stage, question.call, {
          typed: unsaid,
          left: (text) => (unsaid = text),
        });
        // Escape returns to the choices, where pressing it again denies.
        if (reason === undefined) break;
        return { kind: 'deny', ...(reason && { reason }) };
      }
      case 'back':
        return { kind: 'back', arguments: args };
      case 'deny':
        return { kind: 'deny' };
    }
  }
}

/**
 * Asks what to tell the model, starting with the text `typed` before; `left` gets the text of a user who
 * dismisses the box.
 */
function askReason(
  stage: Stage,
  call: Proposal['call'],
  { typed, left }: { readonly typed: string; readonly left: (text: string) => void },
): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return askLine({
    frame: { title: t('Deny {0}', callName(call)), actions: [], stage },
    prompt: t('Reason to send to the model'),
    value: typed,
    left,
  });
}
