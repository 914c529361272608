import * as vscode from 'vscode';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../../mcp/protocol/clientRequests';
import type {
  DocumentAnswer,
  DocumentInput,
  DocumentQuestion,
} from '../../../ui/documents/documentInput';
import type { Questions } from '../../../ui/questions/questions';
import { pickItem } from '../../../ui/steps/pickItem';

/** Where a review is looked at, and what is asked once it was closed. */
export interface ReviewParts {
  readonly input: DocumentInput;
  readonly questions: Questions;
}

/** The text of a review, and whether it takes the keyboard. */
export type ShownReview = Pick<DocumentQuestion, 'text'> & { readonly takesFocus: boolean };

/**
 * Shows a review until the user makes a choice. A document that is closed decides nothing: they go back to it, as they
 * left it, or deny the request, which is no choice.
 */
export async function reviewDocument(
  server: AskingServer,
  questionOf: (shown: ShownReview) => DocumentQuestion,
  first: ShownReview,
  signal: AbortSignal,
  { input, questions }: ReviewParts,
): Promise<DocumentAnswer> {
  let shown = first;
  for (;;) {
    const answer = await input.ask(questionOf(shown));
    if (answer.choice !== undefined || signal.aborted) return answer;
    if (await isDenied(server, signal, questions)) return answer;
    shown = { text: answer.text, takesFocus: true };
  }
}

async function isDenied(
  server: AskingServer,
  signal: AbortSignal,
  questions: Questions,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const items = [
    {
      label: t('Back to the Document'),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      isDenial: false,
    },
    { label: t('Deny'), iconPath: new vscode.ThemeIcon('circle-slash'), isDenial: true },
  ];
  const title = t('The document of {0} was closed', name);
  const prompt = t('The server still waits for an answer.');
  const outcome = await questions.ask(
    {
      cause: { kind: 'form', server, what: t('go on or deny'), asked: true },
      ask: (stage) => pickItem({ frame: { title, actions: [], stage }, prompt, items }),
    },
    signal,
  );
  if (outcome.kind === 'withdrawn') return true;
  return typeof outcome.answer !== 'string' && outcome.answer.isDenial;
}
