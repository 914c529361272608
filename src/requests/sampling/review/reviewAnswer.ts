import * as vscode from 'vscode';
import { plainLabel } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import type { AskingServer } from '../../../mcp/protocol/clientRequests';
import type { MessagePart } from '../../../contracts/modelMessages';
import type { DocumentInput, DocumentQuestion } from '../../../ui/documents/documentInput';
import { Command } from '../../../ui/ids';
import { declineAllChoices } from '../../questionFrame';
import type { Stage } from '../../../ui/questions/stage';
import type { ModelAnswer } from '../askModel';
import { mediaLinks } from './mediaLinks';
import { messageSections, placedMedia, readMessageSection } from './messageSections';
import { reviewDocument, type ShownReview } from './reviewDocument';
import { readSheet, sheetText, unknownHeading } from '../../sheet';

/** What the user does with an answer: return it, perhaps edited, ask for another, edit the request, or deny it. */
export type AnswerChoice =
  | { readonly kind: 'return'; readonly parts: readonly MessagePart[] }
  | { readonly kind: 'again' | 'edit' | 'deny' };

/** The server that gets an answer, and how the user reviews it. */
interface AnswerReview {
  readonly stage: Stage;
  readonly server: AskingServer;
  /** False if the user turned to something else while the model was working. */
  readonly takesFocus: boolean;
}

/** Shows a model's answer in a document before a server gets it. */
export async function reviewAnswer(
  answer: ModelAnswer,
  { server, stage, takesFocus }: AnswerReview,
  input: DocumentInput,
): Promise<AnswerChoice> {
  const { t } = vscode.l10n;
  const { place, signal } = stage;
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
        { id: 'deny', title: `$(circle-slash) ${t('Deny')}` },
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
  const first = { text: sheet.text, takesFocus };
  const { choice, text } = await reviewDocument(server, questionOf, first, stage, input);
  const read = readAnswer(text, answer.parts, t);
  if (choice === 'return' && 'parts' in read) return { kind: 'return', parts: read.parts };
  return { kind: choice === 'again' || choice === 'edit' ? choice : 'deny' };
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
