import * as vscode from 'vscode';
import type { JsonObject } from '../../mcp/protocol/types';
import type { ModelMessage, MessagePart } from '../../contracts/modelMessages';
import { sayBreak, sayForModel, sayLine } from '../../ui/rows/chatText';
import { toModelMessages } from '../../ui/toModelMessages';
import { runModelCall, type CallParts, type WantedCall } from '../calls/runModelCall';

/** What one answer of the model needs. */
export interface Answering extends CallParts {
  readonly model: vscode.LanguageModelChat;
  readonly token: vscode.CancellationToken;
  readonly maxRounds: number;
  /** Returns the tools to offer now: what is found in one round is offered in the next. */
  readonly offer: () => readonly vscode.LanguageModelChatTool[];
}

/**
 * Lets the model answer, running the tools it calls until it calls no more or the rounds are used up. Puts what
 * this adds to the conversation in `added`, even if it rejects; resolves with how the answer ended.
 */
export async function answer(
  messages: readonly ModelMessage[],
  added: ModelMessage[],
  parts: Answering,
): Promise<'complete' | 'rounds' | 'cancelled'> {
  const { stream, token, maxRounds } = parts;
  for (let round = 0; round < maxRounds; round += 1) {
    const reply = await ask([...messages, ...added], parts);
    const calls = reply.parts.filter((part) => part.kind === 'call');
    if (calls.length === 0) {
      if (reply.parts.length > 0) added.push(reply);
      return token.isCancellationRequested ? 'cancelled' : 'complete';
    }
    const answers = token.isCancellationRequested
      ? calls.map(cancelled)
      : await Promise.all(calls.map((call) => runModelCall(call, parts)));
    // Added together: models refuse a history in which a call has no answer.
    added.push(reply, { role: 'user', parts: answers });
    if (token.isCancellationRequested) return 'cancelled';
  }
  const note = vscode.l10n.t('Stopped after {0} rounds of tool calls.', maxRounds);
  sayBreak(stream);
  sayLine(stream, note);
  return 'rounds';
}

/** Sends the conversation once, streams the text of the reply and returns the whole reply. */
async function ask(
  messages: readonly ModelMessage[],
  { model, stream, token, offer }: Answering,
): Promise<ModelMessage> {
  const tools = offer();
  const response = await model.sendRequest(
    toModelMessages(messages),
    tools.length > 0 ? { tools: [...tools] } : {},
    token,
  );
  const calls: MessagePart[] = [];
  let text = '';
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      sayForModel(stream, part.value);
      text += part.value;
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      const { callId, name, input } = part;
      calls.push({ kind: 'call', id: callId, name, input: input as JsonObject });
    }
  }
  if (text && calls.length > 0) sayBreak(stream);
  return { role: 'assistant', parts: text ? [{ kind: 'text', text }, ...calls] : calls };
}

function cancelled({ id }: WantedCall): MessagePart {
  return { kind: 'answer', id, content: [{ kind: 'text', text: 'The call was cancelled.' }] };
}
