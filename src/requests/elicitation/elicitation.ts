import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer, ElicitRequest, ElicitResult } from '../../mcp/protocol/clientRequests';
import type { QuestionOutcome } from '../../contracts/questionOutcome';
import type { Questions } from '../../ui/questions/questions';
import type { StepFrame } from '../../ui/steps/stepFrame';
import { createReader } from '../../ui/documents/wholeText';
import { questionFrame } from '../questionFrame';
import { elicitForm, type ElicitFormDeps } from './elicitForm';
import { elicitVisit, readAddress, untilVisited } from './elicitVisit';
import { questionText } from './questionText';

/** What is needed to ask the user something for a server. */
export interface ElicitationDeps extends ElicitFormDeps {
  readonly questions: Questions;
}

type Outcome = QuestionOutcome<ElicitResult>;

/** Puts a server's question to the user; it is cancelled if they neither accept nor decline. */
export function answerElicitation(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<Outcome> {
  return request.mode === 'form'
    ? askInTurn(server, request, signal, deps, (frame) => elicitForm(server, request, frame, deps))
    : answerVisit(server, request, signal, deps);
}

async function answerVisit(
  server: AskingServer,
  request: ElicitRequest & { readonly mode: 'url' },
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<Outcome> {
  const address = await readAddress(server, request);
  const outcome = await askInTurn(server, request, signal, deps, async (frame) => ({
    action: await elicitVisit(request.message, address, frame),
  }));
  const goes = outcome.kind === 'answered' && outcome.answer.action === 'accept';
  // Up to 2025-11-25, the server reports by the id that the visit is over; in later revisions, nobody does.
  if (!goes || request.elicitationId !== undefined) return outcome;
  return { ...outcome, answer: { action: await untilVisited(server, address, signal) } };
}

/** Asks when it is the question's turn. */
function askInTurn(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  { questions, input }: ElicitationDeps,
  ask: (frame: StepFrame) => Promise<ElicitResult>,
): Promise<Outcome> {
  const { t } = vscode.l10n;
  const what = request.mode === 'form' ? t('answer a form') : t('visit a page');
  return questions.ask(
    {
      cause: { kind: 'elicitation', server, what },
      declined: { action: 'decline' },
      ask: (stage) => {
        const name = `${plainLabel(server.name, 60)}.txt`;
        const text = questionText(server.name, request, t);
        const showWhole = createReader({ name, text }, stage.signal, input);
        return ask(questionFrame(server, stage, showWhole));
      },
    },
    signal,
  );
}
