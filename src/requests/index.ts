import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { AuditLog } from '../audit/auditLog';
import {
  RequestRefused,
  type AskingServer,
  type ClientRequests,
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
import { createRequestAudit } from '../audit/requestAudit';
import { HourBudget } from './sampling/hourBudget';
import { manageSampling } from './sampling/manageSampling';
import { SamplingPermissions } from './sampling/permissions';
import { answerSampling, rejected } from './sampling/sampling';

const maxQuestionsPerMinute = 20;

/** What servers ask of the person and of the editor's language models, each in the person's hands. */
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
  const audit = createRequestAudit(deps.auditLog, () => readSetting(Setting.toolLogArguments));
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
  const answered = async <T>(
    question: {
      readonly server: AskingServer;
      readonly method: string;
      readonly question: unknown;
    },
    ask: () => Promise<{ readonly result: T; readonly action: string }>,
  ): Promise<T> => {
    try {
      const { result, action } = await ask();
      await audit({ ...question, action, answer: result });
      return result;
    } catch (error) {
      const action = error instanceof RequestRefused ? 'refused' : 'failed';
      await audit({ ...question, action, answer: errorMessage(error) });
      throw error;
    }
  };
  return {
    createMessage: (server, request, signal) =>
      answered({ server, method: 'sampling/createMessage', question: request }, async () => {
        const entered = await gate.enter(server, signal);
        if (entered !== 'go') throw rejected();
        const { result, by } = await answerSampling(server, request, signal, sampling);
        return { result, action: `returned: ${by}` };
      }),
    elicit: (server, request, signal) =>
      answered({ server, method: 'elicitation/create', question: request }, async () => {
        const entered = await gate.enter(server, signal);
        if (entered !== 'go') return { result: { action: entered }, action: entered };
        const outcome = await answerElicitation(server, request, signal, elicitation);
        return outcome.kind === 'answered'
          ? { result: outcome.answer, action: outcome.answer.action }
          : { result: { action: 'cancel' }, action: `withdrawn: ${outcome.reason}` };
      }),
    dispose: () => store.dispose(),
  };
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
