import * as vscode from 'vscode';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../../mcp/protocol/clientRequests';
import type { DocumentInput } from '../../../ui/documents/documentInput';
import { Command } from '../../../ui/ids';
import type { Questions } from '../../../ui/questions/questions';
import { pickItem } from '../../../ui/steps/pickItem';
import { declineAllChoices } from '../../questionFrame';
import { byUser, type Stage } from '../../../ui/questions/stage';
import { mediaLinks } from './mediaLinks';
import { reviewDocument, type ShownReview } from './reviewDocument';
import type { RankedModel } from '../rankModels';
import { readRequestSheet, requestSheet } from './requestSheet';
import type { SamplingDraft } from './samplingDraft';

/** A request as it is to be sent, and the model that gets it. */
export interface ReviewedRequest {
  readonly draft: SamplingDraft;
  readonly model: vscode.LanguageModelChat;
}

/** A request to be reviewed. */
export interface RequestReview {
  readonly server: AskingServer;
  readonly draft: SamplingDraft;
  /** The lines above the request. */
  readonly notes: readonly string[];
  /** The models to choose from; the first one is preselected. */
  readonly models: readonly RankedModel<vscode.LanguageModelChat>[];
  readonly stage: Stage;
  /** True if the user wants to look at it now. */
  readonly takesFocus: boolean;
}

/** Shows a request in a document, to be edited and sent; `undefined` if it was denied or withdrawn. */
export async function reviewRequest(
  review: RequestReview,
  { input, questions }: { readonly input: DocumentInput; readonly questions: Questions },
): Promise<ReviewedRequest | undefined> {
  const { server, draft, stage, takesFocus } = review;
  const { place, signal } = stage;
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
          act: async () => {
            chosen = (await pickModel(review, questions)) ?? chosen;
            changed.fire();
          },
        },
        { id: 'deny', title: `$(circle-slash) ${t('Deny')}` },
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
    const answer = await reviewDocument(server, questionOf, { text, takesFocus }, stage, input);
    const read = readRequestSheet(answer.text, draft, t);
    if (answer.choice !== 'send' || !('draft' in read) || !chosen) return undefined;
    return { draft: read.draft, model: chosen.model };
  } finally {
    changed.dispose();
  }
}

async function pickModel({ server, models, stage }: RequestReview, questions: Questions) {
  const items = models.map((ranked) => ({
    label: plainLabel(ranked.model.name),
    description: plainLabel(ranked.model.vendor),
    detail: ranked.reason,
    ranked,
  }));
  const title = vscode.l10n.t('Model for the request of {0}', plainLabel(server.name, 60));
  const action = byUser();
  const cause = {
    kind: 'form',
    server,
    what: vscode.l10n.t('select a model'),
    asked: action,
  } as const;
  const outcome = await questions.ask(
    {
      cause,
      ask: (own) => pickItem({ frame: { title, actions: [], stage: own }, items, own: { action } }),
    },
    stage.signal,
  );
  const picked = outcome.kind === 'answered' ? outcome.answer : 'cancel';
  return typeof picked === 'string' ? undefined : picked.ranked;
}
