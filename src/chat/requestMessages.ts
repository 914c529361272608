import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { toParts } from '../mcp/content';
import type { PromptDraft } from '../mcp/promptDraft';
import { readRecord, type Message } from './conversation';
import { toModelContentParts } from './modelContent';
import type { PromptDrafts } from './promptDrafts';

/** What the person asks now, and what the model cannot be given of it. */
export interface RequestMessages {
  readonly messages: readonly Message[];
  readonly leftOut: readonly string[];
}

/** The messages of a request: those of a prompt that was handed over, or what the person typed. */
export function requestMessages(
  request: vscode.ChatRequest,
  drafts: PromptDrafts,
): RequestMessages {
  if (request.command !== 'prompt') return { messages: [userText(request.prompt)], leftOut: [] };
  const draft = drafts.find(request.prompt);
  if (!draft)
    throw new UserError(
      vscode.l10n.t('This prompt is no longer held in memory. Run it again with Run Prompt….'),
    );
  return draftMessages(draft);
}

/** The earlier turns of the conversation, with their tool calls where this window made them. */
export function historyMessages(context: vscode.ChatContext): readonly Message[] {
  const messages: Message[] = [];
  let question: string | undefined;
  for (const turn of context.history) {
    if (turn instanceof vscode.ChatRequestTurn) {
      question = turn.prompt;
      continue;
    }
    const record = readRecord(turn.result.metadata);
    if (record) messages.push(...record.messages);
    else if (question !== undefined) messages.push(userText(question), shownText(turn));
    question = undefined;
  }
  return messages;
}

function draftMessages(draft: PromptDraft): RequestMessages {
  const leftOut: string[] = [];
  const messages = draft.messages.map(({ role, content }): Message => {
    const mapped = toModelContentParts(toParts([content]));
    leftOut.push(...mapped.leftOut);
    return { role, parts: mapped.parts };
  });
  return { messages, leftOut };
}

function userText(text: string): Message {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

function shownText(turn: vscode.ChatResponseTurn): Message {
  const text = turn.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
  return { role: 'assistant', parts: [{ kind: 'text', text }] };
}
