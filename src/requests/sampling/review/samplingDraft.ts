import { asRecord } from '../../../base/json';
import { jsonText, maxJsonDepth, wholeJsonText } from '../../../base/text/jsonText';
import { hasHidden, plainLabel, revealHidden, wholeDocumentText } from '../../../base/text/text';
import { RequestRefused, type CreateMessageRequest } from '../../../mcp/protocol/serverRequests';
import { decodeBase64, perKind, toParts, type PerKind } from '../../../mcp/protocol/content';
import {
  toModelContentParts,
  type ContentPart,
  type ModelMessage,
  type MessagePart,
} from '../../../contracts/modelMessages';
import type { ContentBlock, JsonObject, JsonSchema } from '../../../mcp/protocol/types';
import { revealSchema } from '../../../contracts/modelSchema';
import { maxToolNameLength, partBody } from './messageSections';
import { readContentBlock } from '../../../mcp/protocol/results';
import { ErrorCode } from '../../../mcp/protocol/rpcError';

/** The longest id of a call, in UTF-16 units: some models put into theirs what they need again. */
const maxIdLength = 10_000;

const nameOfTool = 'name of a tool';
const idOfCall = 'id of a call';

/** A tool that the server wants the model to call; the server runs it, not this client. */
export interface SamplingTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** A request to a model on behalf of a server, which the user may still change. */
export interface SamplingDraft {
  readonly systemPrompt?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly SamplingTool[];
  readonly toolMode: 'auto' | 'required' | 'none';
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences: readonly string[];
}

/**
 * Reads a server's request; throws a `RequestRefused` that says what is wrong with it. What is hidden in its texts is
 * visible from here on, so that a model gets what the user has reviewed.
 */
export function readSamplingDraft(request: CreateMessageRequest): SamplingDraft {
  const { systemPrompt, maxTokens, temperature, stopSequences } = request;
  if (!(maxTokens >= 1)) throw refused('"maxTokens" must be at least 1.');
  const messages = request.messages.map(readMessage);
  const wrong = toolResultsProblem(messages);
  if (wrong !== undefined) throw refused(wrong);
  const draft: SamplingDraft = {
    ...(typeof systemPrompt === 'string' &&
      systemPrompt && { systemPrompt: revealHidden(systemPrompt) }),
    messages,
    tools: (Array.isArray(request.tools) ? request.tools : []).map(readTool),
    toolMode: readToolMode(request.toolChoice),
    maxTokens,
    ...(typeof temperature === 'number' && { temperature }),
    stopSequences: Array.isArray(stopSequences)
      ? stopSequences.filter((each) => typeof each === 'string' && each !== '')
      : [],
  };
  const texts = shownTexts(draft);
  if (texts.some((each) => each === undefined || wholeDocumentText(each) === undefined))
    throw refused('The request is too long, or nested too deep, to be shown in full.');
  return draft;
}

/** Returns what is wrong with tool results, if anything: the next message must hold all of them and nothing else (2025-11-25). */
export function toolResultsProblem(messages: readonly ModelMessage[]): string | undefined {
  for (const [index, { parts }] of messages.entries()) {
    const answers = parts.filter(({ kind }) => kind === 'answer');
    if (answers.length > 0 && answers.length < parts.length)
      return 'Tool results mixed with other content';
    const next = messages[index + 1]?.parts ?? [];
    const answered = new Set(next.map((part) => (part.kind === 'answer' ? part.id : undefined)));
    if (parts.some((part) => part.kind === 'call' && !answered.has(part.id)))
      return 'Tool result missing in request';
  }
  return undefined;
}

function readMessage(message: unknown): ModelMessage {
  const { role, content } = asRecord(message);
  if (role !== 'user' && role !== 'assistant')
    throw refused('A message must be of the role "user" or "assistant".');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return { role, parts: blocks.map(readPart) };
}

function readPart(value: unknown): MessagePart {
  const fields = asRecord(value);
  const { type, id, name, input, toolUseId, content } = fields;
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return {
      kind: 'call',
      id: shownName(id, idOfCall, maxIdLength),
      name: shownName(name, nameOfTool, maxToolNameLength),
      input: shownJson(asRecord(input)) as JsonObject,
    };
  if (type === 'tool_result' && typeof toolUseId === 'string')
    return {
      kind: 'answer',
      id: shownName(toolUseId, idOfCall, maxIdLength),
      content: [
        ...(fields['isError'] === true ? [text('The tool reported an error:')] : []),
        ...toContent(Array.isArray(content) ? content : []),
        ...(fields['structuredContent'] === undefined
          ? []
          : [text(revealHidden(jsonText(fields['structuredContent'])))]),
      ],
    };
  return toContent([value])[0] ?? text('');
}

/** Returns blocks as a model takes them; audio is still included here, so that the user sees that it is there. */
function toContent(blocks: readonly unknown[]): readonly ContentPart[] {
  return blocks.flatMap((value) => perKind(readContentBlock(value), modelParts));
}

const toData = ({ type, data, mimeType }: ContentBlock & { readonly type: 'image' | 'audio' }) => {
  if (!decodeBase64(data)) throw refused(`An ${type} is not valid base64.`);
  return [{ kind: 'data', mimeType, base64: data }] as const;
};

const asModelsTake = (block: ContentBlock) =>
  toModelContentParts(toParts([block])).parts.map((part) =>
    part.kind === 'text' ? { ...part, text: revealHidden(part.text) } : part,
  );

const modelParts: PerKind<readonly ContentPart[]> = {
  text: asModelsTake,
  image: toData,
  audio: toData,
  resource: asModelsTake,
  resource_link: asModelsTake,
  unknown: asModelsTake,
};

function readTool(value: unknown): SamplingTool {
  const { name, description, inputSchema } = asRecord(value);
  if (typeof name !== 'string' || name === '') throw refused('A tool has no name.');
  return {
    name: shownName(name, nameOfTool, maxToolNameLength),
    description: typeof description === 'string' ? revealHidden(description) : '',
    inputSchema: shownSchema(asRecord(inputSchema)),
  };
}

/** Returns the name of a tool, or the id of a call, all of which stands on one line as it is. */
function shownName(name: string, what: string, most: number): string {
  if (plainLabel(name, most) === name) return name;
  throw refused(`The ${what} is too long, or has more in it than can be shown.`);
}

/** Returns a schema with what is hidden in its words visible; what a call must repeat has nothing hidden in it. */
function shownSchema(schema: JsonSchema): JsonSchema {
  const shown = asRecord(revealSchema(schema));
  if (hasHidden(jsonText(shown)))
    throw refused('A name or a value in the schema of a tool has more in it than can be shown.');
  return shown;
}

/** Returns a value with what is hidden in its texts and names visible; what is nested too deep to be shown is left. */
function shownJson(value: JsonSchema): JsonSchema {
  return asRecord(shownPart(value, 0));
}

function shownPart(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return revealHidden(value);
  if (typeof value !== 'object' || value === null || depth > maxJsonDepth) return value;
  if (Array.isArray(value)) return value.map((part) => shownPart(part, depth + 1));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, part]) => [revealHidden(key), shownPart(part, depth + 1)]),
  );
}

function readToolMode(toolChoice: unknown): SamplingDraft['toolMode'] {
  const { mode } = asRecord(toolChoice);
  return mode === 'required' || mode === 'none' ? mode : 'auto';
}

/** Returns the texts of which a review consists; `undefined` for JSON that a review would not show in full. */
function shownTexts({
  systemPrompt = '',
  messages,
  tools,
}: SamplingDraft): readonly (string | undefined)[] {
  const parts = messages.flatMap((message) => message.parts);
  return [
    systemPrompt,
    ...parts.map((part) =>
      part.kind === 'call' ? wholeJsonText(part.input, 2) : (partBody(part) ?? ''),
    ),
    ...tools.map(({ description, inputSchema }) => wholeJsonText({ description, inputSchema }, 2)),
  ];
}

function text(value: string): ContentPart {
  return { kind: 'text', text: value };
}

function refused(message: string): RequestRefused {
  return new RequestRefused(message, ErrorCode.invalidParams);
}
