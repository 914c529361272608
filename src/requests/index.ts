import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { createLimiter, nextTurn } from '../base/async';
import { errorMessage } from '../base/errors';
import type { AuditLog } from '../audit/auditLog';
import {
  RequestRefused,
  type AskingServer,
  type ClientRequests,
  type ElicitResult,
} from '../mcp/protocol/clientRequests';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Servers } from '../mcp/servers';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documents/documentInput';
import { Command, Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { answerElicitation } from './elicitation/elicitation';
import { FormDrafts } from './elicitation/formDrafts';
import { QuestionRateLimit } from './questionRateLimit';
import { followLogLevels } from './loggingLevels';
import { showPause } from './pauseNotice';
import { createRequestAudit, type AnsweredRequest } from '../audit/requestAudit';
import { HourBudget } from './sampling/hourBudget';
import { manageSampling } from './sampling/manageSampling';
import { SamplingPermissions } from './sampling/permissions';
import { answerSampling } from './sampling/sampling';
import { Refusal, rejected, withdrawnRefusal } from './refusal';
import type { Decider } from '../contracts/decision';
import { withdrawnBy } from '../contracts/questionOutcome';

const maxQuestionsPerMinute = 20;

/** What servers ask of the user and of the editor's language models, each in the user's hands. */
export function register(deps: {
  readonly context: Pick<vscode.ExtensionContext, 'globalState'>;
  readonly servers: Servers;
  readonly logs: Logs;
  readonly input: DocumentInput;
  readonly auditLog: AuditLog;
  readonly schemas: SchemaCheck;
  readonly questions: Questions;
}): Disposable & Required<Pick<ClientRequests, 'createMessage' | 'elicit'>> {
  const { context, servers, logs, questions } = deps;
  const store = new DisposableStore();
  const gate = new QuestionRateLimit({
    maxPerMinute: maxQuestionsPerMinute,
    now: Date.now,
    onPause: (held) => void showPause(held, () => questions.declineAll(held.server.id)),
  });
  const write = createRequestAudit(deps.auditLog, () => readSetting(Setting.toolLogArguments));
  const inTurn = createLimiter(1);
  // Many may end at once, and each may be large: one turn of the window has one of them.
  const audit = (answer: AnsweredRequest) =>
    inTurn(async () => {
      await nextTurn();
      await write(answer);
    });
  const permissions = new SamplingPermissions(context.globalState);
  const budget = new HourBudget(context.globalState, Date.now);
  const sampling = { ...deps, permissions, budget, limits: readBudget };
  const elicitation = { ...deps, drafts: new FormDrafts() };
  store.add(followLogLevels(servers, logs));
  store.add(
    registerCommands(logs, {
      [Command.manageSampling]: (row: unknown) => manageSampling(sampling, serverOf(row, servers)),
    }),
  );
  /** Lets a question through the gate and writes down what became of it. */
  const decideAndRecord = async <T>(
    question: {
      readonly server: AskingServer;
      readonly method: string;
      readonly question: unknown;
    },
    signal: AbortSignal,
    ask: () => Promise<Settled<T>>,
  ): Promise<T> => {
    try {
      const { result, action, decidedBy } = await ask();
      await audit({ ...question, action, decidedBy, answer: result });
      return result;
    } catch (thrown) {
      const isTakenBack = signal.aborted && !(thrown instanceof RequestRefused);
      const error = isTakenBack ? withdrawnRefusal(withdrawnBy(signal).reason) : thrown;
      await audit({ ...question, ...refusalOf(error), answer: errorMessage(error) });
      throw error;
    }
  };
  const answered: typeof decideAndRecord = (...question) =>
    deps.auditLog.pending.track(decideAndRecord(...question));
  return {
    createMessage: (server, request, signal) =>
      answered(
        { server, method: 'sampling/createMessage', question: request },
        signal,
        async () => {
          const entered = await gate.enter(server, signal);
          if (entered === 'decline') throw rejected(byClick);
          if (entered !== 'go') throw withdrawnRefusal(entered.reason);
          const sampled = await answerSampling(server, request, signal, sampling);
          return { ...sampled, action: 'returned' };
        },
      ),
    elicit: (server, request, signal) =>
      answered<ElicitResult>(
        { server, method: 'elicitation/create', question: request },
        signal,
        async () => {
          const entered = await gate.enter(server, signal);
          if (entered === 'decline')
            return { result: { action: entered }, action: entered, decidedBy: byClick };
          const outcome =
            entered === 'go'
              ? await answerElicitation(server, request, signal, elicitation)
              : entered;
          if (outcome.kind === 'answered') {
            const { answer, how } = outcome;
            return { result: answer, action: answer.action, decidedBy: { kind: 'user', how } };
          }
          const decidedBy = { kind: 'nobody', because: outcome.reason } as const;
          return { result: { action: 'cancel' }, action: 'withdrawn', decidedBy };
        },
      ),
    dispose: () => store.dispose(),
  };
}

/** What became of a question, who decided it, and what goes back. */
interface Settled<T> {
  readonly result: T;
  readonly action: string;
  readonly decidedBy: Decider;
}

/** The user chose a button of a notification. */
const byClick = { kind: 'user', how: 'click' } as const;

/** What the log has of a question to which an error went back. */
function refusalOf(error: unknown): Omit<Settled<unknown>, 'result'> {
  const decidedBy = error instanceof Refusal ? error.decidedBy : ({ kind: 'client' } as const);
  if (decidedBy.kind === 'nobody') return { action: 'withdrawn', decidedBy };
  return { action: error instanceof RequestRefused ? 'refused' : 'failed', decidedBy };
}

function serverOf(row: unknown, servers: Servers) {
  if (typeof row !== 'object' || row === null || !('server' in row)) return undefined;
  return servers.all.find((server) => server === row.server);
}

/** What a budget is, in any window. */
function readBudget() {
  return {
    requests: readSetting(Setting.samplingRequestsPerHour),
    tokens: readSetting(Setting.samplingTokensPerHour),
  };
}
