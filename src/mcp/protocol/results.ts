import { asRecord, isList, isRecord, type JsonRecord } from '../../base/json';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import { isAnnotations, readResource } from './entries';
import { inAnswerTo, objectOf, readAs, type Note } from './readAs';
import { RpcError } from './rpcError';
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

const noNote: Note = () => {};

/**
 * Reads the answer to `tools/call`; blocks that are unknown or malformed are kept as `unknown`, and so is the whole result
 * if it has no content.
 */
export function readCallToolResult(result: Fields, noted: Note = noNote): CallToolResult {
  const note = inAnswerTo('tools/call', noted);
  const { structuredContent, isError } = result;
  const hasStructure = structuredContent !== undefined && structuredContent !== null;
  const content = blocksOf(result, 'content', note);
  if (!content)
    note(
      hasStructure
        ? (t) => t('"content" is missing beside "structuredContent"')
        : (t) => t('"content" is missing: what came instead is shown'),
    );
  const instead = hasStructure ? [] : [{ type: 'unknown', value: result, isWhole: true } as const];
  return {
    content: content?.map((block) => readContentBlock(block, note)) ?? instead,
    ...(structuredContent !== undefined && { structuredContent }),
    isError: isError !== undefined && readFlag(isError, 'isError', note),
    ...readMeta(result, note),
  };
}

/**
 * Reads the answer to `prompts/get`; a message of an unknown role is taken as the user's. Throws an `RpcError` if there
 * are no messages at all.
 */
export function readGetPromptResult(result: Fields, noted: Note = noNote): GetPromptResult {
  const note = inAnswerTo('prompts/get', noted);
  const { description } = result;
  const messages = blocksOf(result, 'messages', note) ?? missing(result, 'prompts/get', 'messages');
  return {
    ...(typeof description === 'string' && { description }),
    messages: messages.flatMap((message) => readPromptMessages(message, note)),
    ...readMeta(result, note),
  };
}

/**
 * Reads the answer to `resources/read`; contents with neither text nor blob are left out. Throws an `RpcError` if there
 * are no contents at all.
 */
export function readReadResourceResult(result: Fields, noted: Note = noNote): ReadResourceResult {
  const note = inAnswerTo('resources/read', noted);
  const { ttlMs } = result;
  const contents =
    blocksOf(result, 'contents', note) ?? missing(result, 'resources/read', 'contents');
  const read = contents.map((one) => readResourceContents(one, note));
  if (read.includes(undefined))
    note((t) => t('a document with neither text nor bytes is left out'));
  return {
    contents: read.filter((one) => one !== undefined),
    ...(typeof ttlMs === 'number' && { ttlMs }),
    ...readMeta(result, note),
  };
}

/** The fields by which one thing is known for an entry of the list in which it should be. */
const signs: Readonly<Record<string, string>> = {
  content: 'type',
  messages: 'content',
  contents: 'uri',
};

/**
 * Returns the list that a result is about; one thing in its place is read as a list of it, and a text as one with that
 * text. `undefined` if there is nothing that could be meant.
 */
function blocksOf(result: Fields, field: string, note: Note): readonly unknown[] | undefined {
  const value = result[field];
  if (isList(value)) return value;
  const isOne = isRecord(value) && signs[field] !== undefined && signs[field] in value;
  const isString = typeof value === 'string' && field !== 'contents';
  if (!isOne && !isString) return undefined;
  note((t) => t('"{0}" is not a list: it is read as a list with it', field));
  const block = { type: 'text', text: value };
  if (isString) return [field === 'messages' ? { role: 'user', content: block } : block];
  return [value];
}

/** The most that is quoted of an answer that is not usable, in UTF-16 units. */
const maxQuoted = 500;

function missing(result: Fields, method: string, field: string): never {
  throw new RpcError(0, (t) =>
    t(
      'The answer to {0} has no list "{1}". Instead came: {2}',
      method,
      field,
      plainLabel(jsonText(result, 0, maxQuoted), maxQuoted),
    ),
  );
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
export function readContentBlock(value: unknown, note: Note = noNote): ContentBlock {
  const fields = asRecord(value);
  const { type, annotations } = fields;
  const known = objectOf(annotations, 'annotations', note);
  const common = {
    ...(isAnnotations(known) && { annotations: known }),
    ...readMeta(fields, note),
  };
  const read = isKnownType(type) ? readers[type](fields, common, note) : undefined;
  return read ?? { type: 'unknown', value: value ?? null };
}

type KnownType = Exclude<ContentBlock['type'], 'unknown'>;

/** Reads a block of one kind, with what `common` to all of them was read already; `undefined` if it is incomplete. */
type ReadBlock<K extends KnownType> = (
  fields: JsonRecord,
  common: Pick<ContentBlock & { readonly type: 'text' }, 'annotations' | '_meta'>,
  note: Note,
) => (ContentBlock & { readonly type: K }) | undefined;

const readers: { readonly [K in KnownType]: ReadBlock<K> } = {
  text: ({ text }, common) =>
    typeof text === 'string' ? { ...common, type: 'text', text } : undefined,
  image: ({ data, mimeType }, common) =>
    typeof data === 'string' && typeof mimeType === 'string'
      ? { ...common, type: 'image', data, mimeType }
      : undefined,
  audio: ({ data, mimeType }, common) =>
    typeof data === 'string' && typeof mimeType === 'string'
      ? { ...common, type: 'audio', data, mimeType }
      : undefined,
  resource: (fields, common, note) => {
    const resource = readResourceContents(fields['resource'], note);
    return resource && { ...common, type: 'resource', resource };
  },
  resource_link: (fields, _common, note) => {
    const link = readResource(fields, note);
    return 'entry' in link ? { ...link.entry, type: 'resource_link' } : undefined;
  },
};

function isKnownType(type: unknown): type is KnownType {
  return typeof type === 'string' && Object.hasOwn(readers, type);
}

function readPromptMessages(value: unknown, note: Note): PromptMessage[] {
  const { role, content } = asRecord(value);
  // Some servers send a list where the protocol wants one block: each becomes a message.
  return (Array.isArray(content) ? (content as unknown[]) : [content]).map((block) => ({
    role: role === 'assistant' ? role : 'user',
    content: readContentBlock(block, note),
  }));
}

function readResourceContents(value: unknown, note: Note): ResourceContents | undefined {
  const fields = asRecord(value);
  const { uri, mimeType, text, blob } = fields;
  const common = {
    uri: typeof uri === 'string' ? uri : '',
    ...(typeof mimeType === 'string' && { mimeType }),
    ...readMeta(fields, note),
  };
  if (typeof text === 'string') return { ...common, text };
  if (typeof blob === 'string') return { ...common, blob };
  return undefined;
}

function readMeta(fields: Fields, note: Note): { readonly _meta?: Meta } {
  const value = objectOf(fields['_meta'], '_meta', note);
  return value ? { _meta: value } : {};
}

function readFlag(value: unknown, field: string, note: Note): boolean {
  if (typeof value === 'boolean') return value;
  const reading = readAs('flag', value, field);
  note(reading.what);
  return reading.value === true;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
