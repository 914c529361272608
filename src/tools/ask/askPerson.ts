import * as vscode from 'vscode';
import type { Limiter } from '../../base/async';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Extent } from '../gate/approval';
import { confirmToolCall, type DefaultChoice } from './confirmToolCall';
import { editArguments } from './editArguments';
import { showLook } from './looks';
import { withdrawnBy, type QuestionOutcome } from '../../ui/questions/outcome';
import type { Answer, Question } from '../gate/question';
import type { QuestionPlace } from './questionQueue';

/** What asking a person needs of the editor. */
export interface AskingParts {
  readonly input: DocumentInput;
  readonly defaultChoice: () => DefaultChoice;
  /** Runs what takes the editor's quick input for itself when nothing else of ours does. */
  readonly quickInput: Limiter;
}

/** Asks a person about one call: in a quick pick, and from there in a document or for a reason. */
export async function askPerson(
  question: Question,
  signal: AbortSignal,
  place: QuestionPlace,
  { input, defaultChoice }: AskingParts,
): Promise<QuestionOutcome<Answer>> {
  const answered = (answer: Answer) =>
    signal.aborted ? withdrawnBy(signal) : ({ kind: 'answered', answer, how: 'click' } as const);
  let extent: Extent = 'tool';
  for (;;) {
    const options = { defaultChoice: defaultChoice(), extent };
    const confirmed = await confirmToolCall(question, signal, place, options);
    const { decision } = confirmed;
    extent = confirmed.extent;
    switch (decision.kind) {
      case 'allow': {
        const { duration } = decision;
        return answered({
          kind: 'allow',
          arguments: question.call.arguments,
          ...(duration && { remember: { duration, extent } }),
        });
      }
      case 'edit':
        return answered(await editArguments(question, extent, input, signal));
      case 'look':
        await showLook(decision.at, input, signal);
        break;
      case 'denyWhy': {
        const reason = await askReason(signal);
        // Escape leads back to the choices, where a second one denies.
        if (reason === undefined && !signal.aborted) break;
        return answered({ kind: 'deny', ...(reason && { reason }) });
      }
      case 'deny':
        return answered({ kind: 'deny' });
    }
  }
}

async function askReason(signal: AbortSignal): Promise<string | undefined> {
  const closed = new vscode.CancellationTokenSource();
  const close = () => closed.cancel();
  signal.addEventListener('abort', close);
  try {
    const title = vscode.l10n.t('Deny');
    const prompt = vscode.l10n.t('What shall the model be told?');
    return await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true }, closed.token);
  } finally {
    signal.removeEventListener('abort', close);
    closed.dispose();
  }
}
