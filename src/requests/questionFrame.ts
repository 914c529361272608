import * as vscode from 'vscode';
import { plainLabel } from '../base/text/text';
import type { AskingServer } from '../mcp/protocol/serverRequests';
import type { DocumentAnswer, DocumentQuestion } from '../ui/documents/askedDocument';
import type { DocumentChoice } from '../ui/documents/choiceCommands';
import type { DocumentInput } from '../ui/documents/documentInput';
import { readingParts } from '../ui/documents/wholeText';
import type { QueuePlace, QuestionContext, UserAction } from '../ui/questions/question';
import { pickItem } from '../ui/steps/pickItem';
import type { StepAction, StepFrame } from '../ui/steps/stepFrame';

/**
 * Makes the frame around every step of a server's question: who asks, how many questions wait, how to decline, and,
 * with `showWhole`, how to read all of it.
 */
export function questionFrame(
  server: AskingServer,
  context: QuestionContext,
  showWhole?: (action: UserAction) => Promise<void>,
): StepFrame {
  const { place } = context;
  const reading = showWhole && readingParts(showWhole);
  return {
    ...(reading && { more: reading.more }),
    get title() {
      const { waiting } = place;
      const asks = vscode.l10n.t('{0} asks', plainLabel(server.name, 60));
      return waiting > 1 ? vscode.l10n.t('{0} (1 of {1})', asks, waiting) : asks;
    },
    get actions() {
      const decline: StepAction = {
        icon: new vscode.ThemeIcon('circle-slash'),
        label: vscode.l10n.t('Decline'),
        ends: 'decline',
        isKept: true,
      };
      const declineAll: StepAction = {
        icon: new vscode.ThemeIcon('clear-all'),
        label: declineAllLabel(server, place),
        run: () => place.declineAll(),
        isKept: true,
      };
      return [
        ...(reading?.actions ?? []),
        decline,
        ...(place.waitingOfServer > 1 ? [declineAll] : []),
      ];
    },
    onDidChange: place.onDidChange,
    context,
  };
}

/** Returns the choice above a document that declines all questions of the server, or nothing unless several wait. */
export function declineAllChoices(
  server: AskingServer,
  place: QueuePlace,
): readonly DocumentChoice[] {
  if (place.waitingOfServer <= 1) return [];
  return [
    {
      id: 'declineAll',
      title: `$(clear-all) ${declineAllLabel(server, place)}`,
      act: () => place.declineAll(),
    },
  ];
}

function declineAllLabel({ name }: AskingServer, { waitingOfServer }: QueuePlace): string {
  return vscode.l10n.t('Decline All {0} from {1}', waitingOfServer, plainLabel(name, 60));
}

/** The text of a review, and the permit for it to take the keyboard. */
export type ShownReview = Pick<DocumentQuestion, 'text' | 'permit'>;

/**
 * Shows a review until the user makes a choice. Closing the document decides nothing: they then go back to it as they
 * left it, or deny the request, in which case `choice` is `undefined`.
 */
export async function reviewDocument(
  server: AskingServer,
  questionOf: (shown: ShownReview) => DocumentQuestion,
  first: ShownReview,
  context: QuestionContext,
  input: DocumentInput,
): Promise<DocumentAnswer> {
  let shown = first;
  for (;;) {
    // While the document is open, other questions may come up.
    const answer = await context.setAside(() => input.ask(questionOf(shown)));
    if (answer.choice !== undefined || context.signal.aborted) return answer;
    if (await isDenied(server, context)) return answer;
    shown = { text: answer.text, permit: context.wanted };
  }
}

async function isDenied(server: AskingServer, context: QuestionContext): Promise<boolean> {
  const { t } = vscode.l10n;
  const items = [
    {
      label: t('Back to the Document'),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      isDenial: false,
      grantsNothing: true as const,
    },
    { label: t('Decline'), iconPath: new vscode.ThemeIcon('circle-slash'), isDenial: true },
  ];
  const title = t('The document of {0} was closed', plainLabel(server.name, 60));
  const picked = await pickItem({
    frame: { title, actions: [], context },
    prompt: t('The server still waits for an answer.'),
    items,
  });
  return typeof picked !== 'string' && picked.isDenial;
}
