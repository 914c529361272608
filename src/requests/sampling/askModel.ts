import * as vscode from 'vscode';
import { errorMessage, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import {
  toBase64,
  type ContentPart,
  type ModelMessage,
  type MessagePart,
} from '../../contracts/modelMessages';
import { modelSchema } from '../../contracts/modelSchema';
import { toModelMessages } from '../../ui/toModelMessages';
import { AnswerText } from './review/answerText';
import { mediaLabel } from './review/messageSections';
import type { SamplingDraft } from './review/samplingDraft';

/** The answer of a model. */
export interface ModelAnswer {
  readonly model: vscode.LanguageModelChat;
  readonly parts: readonly MessagePart[];
  readonly stopReason: 'endTurn' | 'maxTokens' | 'stopSequence' | 'toolUse';
  /** How many tokens the request and the answer have together. */
  readonly tokens: number;
}

/** Returns approximately how many tokens the request has for a model. */
export async function countRequest(
  model: vscode.LanguageModelChat,
  draft: SamplingDraft,
): Promise<number> {
  const tools = draft.tools.length > 0 ? await model.countTokens(JSON.stringify(draft.tools)) : 0;
  return tools + (await countMessages(model, modelMessages(draft)));
}

async function countMessages(
  model: vscode.LanguageModelChat,
  messages: readonly vscode.LanguageModelChatMessage[],
): Promise<number> {
  const counts = await Promise.all(messages.map((message) => model.countTokens(message)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Sends a request to a model and takes its answer within the bounds of the request. Rejects with a `UserError` if the
 * model fails, and with the signal's reason once that aborts.
 */
export async function askModel(
  model: vscode.LanguageModelChat,
  draft: SamplingDraft,
  { justification, signal }: { readonly justification: string; readonly signal: AbortSignal },
): Promise<ModelAnswer> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const countTokens = (text: string) => model.countTokens(text);
    const text = new AnswerText({ ...draft, countTokens });
    const parts: MessagePart[] = [];
    const options = requestOptions(draft, justification);
    const response = await model.sendRequest(modelMessages(draft), options, cancellation.token);
    for await (const part of response.stream) {
      signal.throwIfAborted();
      if (part instanceof vscode.LanguageModelTextPart) {
        if (!(await text.add(part.value))) break;
      } else {
        const other = readOtherPart(part);
        if (!other) continue;
        const said = toModelMessages([{ role: 'assistant', parts: [other] }]);
        if (!(await text.makeRoom(await countMessages(model, said)))) break;
        parts.push(other);
      }
    }
    signal.throwIfAborted();
    await text.end();
    const isSaid = text.text !== '' || parts.length === 0;
    const all = isSaid ? [{ kind: 'text', text: text.text } as const, ...parts] : parts;
    const calls = all.some(({ kind }) => kind === 'call');
    return {
      model,
      parts: all,
      stopReason: text.cut ?? (calls ? 'toolUse' : 'endTurn'),
      tokens: (await countRequest(model, draft)) + (await text.tokens()),
    };
  } catch (error) {
    signal.throwIfAborted();
    const name = plainLabel(model.name, 60);
    // For an image that it cannot read, the editor throws a bare event.
    const reason =
      error instanceof Error
        ? errorMessage(error, vscode.l10n.t)
        : vscode.l10n.t('no reason given');
    throw new UserError(vscode.l10n.t('{0} gave no answer: {1}', name, plainLabel(reason, 500)), {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', cancel);
    // This stops a model that says more than was asked for.
    cancellation.cancel();
    cancellation.dispose();
  }
}

/** True for an error of {@link askModel} if the editor did not pass the request on to the model. */
export function isNeverAsked({ cause }: Error): boolean {
  return (
    cause instanceof vscode.LanguageModelError && ['NoPermissions', 'NotFound'].includes(cause.code)
  );
}

function modelMessages({ systemPrompt, messages }: SamplingDraft) {
  // The editor's models have no system prompt, so it goes first, as a message of its own.
  const system: readonly ModelMessage[] =
    systemPrompt === undefined
      ? []
      : [{ role: 'user', parts: [{ kind: 'text', text: systemPrompt }] }];
  return toModelMessages([...system, ...messages.map(withoutSound)]);
}

function requestOptions(
  { temperature, tools, toolMode }: SamplingDraft,
  justification: string,
): vscode.LanguageModelChatRequestOptions {
  return {
    justification,
    ...(temperature !== undefined && { modelOptions: { temperature } }),
    ...(tools.length > 0 &&
      toolMode !== 'none' && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema: modelSchema(inputSchema),
        })),
        toolMode:
          toolMode === 'required'
            ? vscode.LanguageModelChatToolMode.Required
            : vscode.LanguageModelChatToolMode.Auto,
      }),
  };
}

function withoutSound({ role, parts }: ModelMessage): ModelMessage {
  return {
    role,
    parts: parts.map((part) => {
      if (part.kind === 'call') return part;
      return part.kind === 'answer' ? { ...part, content: part.content.map(told) } : told(part);
    }),
  };
}

/** Replaces media other than images, which models do not take, with a note that says what was there. */
function told(part: ContentPart): ContentPart {
  return part.kind === 'data' && !part.mimeType.startsWith('image/')
    ? { kind: 'text', text: `[Not included: ${mediaLabel(part)}]` }
    : part;
}

/** Reads a call or media; `undefined` for other parts, which mean something only to those who make the model. */
function readOtherPart(part: unknown): MessagePart | undefined {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId, name, input } = part;
    return { kind: 'call', id: callId, name, input: { ...input } };
  }
  if (part instanceof vscode.LanguageModelDataPart && /^(image|audio)\//.test(part.mimeType))
    return { kind: 'data', mimeType: part.mimeType, base64: toBase64(part.data) };
  return undefined;
}
