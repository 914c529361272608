import * as vscode from 'vscode';
import { escapeMarkdown } from '../base/markdown';
import type { JsonObject } from '../mcp/protocol';
import type { Message, MessagePart } from '../mcp/modelMessages';
import { toModelMessages } from '../ui/modelMessages';
import { runModelCall, type CallParts, type WantedCall } from './runModelCall';

/** What one answer of the model is made with. */
export interface Answering extends CallParts {
  readonly model: vscode.LanguageModelChat;
  readonly token: vscode.CancellationToken;
  readonly maxRounds: number;
  /** The tools to offer now: what is found in one round is offered in the next. */
  readonly offer: () => readonly vscode.LanguageModelChatTool[];
}

/** What an answer added to the conversation, and whether it came to its end. */
export interface Answered {
  readonly messages: readonly Message[];
  readonly ending: 'complete' | 'rounds' | 'cancelled';
}

/** Lets the model answer, running the tools it calls until it calls no more or the rounds are used up. */
export async function answer(messages: readonly Message[], parts: Answering): Promise<Answered> {
  const { stream, token, maxRounds } = parts;
  const added: Message[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const reply = await ask([...messages, ...added], parts);
    if (reply.parts.length > 0) added.push(reply);
    const calls = reply.parts.filter((part) => part.kind === 'call');
    if (token.isCancellationRequested)
      return { messages: answered(added, calls), ending: 'cancelled' };
    if (calls.length === 0) return { messages: added, ending: 'complete' };
    added.push({
      role: 'user',
      parts: await Promise.all(calls.map((call) => runModelCall(call, parts))),
    });
    if (token.isCancellationRequested) return { messages: added, ending: 'cancelled' };
  }
  const note = vscode.l10n.t('Stopped after {0} rounds of tool calls.', maxRounds);
  stream.markdown(`\n\n${escapeMarkdown(note)}`);
  return { messages: added, ending: 'rounds' };
}

/** Sends the conversation once, streams the text of the reply and gives all of it. */
async function ask(
  messages: readonly Message[],
  { model, stream, token, offer }: Answering,
): Promise<Message> {
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
      stream.markdown(part.value);
      text += part.value;
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      const { callId, name, input } = part;
      calls.push({ kind: 'call', id: callId, name, input: input as JsonObject });
    }
  }
  if (text && calls.length > 0) stream.markdown('\n\n');
  return { role: 'assistant', parts: text ? [{ kind: 'text', text }, ...calls] : calls };
}

/** Models refuse a history in which a call has no answer. */
function answered(messages: readonly Message[], calls: readonly WantedCall[]): readonly Message[] {
  if (calls.length === 0) return messages;
  const content = [{ kind: 'text', text: 'The call was cancelled.' } as const];
  const parts = calls.map(({ id }) => ({ kind: 'answer', id, content }) as const);
  return [...messages, { role: 'user', parts }];
}
