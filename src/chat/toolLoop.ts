import * as vscode from 'vscode';
import { escapeMarkdown } from '../base/markdown';
import { plainLabel } from '../base/text';
import { nameTools, type NamedTool } from '../mcp/toolNames';
import { displayName, type JsonObject } from '../mcp/protocol';
import type { Servers } from '../mcp/servers';
import type { CallOrigin, RunTool, ToolOutcome } from '../mcp/toolCalls';
import type { Message, MessagePart } from './conversation';
import { outcomeContent } from './modelContent';
import { toModelMessages } from './modelMessages';

type Call = MessagePart & { readonly kind: 'call' };

/** What one answer of the model is made with. */
export interface Answering {
  readonly servers: Servers;
  readonly run: RunTool;
  readonly model: vscode.LanguageModelChat;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  readonly signal: AbortSignal;
  readonly origin: CallOrigin;
  readonly maxRounds: number;
}

/**
 * Lets the model answer, running the tools it calls until it calls no more or the rounds are used
 * up, and gives the messages that this added to `messages`.
 */
export async function answer(
  messages: readonly Message[],
  deps: Answering,
): Promise<readonly Message[]> {
  const { servers, stream, maxRounds } = deps;
  const added: Message[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const tools = nameTools(servers.all);
    const reply = await ask([...messages, ...added], tools, deps);
    if (reply.parts.length > 0) added.push(reply);
    const calls = reply.parts.filter((part) => part.kind === 'call');
    if (calls.length === 0 || deps.token.isCancellationRequested) return added;
    const parts = await Promise.all(calls.map((call) => runCall(call, tools, deps)));
    added.push({ role: 'user', parts });
    if (deps.token.isCancellationRequested) return added;
  }
  stream.markdown(
    vscode.l10n.t(
      '\n\nStopped after {0} rounds of tool calls. Say "go on" to continue.',
      maxRounds,
    ),
  );
  return added;
}

/** Sends the conversation once, streams the text of the reply and gives all of it. */
async function ask(
  messages: readonly Message[],
  tools: ReadonlyMap<string, NamedTool>,
  { model, stream, token }: Answering,
): Promise<Message> {
  const response = await model.sendRequest(
    toModelMessages(messages),
    { tools: [...tools.values()].map(toModelTool) },
    token,
  );
  const parts: MessagePart[] = [];
  let text = '';
  for await (const part of response.stream) {
    if (part instanceof vscode.LanguageModelTextPart) {
      stream.markdown(part.value);
      text += part.value;
    } else if (part instanceof vscode.LanguageModelToolCallPart) {
      const { callId, name, input } = part;
      parts.push({ kind: 'call', id: callId, name, input: input as JsonObject });
    }
  }
  return { role: 'assistant', parts: text ? [{ kind: 'text', text }, ...parts] : parts };
}

async function runCall(
  call: Call,
  tools: ReadonlyMap<string, NamedTool>,
  { run, stream, signal, origin }: Answering,
): Promise<MessagePart> {
  const named = tools.get(call.name);
  const answered = (content: ToolOutcome): MessagePart => ({
    kind: 'answer',
    id: call.id,
    content: outcomeContent(content).parts,
  });
  if (!named) return answered({ kind: 'failed', message: `There is no tool "${call.name}".` });
  const { server, tool } = named;
  const label = `${plainLabel(server.name)} › ${plainLabel(displayName(tool))}`;
  stream.progress(label);
  const outcome = await run({ server, tool, arguments: call.input, origin }, { signal });
  report(stream, label, outcome);
  return answered(outcome);
}

/** Says what became of a call where the model's answer alone might not. */
function report(stream: vscode.ChatResponseStream, label: string, outcome: ToolOutcome): void {
  stream.markdown(`${escapeMarkdown(ending(label, outcome), 600)}\n\n`);
}

function ending(label: string, outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case 'result':
      return outcome.result.isError
        ? vscode.l10n.t('{0} reported an error.', label)
        : vscode.l10n.t('{0} was called.', label);
    case 'denied':
      return vscode.l10n.t('{0} was denied and not called.', label);
    case 'failed':
      return vscode.l10n.t('{0} failed: {1}', label, outcome.message);
    case 'cancelled':
      return vscode.l10n.t('{0} was cancelled.', label);
    case 'background':
      return vscode.l10n.t('{0} runs on in the background.', label);
  }
}

function toModelTool({ name, tool }: NamedTool): vscode.LanguageModelChatTool {
  return { name, description: tool.description ?? '', inputSchema: tool.inputSchema };
}
