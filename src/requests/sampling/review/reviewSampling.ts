import * as vscode from 'vscode';
import { signalOf } from '../../../base/abort';
import { isAbort, UserError } from '../../../base/errors';
import { plainLabel, plainMessage } from '../../../base/text/text';
import type { Server } from '../../../mcp/server';
import type { DocumentInput } from '../../../ui/documents/documentInput';
import type { Questions } from '../../../ui/questions/questions';
import type { Stage } from '../../../ui/questions/stage';
import { askModel, type ModelAnswer } from '../askModel';
import type { HourBudget } from '../hourBudget';
import type { SamplingPermission, SamplingPermissions } from '../permissions';
import type { RankedModel } from '../rankModels';
import { reviewAnswer } from './reviewAnswer';
import { reviewRequest, type ReviewedRequest } from './reviewRequest';
import type { SamplingDraft } from './samplingDraft';

/** A request that the user reviews before a model gets it. */
export interface SamplingReview {
  readonly server: Server;
  readonly draft: SamplingDraft;
  readonly permission: SamplingPermission | undefined;
  readonly models: readonly RankedModel<vscode.LanguageModelChat>[];
  readonly notes: readonly string[];
  readonly stage: Stage;
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
  const { server, permission, stage } = review;
  const looksAtAnswers = permission?.mode !== 'requests';
  let { draft, models } = review;
  let takesFocus = stage.isWanted;
  for (;;) {
    const request = await reviewRequest({ ...review, draft, models, takesFocus }, deps);
    if (!request) return 'decline';
    takesFocus = true;
    ({ draft } = request);
    models = firstModel(models, request.model);
    if (permission && models !== review.models)
      await deps.permissions.setModel(server, request.model.id);
    const answer = await answerReviewed(request, looksAtAnswers, review, deps);
    if (answer !== 'edit') return answer;
  }
}

/** Asks the model as often as the user wants; `edit` leads back to the request. */
async function answerReviewed(
  { draft, model }: ReviewedRequest,
  looksAtAnswers: boolean,
  { server, stage }: SamplingReview,
  { questions, input, budget }: ReviewDeps,
): Promise<ModelAnswer | 'decline' | 'edit'> {
  for (;;) {
    const sentAt = Date.now();
    const { signal } = stage;
    const answer = await stage.elsewhere(() => askWithProgress(model, draft, server, signal));
    if (!answer) return signal.aborted ? 'decline' : 'edit';
    budget.spend(await server.launchFingerprint(), answer.tokens);
    if (!looksAtAnswers) return answer;
    const takesFocus = !questions.turnedAway(sentAt, server.id);
    const chosen = await reviewAnswer(answer, { server, stage, takesFocus }, input);
    if (chosen.kind === 'return') return { ...answer, parts: chosen.parts };
    if (chosen.kind !== 'again') return chosen.kind === 'edit' ? 'edit' : 'decline';
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
    return await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => {
        const either = AbortSignal.any([signal, signalOf(token)]);
        const justification = t('The MCP server {0} asks.', name);
        return askModel(model, draft, { justification, signal: either });
      },
    );
  } catch (error) {
    if (error instanceof UserError)
      void vscode.window.showErrorMessage(plainMessage(error.message));
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
