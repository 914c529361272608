import * as vscode from 'vscode';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../../mcp/protocol/clientRequests';
import type {
  DocumentAnswer,
  DocumentInput,
  DocumentQuestion,
} from '../../../ui/documents/documentInput';
import type { Stage } from '../../../ui/questions/stage';
import { pickItem } from '../../../ui/steps/pickItem';

/** The text of a review, and whether it takes the keyboard focus. */
export type ShownReview = Pick<DocumentQuestion, 'text'> & { readonly takesFocus: boolean };

/**
 * Shows a review until the user makes a choice. Closing the document decides nothing: they then go back to it as they
 * left it, or deny the request, in which case `choice` is `undefined`.
 */
export async function reviewDocument(
  server: AskingServer,
  questionOf: (shown: ShownReview) => DocumentQuestion,
  first: ShownReview,
  stage: Stage,
  input: DocumentInput,
): Promise<DocumentAnswer> {
  let shown = first;
  for (;;) {
    // While the document is open, other questions may come up.
    const answer = await stage.elsewhere(() => input.ask(questionOf(shown)));
    if (answer.choice !== undefined || stage.signal.aborted) return answer;
    if (await isDenied(server, stage)) return answer;
    shown = { text: answer.text, takesFocus: true };
  }
}

async function isDenied(server: AskingServer, stage: Stage): Promise<boolean> {
  const { t } = vscode.l10n;
  const items = [
    {
      label: t('Back to the Document'),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      isDenial: false,
      grantsNothing: true as const,
    },
    { label: t('Deny'), iconPath: new vscode.ThemeIcon('circle-slash'), isDenial: true },
  ];
  const title = t('The document of {0} was closed', plainLabel(server.name, 60));
  const picked = await pickItem({
    frame: { title, actions: [], stage },
    prompt: t('The server still waits for an answer.'),
    items,
  });
  return typeof picked !== 'string' && picked.isDenial;
}
