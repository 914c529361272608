import * as vscode from 'vscode';
import { errorMessage, UserError } from '../../base/errors';
import { plainLabel, plainMessage } from '../../base/text/text';
import {
  RequestRefused,
  type AskingServer,
  type CreateMessageRequest,
  type CreateMessageResult,
} from '../../mcp/protocol/clientRequests';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import type { Questions } from '../../ui/questions/questions';
import type { Cause } from '../../ui/questions/stage';
import type { DocumentInput } from '../../ui/documents/documentInput';
import type { Unanswered } from '../questionRateLimit';
import { questionFrame } from '../questionFrame';
import { askModel, countRequest, type ModelAnswer } from './askModel';
import { askConsent, type Consent } from './consent';
import type { BudgetLimits, HourBudget } from './hourBudget';
import type { SamplingPermission, SamplingPermissions } from './permissions';
import { rankModels, type RankedModel } from './rankModels';
import { requestNotes } from './review/requestNotes';
import { reviewSampling } from './review/reviewSampling';
import { readSamplingDraft, type SamplingDraft } from './review/samplingDraft';
import { samplingResult } from './samplingResult';

/** What answering with a language model needs. */
export interface SamplingDeps {
  readonly servers: Servers;
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly permissions: SamplingPermissions;
  readonly budget: HourBudget;
  readonly limits: () => BudgetLimits;
}

/** An answer on its way back, and how it was decided on. */
export interface Sampled {
  readonly result: CreateMessageResult;
  readonly by: 'person' | 'budget';
}

/** A request that was understood, with what is known of its server. */
interface Asked {
  readonly server: Server;
  readonly draft: SamplingDraft;
  readonly permission: SamplingPermission | undefined;
  readonly models: readonly RankedModel<vscode.LanguageModelChat>[];
}

/**
 * Answers a server's request with a language model of the editor: after the person looked at it, or
 * within the budget that the person allowed. Throws a `RequestRefused` where there is no answer.
 */
export async function answerSampling(
  asking: AskingServer,
  request: CreateMessageRequest,
  signal: AbortSignal,
  deps: SamplingDeps,
): Promise<Sampled> {
  const asked = await understand(asking, request, deps);
  const { server, draft } = asked;
  const permission = asked.permission ?? (await decideOnServer(server, signal, deps));
  if (permission === 'decline') throw rejected();
  const unseen =
    permission?.mode === 'budget' ? await answerUnseen(asked, signal, deps) : undefined;
  if (unseen && unseen !== 'overBudget') return toSampled(unseen, server, 'budget');

  const { t } = vscode.l10n;
  const overBudget = `⚠ ${t('The budget of this hour does not suffice for this request.')}`;
  const notes = requestNotes(request, draft, t);
  const outcome = await deps.questions.ask<ModelAnswer | Unanswered>(
    {
      // Who has just agreed waits for the request and for nothing else.
      cause: { ...causeOf(server), asked: asked.permission === undefined },
      declined: 'decline',
      ask: (stage) =>
        // It is looked at in documents, beside which other questions may come up.
        stage.elsewhere(() =>
          reviewSampling(
            {
              ...asked,
              permission,
              notes: unseen === 'overBudget' ? [overBudget, ...notes] : notes,
              place: stage.place,
              signal: stage.signal,
            },
            deps,
          ),
        ),
    },
    signal,
  );
  const reviewed = outcome.kind === 'answered' ? outcome.answer : 'cancel';
  if (typeof reviewed === 'string') throw rejected();
  return toSampled(reviewed, server, 'person');
}

/** Asks what a server may, of which nobody decided that before; nothing is granted by not deciding. */
async function decideOnServer(
  server: Server,
  signal: AbortSignal,
  { questions, permissions, limits }: SamplingDeps,
): Promise<SamplingPermission | 'decline' | undefined> {
  const outcome = await questions.ask<Consent | 'decline'>(
    {
      cause: causeOf(server),
      declined: 'decline',
      ask: async (stage) =>
        (await askConsent(server, questionFrame(server, stage), limits())) ?? 'decline',
    },
    signal,
  );
  const consent = outcome.kind === 'answered' ? outcome.answer : 'decline';
  if (consent === 'decline') return consent;
  if (consent === 'once') return undefined;
  await permissions.set(server, { mode: consent });
  return consent === 'never' ? 'decline' : permissions.find(server);
}

function causeOf(server: Server): Cause {
  const what = vscode.l10n.t('use a language model');
  return { kind: 'sampling', server, what, asked: false };
}

async function understand(
  asking: AskingServer,
  request: CreateMessageRequest,
  { servers, permissions }: SamplingDeps,
): Promise<Asked> {
  const draft = readSamplingDraft(request);
  const server = servers.get(asking.id);
  const permission = server && (await permissions.find(server));
  if (!server || permission?.mode === 'never') throw rejected();
  const all = await vscode.lm.selectChatModels();
  if (all.length === 0) throw refuseWithoutModel(server);
  const models = rankModels(all, request.modelPreferences ?? {}, {
    // A guess: nobody knows yet which model counts.
    tokens: Math.ceil(JSON.stringify([draft.systemPrompt, draft.messages]).length / 4),
    chosen: permission?.model,
    t: vscode.l10n.t,
  });
  return { server, draft, permission, models };
}

/** Answers without anyone looking, as far as the budget goes. */
async function answerUnseen(
  { server, draft, models }: Asked,
  signal: AbortSignal,
  { budget, limits }: SamplingDeps,
): Promise<ModelAnswer | 'overBudget'> {
  const model = models[0]?.model;
  if (!model) return 'overBudget';
  const most = (await countRequest(model, draft)) + draft.maxTokens;
  const reserved = budget.reserve(await server.launchPrint(), most, limits());
  if (!reserved) return 'overBudget';
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const title = t('{0} answers {1}', plainLabel(model.name, 60), name);
  try {
    const answer = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title },
      () => askModel(model, draft, { justification: t('The MCP server {0} asks.', name), signal }),
    );
    reserved.authorize(answer.tokens);
    return answer;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    void vscode.window.showWarningMessage(plainMessage(`${name}: ${error.message}`));
    throw new RequestRefused(errorMessage(error), ErrorCode.internal);
  }
}

function toSampled(
  { model, ...answer }: ModelAnswer,
  { state }: Server,
  by: Sampled['by'],
): Sampled {
  const revision = state.kind === 'running' ? state.info.protocolVersion : undefined;
  return { result: samplingResult({ ...answer, model: model.id }, revision), by };
}

/** The protocol's own words for a person who does not want to (sampling, error handling). */
export function rejected(): RequestRefused {
  return new RequestRefused('User rejected sampling request');
}

function refuseWithoutModel({ name }: Server): RequestRefused {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} asked a language model, but this editor has none. Sign in to a provider of models, or install one.',
      plainLabel(name, 60),
    ),
  );
  return new RequestRefused('There is no language model in the editor.', ErrorCode.internal);
}
