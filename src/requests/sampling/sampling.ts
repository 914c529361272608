import { tokensIn } from '../../base/measureJson';
import * as vscode from 'vscode';
import { UserError, errorMessage } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import {
  type AskingServer,
  type CreateMessageRequest,
  type CreateMessageResult,
  RequestRefused,
} from '../../mcp/protocol/serverRequests';
import type { Server, Servers } from '../../mcp/server';
import { sessionInfo } from '../../mcp/serverState';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import type { Decider, QuestionOutcome } from '../../contracts/questionOutcome';
import { findModels } from '../../ui/editorChat';
import { Setting } from '../../ui/ids';
import type { Questions } from '../../ui/questions/questions';
import type { QuestionInfo, UserAction } from '../../ui/questions/question';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { createReader } from '../../ui/documents/wholeText';
import { rejected, withdrawnRefusal } from '../requestDecisions';
import { questionFrame } from '../questionFrame';
import { type ModelAnswer, askModel, countRequest, isNeverAsked } from './askModel';
import {
  type Consent,
  type SamplingPermission,
  type SamplingPermissions,
  askConsent,
} from './permissions';
import type { BudgetLimits, HourBudget } from './hourBudget';
import { type RankedModel, rankModels } from './rankModels';
import { requestInBrief, requestNotes } from './review/requestNotes';
import { requestSheet } from './review/requestSheet';
import { reviewSampling } from './review/reviewSampling';
import { type SamplingDraft, readSamplingDraft } from './review/samplingDraft';
import type { MessagePart } from '../../contracts/modelMessages';
import { knows } from '../../mcp/protocol/revisions';
import { showMessage, withProgress } from '../../ui/messages';
import { pairText } from '../../base/translate';

/** Returns an answer as it is sent to a server that speaks `revision`. */
function samplingResult(
  answer: {
    readonly parts: readonly MessagePart[];
    readonly model: string;
    readonly stopReason: string;
  },
  revision: string | undefined,
): CreateMessageResult {
  const blocks = answer.parts.map(toBlock);
  const several = blocks.length > 1 && knows(revision, 'severalSampled');
  return {
    role: 'assistant',
    content: several ? blocks : oneBlock(answer.parts),
    model: answer.model,
    stopReason: answer.stopReason,
  };
}

/** Returns all texts in one block, or the first block if there are none. */
function oneBlock(parts: readonly MessagePart[]): object {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? part.text : []));
  const [first] = parts;
  return texts.length > 0 || !first ? { type: 'text', text: texts.join('\n') } : toBlock(first);
}

function toBlock(part: MessagePart): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'data': {
      const type = part.mimeType.startsWith('audio/') ? 'audio' : 'image';
      return { type, data: part.base64, mimeType: part.mimeType };
    }
    case 'call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
    case 'answer':
      return {
        type: 'tool_result',
        toolUseId: part.id,
        content: part.content.map(toBlock),
      };
  }
}

const budgeted = { kind: 'permission', mode: 'budget' } as const;
const never = { kind: 'permission', mode: 'never' } as const;

/** What is needed to answer with a language model. */
export interface SamplingDeps {
  readonly servers: Servers;
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly permissions: SamplingPermissions;
  readonly budget: HourBudget;
  readonly limits: () => BudgetLimits;
  readonly context: { readonly languageModelAccessInformation: ModelAccess };
}

type ModelAccess = Pick<vscode.LanguageModelAccessInformation, 'canSendRequest'>;

/** An answer to send back, and who decided on it. */
export interface DecidedAnswer {
  readonly result: CreateMessageResult;
  readonly decidedBy: Decider;
}

/** A request that was understood, with what is known about its server. */
interface Asked {
  readonly server: Server;
  readonly draft: SamplingDraft;
  readonly permission: SamplingPermission | undefined;
  /** By which the user has just agreed to look at it. */
  readonly agreed?: UserAction | undefined;
  /** True if the user has just decided what the server may do. */
  readonly isDecided?: boolean | undefined;
  readonly models: readonly RankedModel<vscode.LanguageModelChat>[];
}

/**
 * Answers a server's request with a language model of the editor, after the user has reviewed it or within the budget
 * that they allowed. Throws a `RequestRefused` if there is no answer.
 */
export async function answerSampling(
  asking: AskingServer,
  request: CreateMessageRequest,
  signal: AbortSignal,
  deps: SamplingDeps,
): Promise<DecidedAnswer> {
  const asked = await understand(asking, request, deps);
  const { server, draft } = asked;
  const { permission, agreed, isDecided } =
    asked.permission === undefined ? await decideOnServer(asked, request, signal, deps) : asked;
  if (permission?.mode === 'never') throw rejected(never);
  const hasModel = asked.models.length > 0;
  const unseen =
    permission?.mode === 'budget' && hasModel
      ? await answerUnseen({ ...asked, isDecided }, signal, deps)
      : undefined;
  if (unseen && typeof unseen !== 'string') return toSampled(unseen, server, budgeted);

  const { t } = vscode.l10n;
  const howToChange = t('Manage Sampling… and "{0}" change it.', Setting.samplingRequestsPerHour);
  const overBudget = `⚠ ${t('This request exceeds the hourly budget.')} ${howToChange}`;
  const noModel = `⚠ ${t('No language model is available. Sign in to a model provider, install one, or write the answer yourself.')}`;
  const notAsked = `⚠ ${t('This provider has not answered a request that you sent yet: the editor may ask for your consent first. Then the budget applies.')}`;
  const notes = [
    ...(hasModel ? [] : [noModel]),
    ...(unseen === 'overBudget' ? [overBudget] : []),
    ...(unseen === 'notAsked' ? [notAsked] : []),
    ...requestNotes(request, draft, t),
  ];
  const revision = sessionInfo(server.state)?.protocolVersion;
  const several = knows(revision, 'severalSampled');
  const outcome = await deps.questions.ask<Awaited<ReturnType<typeof reviewSampling>>>(
    {
      // A user who has just agreed is waiting for this request and nothing else.
      info: { ...infoOf(server), ...(agreed && { asked: agreed }) },
      declined: 'decline',
      ask: (context) => reviewSampling({ ...asked, permission, notes, context, several }, deps),
    },
    signal,
  );
  const { answer, decidedBy } = answerOf(outcome);
  if (answer === 'decline') throw rejected(decidedBy);
  if ('written' in answer) return { result: answer.written, decidedBy };
  return toSampled(answer, server, decidedBy);
}

/** Asks what a server may do that has no decision yet; not deciding grants nothing. */
async function decideOnServer(
  { server, draft }: Asked,
  request: CreateMessageRequest,
  signal: AbortSignal,
  { questions, permissions, limits, input }: SamplingDeps,
): Promise<Pick<Asked, 'permission' | 'agreed' | 'isDecided'>> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const make = () => {
    const lead = [t('{0} asks a language model', name), ...requestNotes(request, draft, t)];
    return requestSheet(draft, lead, t).text;
  };
  let agreed: UserAction | undefined;
  const outcome = await questions.ask<Consent | 'decline' | 'ruled'>(
    {
      info: infoOf(server),
      declined: 'decline',
      ask: async (context) => {
        // The answer to another request of the server may have decided it in the meantime.
        if (await permissions.find(server)) return 'ruled';
        const read = createReader(`${name}.txt`, make, context.signal, input);
        const consent = await askConsent(server, questionFrame(server, context, read), limits(), {
          parts: requestInBrief(request, draft),
          showWhole: () => context.setAside(() => read(context.wanted)),
        });
        if (consent === undefined || context.signal.aborted) return 'decline';
        agreed = context.wanted;
        if (consent !== 'once') await permissions.set(server, { mode: consent });
        return consent;
      },
    },
    signal,
  );
  const { answer: consent, decidedBy } = answerOf(outcome);
  if (consent === 'decline' || consent === 'never') throw rejected(decidedBy);
  const permission = consent === 'once' ? undefined : await permissions.find(server);
  return { permission, agreed, isDecided: consent !== 'ruled' };
}

function infoOf(server: Server): QuestionInfo {
  const what = vscode.l10n.t('use a language model');
  return { kind: 'sampling', server, what };
}

async function understand(
  asking: AskingServer,
  request: CreateMessageRequest,
  { servers, permissions }: SamplingDeps,
): Promise<Asked> {
  const draft = readSamplingDraft(request);
  const server = servers.get(asking.id);
  const permission = server && (await permissions.find(server));
  if (!server) throw withdrawnRefusal('serverStopped');
  if (permission?.mode === 'never') throw rejected(never);
  const all = await findModels();
  const models = rankModels(all, request.modelPreferences ?? {}, {
    // An estimate: it is not known yet which model will count.
    tokens: tokensIn(JSON.stringify([draft.systemPrompt, draft.messages]).length),
    chosen: permission?.model,
    t: vscode.l10n.t,
  });
  return { server, draft, permission, models };
}

/** Answers without review, if the budget is large enough and the editor will not ask about the model itself. */
async function answerUnseen(
  { server, draft, models, isDecided }: Asked,
  signal: AbortSignal,
  { budget, limits, permissions, context }: SamplingDeps,
): Promise<ModelAnswer | 'overBudget' | 'notAsked'> {
  const model = models[0]?.model;
  if (!model) return 'overBudget';
  const { languageModelAccessInformation: access } = context;
  const isKnown = access.canSendRequest(model) === true && permissions.hasAnswered(model);
  // Nobody but the user brings up what the editor asks right after their decision.
  if (!isKnown && !isDecided) return 'notAsked';
  const most = (await countRequest(model, draft)) + draft.maxTokens;
  const launch = await server.launchFingerprint();
  signal.throwIfAborted();
  const reserved = budget.reserve(launch, most, limits());
  if (!reserved) return 'overBudget';
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const title = t('{0} answers {1}', plainLabel(model.name, 60), name);
  try {
    const answer = await withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      askModel(model, draft, { justification: t('The MCP server "{0}" asks.', name), signal }),
    );
    reserved.settle(answer.tokens);
    await permissions.noteAnswer(model, true);
    return answer;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Another failure may have cost as much as an answer.
    if (isNeverAsked(error)) {
      reserved.settle(0);
      await permissions.noteAnswer(model, false);
    }
    void showMessage('warning', pairText(name, error.message, vscode.l10n.t));
    throw new RequestRefused(errorMessage(error), ErrorCode.internal);
  }
}

function toSampled(
  { model, ...answer }: ModelAnswer,
  { state }: Server,
  decidedBy: Decider,
): DecidedAnswer {
  const revision = sessionInfo(state)?.protocolVersion;
  return { result: samplingResult({ ...answer, model: model.id }, revision), decidedBy };
}

/** Returns the answer to a question and who gave it; throws a refusal if the question was withdrawn. */
function answerOf<T>(outcome: QuestionOutcome<T>): {
  readonly answer: T;
  readonly decidedBy: Decider;
} {
  if (outcome.kind === 'withdrawn') throw withdrawnRefusal(outcome.reason);
  return { answer: outcome.answer, decidedBy: { kind: 'user', how: outcome.how } };
}
