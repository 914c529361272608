import * as vscode from 'vscode';
import { signalOf } from '../../../base/async';
import { UserError, isAbort } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { Server } from '../../../mcp/server';
import type { DocumentQuestion } from '../../../ui/documents/askedDocument';
import type { DocumentInput } from '../../../ui/documents/documentInput';
import type { Questions } from '../../../ui/questions/questions';
import type { QuestionContext, UserAction } from '../../../ui/questions/question';
import { type ModelAnswer, askModel } from '../askModel';
import type { HourBudget } from '../hourBudget';
import type { SamplingPermission, SamplingPermissions } from '../permissions';
import type { RankedModel } from '../rankModels';
import type { SamplingDraft } from './samplingDraft';
import type { Permit } from '../../../ui/keyboard';
import type { Translate } from '../../../base/translate';
import type { AskingServer } from '../../../mcp/protocol/serverRequests';
import { type MessagePart, dataBytes } from '../../../contracts/modelMessages';
import { Command } from '../../../ui/ids';
import { declineAllChoices, reviewDocument, type ShownReview } from '../../questionFrame';
import {
  type PlacedMedia,
  messageSections,
  placedMedia,
  readMessageSection,
} from './messageSections';
import { readSheet, sheetText, unknownHeading } from '../../sheet';
import { pickItem } from '../../../ui/steps/pickItem';
import { readRequestSheet, requestSheet } from './requestSheet';
import { writeAnswer, type WrittenChoice } from './writtenAnswer';
import { extensionsOf } from '../../../base/mediaTypes';
import { showMessage, withProgress } from '../../../ui/messages';

/** Returns media as files beside a document, with a link to each from its line. */
function mediaLinks(
  media: readonly PlacedMedia[],
): Required<Pick<DocumentQuestion, 'files' | 'links'>> {
  const named = media.map(({ line, part }, index) => ({
    line,
    name: `media-${index + 1}.${extensionsOf(part.mimeType)[0] ?? 'bin'}`,
    content: dataBytes(part),
  }));
  return {
    files: named.map(({ name, content }) => ({ name, content })),
    links: named.map(({ line, name }) => ({
      line,
      title: vscode.l10n.t('Open {0}', name),
      target: name,
    })),
  };
}

/** A request as it is to be sent, and the model that gets it; without one, the user writes the answer. */
interface ReviewedRequest {
  readonly draft: SamplingDraft;
  /** The document of the request, as the user left it. */
  readonly text: string;
  readonly model: vscode.LanguageModelChat | undefined;
  /** The user's action that sent it. */
  readonly action: UserAction | undefined;
}

/** A request to be reviewed. */
interface RequestReview {
  readonly server: AskingServer;
  readonly draft: SamplingDraft;
  /** The lines above the request. */
  readonly notes: readonly string[];
  /** The models to choose from; the first one is preselected. */
  readonly models: readonly RankedModel<vscode.LanguageModelChat>[];
  readonly context: QuestionContext;
  /** Absent if the user did not ask to look at it now. */
  readonly permit: Permit;
}

/** Shows a request in a document, to be edited and sent; `undefined` if it was denied or withdrawn. */
async function reviewRequest(
  review: RequestReview,
  { input, questions }: { readonly input: DocumentInput; readonly questions: Questions },
): Promise<ReviewedRequest | undefined> {
  const { server, draft, context, permit } = review;
  const { place, signal } = context;
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const lead = [t('{0} asks a language model', name), ...review.notes];
  const { text, media } = requestSheet(draft, lead, t);
  const changed = new vscode.EventEmitter<void>();
  let [chosen] = review.models;
  const questionOf = (shown: ShownReview) => ({
    name: `${name}.mcp-prompt`,
    ...shown,
    ...mediaLinks(media),
    get choices() {
      const forModel = chosen && [
        {
          id: 'send',
          title: `$(send) ${t('Send to {0}', plainLabel(chosen.model.name, 60))}`,
          command: Command.sendReviewed,
        },
        {
          id: 'model',
          title: t('Change Model… ({0})', chosen.reason),
          act: async (action: UserAction) => {
            chosen = (await pickModel(action, review, questions)) ?? chosen;
            changed.fire();
          },
        },
      ];
      return [
        ...(forModel ?? []),
        { id: 'write', title: `$(edit) ${t('Write the Answer…')}` },
        { id: 'deny', title: `$(circle-slash) ${t('Decline')}` },
        ...declineAllChoices(server, place),
      ];
    },
    onDidChangeChoices: (listener: () => void) => {
      const subscriptions = [changed.event(listener), place.onDidChange(listener)];
      return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
    },
    check: (edited: string, choice: string) => {
      const isUsed = choice === 'send' || choice === 'write';
      const read = isUsed ? readRequestSheet(edited, draft, t) : undefined;
      return read && 'problem' in read ? read.problem : undefined;
    },
    signal,
  });
  try {
    const answer = await reviewDocument(server, questionOf, { text, permit }, context, input);
    const read = readRequestSheet(answer.text, draft, t);
    if (!('draft' in read)) return undefined;
    const { choice, action, text: left } = answer;
    const reviewed = { draft: read.draft, text: left, action };
    if (choice === 'write') return { ...reviewed, model: undefined };
    return choice === 'send' && chosen ? { ...reviewed, model: chosen.model } : undefined;
  } finally {
    changed.dispose();
  }
}

async function pickModel(
  action: UserAction,
  { server, models, context }: RequestReview,
  questions: Questions,
) {
  const items = models.map((ranked) => ({
    label: plainLabel(ranked.model.name),
    description: plainLabel(ranked.model.vendor),
    detail: ranked.reason,
    ranked,
  }));
  const title = vscode.l10n.t('Model for the request of {0}', plainLabel(server.name, 60));
  const info = {
    kind: 'form',
    server,
    what: vscode.l10n.t('select a model'),
    asked: action,
  } as const;
  const outcome = await questions.ask(
    {
      info,
      ask: (own) =>
        pickItem({ frame: { title, actions: [], context: own }, items, own: { action } }),
    },
    context.signal,
  );
  const picked = outcome.kind === 'answered' ? outcome.answer : 'cancel';
  return typeof picked === 'string' ? undefined : picked.ranked;
}

/** What the user does with an answer: return it, perhaps edited, ask for another, edit the request, or deny it. */
type AnswerChoice =
  | { readonly kind: 'return'; readonly parts: readonly MessagePart[] }
  | { readonly kind: 'again' | 'edit' | 'deny'; readonly action: UserAction | undefined };

/** The server that gets an answer, and how the user reviews it. */
interface AnswerReview {
  readonly context: QuestionContext;
  readonly server: AskingServer;
  /** Absent if the user turned to something else while the model was working. */
  readonly permit: Permit;
}

/** Shows a model's answer in a document before a server gets it. */
async function reviewAnswer(
  answer: ModelAnswer,
  { server, context, permit }: AnswerReview,
  input: DocumentInput,
): Promise<AnswerChoice> {
  const { t } = vscode.l10n;
  const { place, signal } = context;
  const name = plainLabel(server.name, 60);
  const message = { role: 'assistant', parts: answer.parts } as const;
  const lead = [
    t('{0} answers {1}', plainLabel(answer.model.name, 60), name),
    `· ${t('{0} tokens in all; {1}', String(answer.tokens), stopText(answer.stopReason, t))}`,
  ];
  const sections = messageSections([message], t);
  const sheet = sheetText(lead, sections);
  const questionOf = (shown: ShownReview): DocumentQuestion => ({
    name: `${name}.mcp-prompt`,
    ...shown,
    ...mediaLinks(placedMedia(sections, sheet.lines)),
    get choices() {
      return [
        {
          id: 'return',
          title: `$(check) ${t('Return to {0}', name)}`,
          command: Command.returnReviewed,
        },
        { id: 'again', title: `$(refresh) ${t('Regenerate')}` },
        { id: 'edit', title: t('Edit Request') },
        { id: 'deny', title: `$(circle-slash) ${t('Decline')}` },
        ...declineAllChoices(server, place),
      ];
    },
    onDidChangeChoices: place.onDidChange,
    check: (edited, chosen) => {
      const read = chosen === 'return' ? readAnswer(edited, answer.parts, t) : undefined;
      return read && 'problem' in read ? read.problem : undefined;
    },
    signal,
  });
  const first = { text: sheet.text, permit };
  const { choice, text, action } = await reviewDocument(server, questionOf, first, context, input);
  const read = readAnswer(text, answer.parts, t);
  if (choice === 'return' && 'parts' in read) return { kind: 'return', parts: read.parts };
  return { kind: choice === 'again' || choice === 'edit' ? choice : 'deny', action };
}

/** Reads an edited answer back; a `problem` is one sentence. */
function readAnswer(
  text: string,
  original: readonly MessagePart[],
  t: Translate,
): { readonly parts: readonly MessagePart[] } | { readonly problem: string } {
  const known = messageSections([{ role: 'assistant', parts: original }], t);
  const parts: MessagePart[] = [];
  for (const section of readSheet(text)) {
    const read = readMessageSection(section, known, t);
    if (!read || ('role' in read && read.role !== 'assistant'))
      return { problem: unknownHeading(section, t) };
    if ('problem' in read) return read;
    parts.push(read.part);
  }
  return parts.length > 0 ? { parts } : { problem: t('There is no answer left to return.') };
}

function stopText(reason: ModelAnswer['stopReason'], t: Translate): string {
  switch (reason) {
    case 'endTurn':
      return t('the answer was complete');
    case 'maxTokens':
      return t('the token limit was reached');
    case 'stopSequence':
      return t('a stop sequence was reached');
    case 'toolUse':
      return t('the model requested tool calls');
  }
}

/** A request that the user reviews before a model gets it. */
export interface SamplingReview {
  readonly server: Server;
  readonly draft: SamplingDraft;
  readonly permission: SamplingPermission | undefined;
  readonly models: readonly RankedModel<vscode.LanguageModelChat>[];
  readonly notes: readonly string[];
  readonly context: QuestionContext;
  /** True if the server knows answers of several blocks. */
  readonly several: boolean;
}

interface ReviewDeps {
  readonly questions: Questions;
  readonly input: DocumentInput;
  readonly permissions: SamplingPermissions;
  readonly budget: HourBudget;
}

/** Lets the user review a request, and the answer unless only requests are reviewed. */
export async function reviewSampling(
  review: SamplingReview,
  deps: ReviewDeps,
): Promise<ModelAnswer | Extract<WrittenChoice, { readonly written: unknown }> | 'decline'> {
  const { server, permission, context, several } = review;
  const looksAtAnswers = permission?.mode !== 'requests';
  let { draft, models } = review;
  let permit: Permit = context.wanted;
  for (;;) {
    const request = await reviewRequest({ ...review, draft, models, permit }, deps);
    if (!request) return 'decline';
    ({ draft } = request);
    const { model, action, text } = request;
    models = firstModel(models, model);
    if (model && permission && models !== review.models)
      await deps.permissions.setModel(server, model.id);
    const answer = model
      ? await answerReviewed({ ...request, model }, looksAtAnswers, review, deps)
      : await writeAnswer(
          { server, request: text, permit: action, context, several, tools: draft.tools },
          deps.input,
        );
    if (typeof answer === 'string' || !('back' in answer)) return answer;
    permit = answer.back;
  }
}

/** Asks the model as often as the user wants; `edit` leads back to the request. */
async function answerReviewed(
  { draft, model, action }: ReviewedRequest & { readonly model: vscode.LanguageModelChat },
  looksAtAnswers: boolean,
  { server, context }: SamplingReview,
  { questions, input, budget, permissions }: ReviewDeps,
): Promise<ModelAnswer | 'decline' | { readonly back: Permit }> {
  for (let by = action; ;) {
    const { signal } = context;
    const answer = await context.setAside(() => askWithProgress(model, draft, server, signal));
    const permit = by && questions.stillBy(by, server.id);
    if (!answer) return signal.aborted ? 'decline' : { back: permit };
    await permissions.noteAnswer(model, true);
    budget.spend(await server.launchFingerprint(), answer.tokens);
    if (!looksAtAnswers) return answer;
    const chosen = await reviewAnswer(answer, { server, context, permit }, input);
    if (chosen.kind === 'return') return { ...answer, parts: chosen.parts };
    if (chosen.kind === 'edit') return { back: chosen.action };
    if (chosen.kind !== 'again') return 'decline';
    by = chosen.action;
  }
}

/** Asks the model and shows progress; `undefined` if the user stopped it or it failed, which the user is then told. */
async function askWithProgress(
  model: vscode.LanguageModelChat,
  draft: SamplingDraft,
  server: Server,
  signal: AbortSignal,
): Promise<ModelAnswer | undefined> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const title = t('{0} answers {1}', plainLabel(model.name, 60), name);
  try {
    return await withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => {
        const either = AbortSignal.any([signal, signalOf(token)]);
        const justification = t('The MCP server "{0}" asks.', name);
        return askModel(model, draft, { justification, signal: either });
      },
    );
  } catch (error) {
    if (error instanceof UserError) void showMessage('error', error.message);
    else if (!isAbort(error)) throw error;
    return undefined;
  }
}

/** Returns the models with the chosen one before the others. */
function firstModel(
  models: SamplingReview['models'],
  chosen: vscode.LanguageModelChat | undefined,
) {
  if (!chosen) return models;
  const first = models.filter(({ model }) => model === chosen);
  return models[0]?.model === chosen
    ? models
    : [...first, ...models.filter(({ model }) => model !== chosen)];
}
