import { asRecord, isRecord } from '../../base/json';
import { isAnnotations, readResource } from './entries';
import type {
  CallToolResult,
  Completion,
  ContentBlock,
  GetPromptResult,
  Meta,
  PromptMessage,
  ReadResourceResult,
  ResourceContents,
} from './types';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the answer to `tools/call`; blocks that are unknown or malformed are kept as `unknown`. */
export function readCallToolResult(result: Fields): CallToolResult {
  const { content, structuredContent, isError } = result;
  return {
    content: asArray(content).map(readContentBlock),
    ...(structuredContent !== undefined && { structuredContent }),
    isError: isError === true,
    ...readMeta(result),
  };
}

/** Reads the answer to `prompts/get`; a message of an unknown role is taken as the user's. */
export function readGetPromptResult(result: Fields): GetPromptResult {
  const { description, messages } = result;
  return {
    ...(typeof description === 'string' && { description }),
    messages: asArray(messages).flatMap(readPromptMessages),
    ...readMeta(result),
  };
}

/** Reads the answer to `resources/read`; contents with neither text nor blob are left out. */
export function readReadResourceResult(result: Fields): ReadResourceResult {
  const { contents, ttlMs } = result;
  return {
    contents: asArray(contents)
      .map(readResourceContents)
      .filter((one) => one !== undefined),
    ...(typeof ttlMs === 'number' && { ttlMs }),
    ...readMeta(result),
  };
}

/** Reads the answer to `completion/complete`. */
export function readCompletion(result: Fields): Completion {
  const { values, total, hasMore } = asRecord(result['completion']);
  return {
    values: asArray(values).filter((value) => typeof value === 'string'),
    ...(typeof total === 'number' && { total }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  };
}

/** Reads one content block; an unknown or incomplete one is returned as `unknown`. */
export function readContentBlock(value: unknown): ContentBlock {
  const fields = asRecord(value);
  const { type, text, data, mimeType, annotations } = fields;
  const common = {
    ...(isAnnotations(annotations) && { annotations }),
    ...readMeta(fields),
  };
  switch (type) {
    case 'text':
      if (typeof text === 'string') return { ...common, type, text };
      break;
    case 'image':
    case 'audio':
      if (typeof data === 'string' && typeof mimeType === 'string')
        return { ...common, type, data, mimeType };
      break;
    case 'resource': {
      const resource = readResourceContents(fields['resource']);
      if (resource) return { ...common, type, resource };
      break;
    }
    case 'resource_link': {
      const link = readResource(value);
      if ('entry' in link) return { ...link.entry, type };
      break;
    }
  }
  return { type: 'unknown', value: value ?? null };
}

function readPromptMessages(value: unknown): PromptMessage[] {
  const { role, content } = asRecord(value);
  // Some servers send a list where the protocol wants one block: each becomes a message.
  return (Array.isArray(content) ? (content as unknown[]) : [content]).map((block) => ({
    role: role === 'assistant' ? role : 'user',
    content: readContentBlock(block),
  }));
}

function readResourceContents(value: unknown): ResourceContents | undefined {
  const fields = asRecord(value);
  const { uri, mimeType, text, blob } = fields;
  const common = {
    uri: typeof uri === 'string' ? uri : '',
    ...(typeof mimeType === 'string' && { mimeType }),
    ...readMeta(fields),
  };
  if (typeof text === 'string') return { ...common, text };
  if (typeof blob === 'string') return { ...common, blob };
  return undefined;
}

function readMeta(fields: Fields): { readonly _meta?: Meta } {
  const value = fields['_meta'];
  return isRecord(value) ? { _meta: value } : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
