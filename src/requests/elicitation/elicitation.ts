import * as vscode from 'vscode';
import type { Limiter } from '../../base/async';
import { plainLabel } from '../../base/text/text';
import type { AskingServer, ElicitRequest, ElicitResult } from '../../mcp/protocol/clientRequests';
import type { StepFrame } from '../../ui/steps/stepFrame';
import { createReader } from '../../ui/documents/wholeText';
import { untilPresent } from '../presence';
import { questionFrame } from '../questionFrame';
import type { QuestionLine } from '../questionLine';
import { elicitForm, type ElicitFormDeps } from './elicitForm';
import { elicitVisit, readAddress, untilVisited } from './elicitVisit';
import { questionText } from './questionText';

/** What asking the person for a server needs. */
export interface ElicitationDeps extends ElicitFormDeps {
  readonly line: QuestionLine;
  /** Runs what takes the editor's quick input for itself when nothing else of ours does. */
  readonly quickInput: Limiter;
}

/** Puts a server's question to the person; what is neither sent nor declined is cancelled. */
export function answerElicitation(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<ElicitResult> {
  return request.mode === 'form'
    ? askInTurn(server, request, signal, deps, (frame) => elicitForm(server, request, frame, deps))
    : answerVisit(server, request, signal, deps);
}

async function answerVisit(
  server: AskingServer,
  request: ElicitRequest & { readonly mode: 'url' },
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<ElicitResult> {
  const address = await readAddress(server, request);
  const answer = await askInTurn(server, request, signal, deps, async (frame) => ({
    action: await elicitVisit(request.message, address, frame),
  }));
  // Up to 2025-11-25 the server says when the visit is over, by its id; since then nobody does.
  if (answer.action !== 'accept' || request.elicitationId !== undefined) return answer;
  return { action: await untilVisited(server, address, signal) };
}

/** Asks when it is the question's turn and the person is there. */
async function askInTurn(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  { line, quickInput, input }: ElicitationDeps,
  ask: (frame: StepFrame) => Promise<ElicitResult>,
): Promise<ElicitResult> {
  const answer = await line.ask(server, signal, async (place, closed): Promise<ElicitResult> => {
    if (!(await untilPresent(server, closed))) return { action: 'cancel' };
    return quickInput(async () => {
      const ended = new AbortController();
      const open = AbortSignal.any([closed, ended.signal]);
      const name = `${plainLabel(server.name, 60)}.txt`;
      const text = questionText(server.name, request, vscode.l10n.t);
      const showWhole = createReader({ name, text }, open, input);
      try {
        return await ask(questionFrame(server, place, closed, showWhole));
      } finally {
        ended.abort();
      }
    }, closed);
  });
  return typeof answer === 'string' ? { action: answer } : answer;
}
