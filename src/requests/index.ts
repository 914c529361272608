import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { AuditLog } from '../audit/auditLog';
import { windowRetention } from '../audit/openAuditLog';
import type { ElicitResult, ServerRequestHandlers } from '../mcp/protocol/serverRequests';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Server, Servers } from '../mcp/server';
import { registerCommands } from '../ui/commands';
import { Command, Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { Logs } from '../ui/logs';
import { FormDrafts, answerElicitation } from './elicitation';
import { createRequestDecisions, rejected, withdrawnRefusal } from './requestDecisions';
import { QuestionRateLimit, showPause } from './questionRateLimit';
import { HourBudget } from './sampling/hourBudget';
import { manageSampling } from './sampling/manageSampling';
import { SamplingPermissions } from './sampling/permissions';
import { answerSampling } from './sampling/sampling';
import type { UserAction } from '../ui/questions/question';
import { errorMessage } from '../base/errors';
import type { LoggingLevel } from '../mcp/protocol/types';
import { watchServers } from '../ui/watchServers';
import type { WorkbenchWindow } from '../ui/window';

/** Makes every server log at the level that the user chose for its log. */
function followLogLevels(servers: Servers, logs: Logs): Disposable {
  const store = new DisposableStore();
  const tell = (server: Server) => {
    const level = toLoggingLevel(logs.levelOf(server.id));
    server
      .setLoggingLevel(level)
      .catch((error: unknown) => logs.ofServer(server.id).warn(errorMessage(error)));
  };
  store.add(
    watchServers(servers, (server) => {
      tell(server);
      return logs.onDidChangeLevel((id) => {
        if (id === server.id) tell(server);
      });
    }),
  );
  return store;
}

/** Returns the level of the least severe messages that a log at this level shows. */
function toLoggingLevel(level: vscode.LogLevel): LoggingLevel {
  switch (level) {
    case vscode.LogLevel.Trace:
    case vscode.LogLevel.Debug:
      return 'debug';
    case vscode.LogLevel.Info:
      return 'info';
    case vscode.LogLevel.Warning:
      return 'warning';
    case vscode.LogLevel.Error:
      return 'error';
    case vscode.LogLevel.Off:
      return 'emergency';
  }
}

const maxQuestionsPerMinute = 20;

/** Registers what answers requests to the user and to the editor's language models, all under the user's control. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
    readonly auditLog: AuditLog;
    readonly schemas: SchemaCheck;
  },
): Disposable & Required<Pick<ServerRequestHandlers, 'createMessage' | 'elicit'>> {
  const { context, servers, logs, questions } = deps;
  const store = new DisposableStore();
  const gate = new QuestionRateLimit({
    maxPerMinute: maxQuestionsPerMinute,
    now: Date.now,
    onPause: (held) => void showPause(held, () => questions.declineAll(held.server.id)),
  });
  const decisions = store.add(createRequestDecisions(deps.auditLog, windowRetention(logs)));
  const permissions = new SamplingPermissions(context.globalState);
  const budget = new HourBudget(context.globalState, Date.now);
  const sampling = { ...deps, permissions, budget, limits: readBudget };
  const elicitation = { ...deps, drafts: new FormDrafts() };
  store.add(followLogLevels(servers, logs));
  store.add(
    registerCommands(logs, {
      [Command.manageSampling]: (action: UserAction, row: unknown) =>
        manageSampling(action, sampling, serverOf(row, servers)),
    }),
  );
  return {
    createMessage: (server, request, asked) =>
      decisions.run(
        { server, method: 'sampling/createMessage', question: request },
        asked,
        async (signal) => {
          const entered = await gate.enter(server, signal);
          if (entered === 'decline') throw rejected(byClick);
          if (entered !== 'go') throw withdrawnRefusal(entered.reason);
          const sampled = await answerSampling(server, request, signal, sampling);
          return { ...sampled, action: 'returned' };
        },
      ),
    elicit: (server, request, asked) =>
      decisions.run<ElicitResult>(
        { server, method: 'elicitation/create', question: request },
        asked,
        async (signal) => {
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

/** The decider is a user who clicked a button of a notification. */
const byClick = { kind: 'user', how: 'click' } as const;

function serverOf(row: unknown, servers: Servers) {
  if (typeof row !== 'object' || row === null || !('server' in row)) return undefined;
  return servers.all.find((server) => server === row.server);
}

/** Reads the hourly budget from the settings, which are the same in every window. */
function readBudget() {
  return {
    requests: readSetting(Setting.samplingRequestsPerHour),
    tokens: readSetting(Setting.samplingTokensPerHour),
  };
}
