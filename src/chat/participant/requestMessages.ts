import * as vscode from 'vscode';
import type { Sentence } from '../../base/translate';
import { toParts } from '../../mcp/protocol/content';
import type { HandedPrompt, OpenableFile, PromptDraft } from '../../contracts/promptDraft';
import { toModelContentParts, type ModelMessage } from '../../contracts/modelMessages';
import { readTurnRecord, type TurnRecord } from './conversation';
import { referenceContent, withMissing } from './references';

/** What the user asks now, and which parts of it the model cannot be given. */
export interface RequestMessages {
  readonly messages: readonly ModelMessage[];
  readonly leftOut: readonly Sentence[];
  /** Content that the user can open instead. */
  readonly openable: readonly OpenableFile[];
  /** The prompt that was handed over. */
  readonly draft?: PromptDraft;
}

/** Returns the messages of a request: those of a prompt that was handed over, or what the user typed and attached. */
export async function requestMessages(
  request: Pick<vscode.ChatRequest, 'prompt' | 'references'>,
  handed: HandedPrompt | undefined,
): Promise<RequestMessages> {
  if (!handed) {
    const attached = await referenceContent(request.references);
    const parts = [{ kind: 'text', text: request.prompt } as const, ...attached.parts];
    return { messages: [{ role: 'user', parts }], leftOut: attached.leftOut, openable: [] };
  }
  // The editor silently drops linked documents from the attachments, as it does images.
  const linked = handed.linked.map((uri) => ({ id: uri, value: vscode.Uri.parse(uri) }));
  const attached = await referenceContent(withMissing(request.references, linked));
  const { draft, openable } = handed;
  const { messages, leftOut } = draftMessages(draft);
  // Attachments come first, so that the prompt stays as its server wrote it.
  const before: readonly ModelMessage[] =
    attached.parts.length > 0 ? [{ role: 'user', parts: attached.parts }] : [];
  return {
    messages: [...before, ...messages],
    leftOut: [...attached.leftOut, ...leftOut],
    openable,
    draft,
  };
}

/** Returns the records that earlier answers of this participant left, oldest first. */
export function earlierRecords({ history }: vscode.ChatContext): readonly TurnRecord[] {
  return history.flatMap((turn) => {
    const record =
      turn instanceof vscode.ChatResponseTurn ? readTurnRecord(turn.result.metadata) : undefined;
    return record ? [record] : [];
  });
}

/** Returns the messages of each earlier turn of the conversation, with the tool calls if they are known. */
export function earlierTurns({
  history,
}: vscode.ChatContext): readonly (readonly ModelMessage[])[] {
  const turns: (readonly ModelMessage[])[] = [];
  let question: string | undefined;
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) {
      question = turn.prompt;
      continue;
    }
    const record = readTurnRecord(turn.result.metadata);
    if (record) turns.push(record.messages);
    else if (question !== undefined) turns.push([userText(question), shownText(turn)]);
    question = undefined;
  }
  return turns;
}

function draftMessages(draft: PromptDraft): Pick<RequestMessages, 'messages' | 'leftOut'> {
  const leftOut: Sentence[] = [];
  const messages = draft.messages.map(({ role, content }): ModelMessage => {
    const mapped = toModelContentParts(toParts([content]));
    leftOut.push(...mapped.leftOut);
    return { role, parts: mapped.parts };
  });
  return { messages, leftOut };
}

function userText(text: string): ModelMessage {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

function shownText(turn: vscode.ChatResponseTurn): ModelMessage {
  const text = turn.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
  return { role: 'assistant', parts: [{ kind: 'text', text }] };
}
