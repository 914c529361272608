import type { Limiter } from '../../base/async';
import type { AskingServer, ElicitRequest, ElicitResult } from '../../mcp/clientRequests';
import { untilPresent } from '../presence';
import { questionFrame } from '../questionFrame';
import type { QuestionLine } from '../questionLine';
import { elicitForm, type ElicitFormDeps } from './elicitForm';
import { elicitVisit, readAddress, untilVisited } from './elicitVisit';

/** What asking the person for a server needs. */
export interface ElicitationDeps extends ElicitFormDeps {
  readonly line: QuestionLine;
  /** Runs what takes the editor's quick input for itself when nothing else of ours does. */
  readonly quickInput: Limiter;
}

/** Puts a server's question to the person; what is neither sent nor declined is cancelled. */
export async function answerElicitation(
  server: AskingServer,
  request: ElicitRequest,
  signal: AbortSignal,
  deps: ElicitationDeps,
): Promise<ElicitResult> {
  const { line, quickInput } = deps;
  const address = request.mode === 'url' ? await readAddress(server, request) : undefined;
  const answer = await line.ask(server, signal, async (place, closed): Promise<ElicitResult> => {
    if (!(await untilPresent(server, closed))) return { action: 'cancel' };
    return quickInput(async () => {
      const frame = questionFrame(server, place, closed);
      if (request.mode === 'form') return elicitForm(server, request, frame, deps);
      return address
        ? { action: await elicitVisit(request.message, address, frame) }
        : { action: 'cancel' };
    });
  });
  if (typeof answer === 'string') return { action: answer };
  // Up to 2025-11-25 the server says when the visit is over, by its id; since then nobody does.
  const isAnnounced = request.mode === 'url' && request.elicitationId !== undefined;
  if (answer.action !== 'accept' || !address || isAnnounced) return answer;
  return { action: await untilVisited(server, address, signal) };
}
