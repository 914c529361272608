import * as vscode from 'vscode';
import { signalOf } from '../../../base/async';
import { UserError, isAbort } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { Server } from '../../../mcp/server';
import type { DocumentAnswer, DocumentQuestion } from '../../../ui/documents/askedDocument';
import type { DocumentInput } from '../../../ui/documents/documentInput';
import type { Questions } from '../../../ui/questions/questions';
import type { QuestionContext, UserAction } from '../../../ui/questions/question';
import { type ModelAnswer, askModel } from '../askModel';
import type { HourBudget } from '../hourBudget';
import type { SamplingPermission, SamplingPermissions } from '../permissions';
import type { RankedModel } from '../rankModels';
import type { SamplingDraft } from './samplingDraft';
import type { Leave } from '../../../ui/keyboard';
import type { Translate } from '../../../base/translate';
import type { AskingServer } from '../../../mcp/protocol/serverRequests';
import { type MessagePart, dataBytes } from '../../../contracts/modelMessages';
import { Command } from '../../../ui/ids';
import { declineAllChoices } from '../../questionFrame';
import {
  type PlacedMedia,
  messageSections,
  placedMedia,
  readMessageSection,
} from './messageSections';
import { readSheet, sheetText, unknownHeading } from '../../sheet';
import { pickItem } from '../../../ui/steps/pickItem';
import { readRequestSheet, requestSheet } from './requestSheet';
import { extensionsOf } from '../../../base/mediaTypes';
import { offer, withProgress } from '../../../ui/messages';

/** The text of a review, and leave for it to take the keyboard. */
type ShownReview = Pick<DocumentQuestion, 'text' | 'leave'>;

/**
 * Shows a review until the user makes a choice. Closing the document decides nothing: they then go back to it as they
 * left it, or deny the request, in which case `choice` is `undefined`.
 */
async function reviewDocument(
  server: AskingServer,
  questionOf: (shown: ShownReview) => DocumentQuestion,
  first: ShownReview,
  context: QuestionContext,
  input: DocumentInput,
): Promise<DocumentAnswer> {
  let shown = first;
  for (;;) {
    // While the document is open, other questions may come up.
    const answer = await context.elsewhere(() => input.ask(questionOf(shown)));
    if (answer.choice !== undefined || context.signal.aborted) return answer;
    if (await isDenied(server, context)) return answer;
    shown = { text: answer.text, leave: context.wanted };
  }
}

async function isDenied(server: AskingServer, context: QuestionContext): Promise<boolean> {
  const { t } = vscode.l10n;
  const items = [
    {
      label: t('Back to the Document'),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      isDenial: false,
      grantsNothing: true as const,
    },
    { label: t('Decline'), iconPath: new vscode.ThemeIcon('circle-slash'), isDenial: true },
  ];
  const title = t('The document of {0} was closed', plainLabel(server.name, 60));
  const picked = await pickItem({
    frame: { title, actions: [], context },
    prompt: t('The server still waits for an answer.'),
    items,
  });
  return typeof picked !== 'string' && picked.isDenial;
}

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

/** A request as it is to be sent, and the model that gets it. */
interface ReviewedRequest {
  readonly draft: SamplingDraft;
  readonly model: vscode.LanguageModelChat;
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
  readonly leave: Leave;
}

/** Shows a request in a document, to be edited and sent; `undefined` if it was denied or withdrawn. */
async function reviewRequest(
  review: RequestReview,
  { input, questions }: { readonly input: DocumentInput; readonly questions: Questions },
): Promise<ReviewedRequest | undefined> {
  const { server, draft, context, leave } = review;
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
      const model = plainLabel(chosen?.model.name ?? '', 60);
      return [
        {
          id: 'send',
          title: `$(send) ${t('Send to {0}', model)}`,
          command: Command.sendReviewed,
        },
        {
          id: 'model',
          title: t('Change Model… ({0})', chosen?.reason ?? ''),
          act: async (action: UserAction) => {
            chosen = (await pickModel(action, review, questions)) ?? chosen;
            changed.fire();
          },
        },
        { id: 'deny', title: `$(circle-slash) ${t('Decline')}` },
        ...declineAllChoices(server, place),
      ];
    },
    onDidChangeChoices: (listener: () => void) => {
      const subscriptions = [changed.event(listener), place.onDidChange(listener)];
      return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
    },
    check: (edited: string, choice: string) => {
      const read = choice === 'send' ? readRequestSheet(edited, draft, t) : undefined;
      return read && 'problem' in read ? read.problem : undefined;
    },
    signal,
  });
  try {
    const answer = await reviewDocument(server, questionOf, { text, leave }, context, input);
    const read = readRequestSheet(answer.text, draft, t);
    if (answer.choice !== 'send' || !('draft' in read) || !chosen) return undefined;
    return { draft: read.draft, model: chosen.model, action: answer.action };
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
  readonly leave: Leave;
}

/** Shows a model's answer in a document before a server gets it. */
async function reviewAnswer(
  answer: ModelAnswer,
  { server, context, leave }: AnswerReview,
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
  const first = { text: sheet.text, leave };
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
): Promise<ModelAnswer | 'decline'> {
  const { server, permission, context } = review;
  const looksAtAnswers = permission?.mode !== 'requests';
  let { draft, models } = review;
  let leave: Leave = context.wanted;
  for (;;) {
    const request = await reviewRequest({ ...review, draft, models, leave }, deps);
    if (!request) return 'decline';
    ({ draft } = request);
    models = firstModel(models, request.model);
    if (permission && models !== review.models)
      await deps.permissions.setModel(server, request.model.id);
    const answer = await answerReviewed(request, looksAtAnswers, review, deps);
    if (typeof answer === 'string' || !('back' in answer)) return answer;
    leave = answer.back;
  }
}

/** Asks the model as often as the user wants; `edit` leads back to the request. */
async function answerReviewed(
  { draft, model, action }: ReviewedRequest,
  looksAtAnswers: boolean,
  { server, context }: SamplingReview,
  { questions, input, budget }: ReviewDeps,
): Promise<ModelAnswer | 'decline' | { readonly back: Leave }> {
  for (let by = action; ;) {
    const { signal } = context;
    const answer = await context.elsewhere(() => askWithProgress(model, draft, server, signal));
    const leave = by && questions.stillBy(by, server.id);
    if (!answer) return signal.aborted ? 'decline' : { back: leave };
    budget.spend(await server.launchFingerprint(), answer.tokens);
    if (!looksAtAnswers) return answer;
    const chosen = await reviewAnswer(answer, { server, context, leave }, input);
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
    if (error instanceof UserError) void offer('error', error.message);
    else if (!isAbort(error)) throw error;
    return undefined;
  }
}

/** Returns the models with the chosen one before the others. */
function firstModel(models: SamplingReview['models'], chosen: vscode.LanguageModelChat) {
  const first = models.filter(({ model }) => model === chosen);
  return models[0]?.model === chosen
    ? models
    : [...first, ...models.filter(({ model }) => model !== chosen)];
}
