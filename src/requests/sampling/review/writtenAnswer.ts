import * as vscode from 'vscode';
import { UserError, errorMessage } from '../../../base/errors';
import { isRecord } from '../../../base/json';
import { sniffMediaType } from '../../../base/mediaTypes';
import { plainLabel } from '../../../base/text/text';
import { inEnglish, listText, type Translate } from '../../../base/translate';
import { toBase64 } from '../../../contracts/modelMessages';
import { decodeBase64 } from '../../../mcp/protocol/content';
import { readWrittenObject } from '../../../mcp/protocol/inexactNumber';
import type { AskingServer, CreateMessageResult } from '../../../mcp/protocol/serverRequests';
import type { JsonObject, JsonSchema } from '../../../mcp/protocol/types';
import type { DocumentInput } from '../../../ui/documents/documentInput';
import { readFileBytes } from '../../../ui/documents/readTextFile';
import { Command } from '../../../ui/ids';
import { askFile, type Permit } from '../../../ui/keyboard';
import { showMessage } from '../../../ui/messages';
import type { QuestionContext, UserAction } from '../../../ui/questions/question';
import { showPick } from '../../../ui/rows/picks';
import { editorSchema } from '../../../ui/documents/schemaLine';
import { requiredOf } from '../../../ui/steps/skeleton';
import type { SamplingTool } from './samplingDraft';
import { declineAllChoices, reviewDocument, type ShownReview } from '../../questionFrame';

/** The largest image that is inserted into an answer, in bytes: it stands in the document as base64. */
export const maxAnswerImage = 1_000_000;

/** What an answer may hold: calls of the tools that the server offers, and several blocks where its revision has them. */
export interface WrittenBounds {
  readonly tools: readonly Pick<SamplingTool, 'name' | 'inputSchema'>[];
  readonly several: boolean;
}

/** What a user does with an answer that they write: return it, go back to the request, or decline. */
export type WrittenChoice =
  { readonly written: CreateMessageResult } | { readonly back: UserAction | undefined } | 'decline';

const template = `${JSON.stringify(
  {
    role: 'assistant',
    content: { type: 'text', text: '' },
    model: 'written-by-hand',
    stopReason: 'endTurn',
  },
  undefined,
  2,
)}\n`;

const requestFile = 'request.txt';

/** Lets the user write the answer to a request for a model as the JSON that the server gets. */
export async function writeAnswer(
  ask: WrittenBounds & {
    readonly server: AskingServer;
    /** The document of the request, to read while the answer is written. */
    readonly request: string;
    readonly permit: Permit;
    readonly context: QuestionContext;
  },
  input: DocumentInput,
): Promise<WrittenChoice> {
  const { t } = vscode.l10n;
  const { server, context, request } = ask;
  const name = plainLabel(server.name, 60);
  const { place, signal } = context;
  const questionOf = (shown: ShownReview) => ({
    name: `${t('Answer to {0}', name)}.json`,
    ...shown,
    files: [{ name: requestFile, content: request }],
    links: [{ line: 0, title: t('Open {0}', requestFile), target: requestFile }],
    ...selectedIn(shown.text),
    schema: answerSchema(ask),
    get choices() {
      return [
        {
          id: 'return',
          title: `$(check) ${t('Return to {0}', name)}`,
          command: Command.returnReviewed,
        },
        { id: 'image', title: `$(file-media) ${t('Insert Image…')}` },
        ...(ask.tools.length > 0
          ? [{ id: 'tool', title: `$(tools) ${t('Insert Tool Call…')}` }]
          : []),
        { id: 'edit', title: t('Edit Request') },
        { id: 'deny', title: `$(circle-slash) ${t('Decline')}` },
        ...declineAllChoices(server, place),
      ];
    },
    onDidChangeChoices: place.onDidChange,
    check: (edited: string, choice: string) => {
      const isInserted = choice === 'image' || choice === 'tool';
      if (choice !== 'return' && !isInserted) return undefined;
      const read = isInserted ? readObject(edited, t) : readWrittenAnswer(edited, ask, t);
      return 'problem' in read ? read.problem : undefined;
    },
    signal,
  });
  let shown: ShownReview = { text: template, permit: ask.permit };
  for (;;) {
    const answer = await reviewDocument(server, questionOf, shown, context, input);
    const { choice, text, action } = answer;
    if (choice === 'edit') return { back: action };
    const read = readWrittenAnswer(text, ask, t);
    if (choice === 'return' && 'written' in read) return read;
    if ((choice !== 'image' && choice !== 'tool') || !action) return 'decline';
    const withChosen = choice === 'image' ? withChosenImage : withChosenTool;
    shown = { text: await withChosen(text, ask, action), permit: action };
  }
}

/** Returns where to write next: in the first text that is empty. */
function selectedIn(text: string) {
  const offset = text.indexOf('""') + 1;
  return offset > 0 ? { selected: { offset, length: 0 } } : {};
}

/** Returns the schema by which the editor completes an answer. */
function answerSchema({ tools, several }: WrittenBounds): JsonSchema {
  const text = { type: 'string' };
  const block = (type: string, fields: Readonly<Record<string, JsonSchema>>) => ({
    type: 'object',
    required: ['type', ...Object.keys(fields)],
    properties: { type: { const: type }, ...fields },
  });
  const blocks = [
    block('text', { text }),
    block('image', { data: text, mimeType: text }),
    block('audio', { data: text, mimeType: text }),
    ...tools.map(({ name, inputSchema }) =>
      block('tool_use', { id: text, name: { const: name }, input: editorSchema(inputSchema) }),
    ),
  ];
  const one = { anyOf: blocks };
  const reasons = [
    'endTurn',
    'stopSequence',
    'maxTokens',
    ...(tools.length > 0 ? ['toolUse'] : []),
  ];
  return {
    type: 'object',
    required: ['role', 'content', 'model'],
    properties: {
      role: { enum: ['assistant', 'user'] },
      content: several ? { anyOf: [...blocks, { type: 'array', items: one, minItems: 1 }] } : one,
      model: { type: 'string', minLength: 1 },
      stopReason: { anyOf: [{ enum: reasons }, text] },
    },
  };
}

/** Reads an answer that a user wrote, or says in a sentence what is wrong with it. */
export function readWrittenAnswer(
  text: string,
  bounds: WrittenBounds,
  t: Translate,
): { readonly written: CreateMessageResult } | { readonly problem: string } {
  const read = readObject(text, t);
  if ('problem' in read) return read;
  const { role, content, model, stopReason } = read.object;
  if (role !== 'assistant' && role !== 'user')
    return { problem: t('"role" must be "assistant" or "user".') };
  if (typeof model !== 'string' || model === '') return { problem: t('"model" must be a name.') };
  if (stopReason !== undefined && typeof stopReason !== 'string')
    return { problem: t('"stopReason" must be a text.') };
  const isList = Array.isArray(content);
  if (isList && !bounds.several)
    return { problem: t('"content" must be one block: this server does not know several.') };
  const blocks: readonly unknown[] = isList ? content : [content];
  if (blocks.length === 0) return { problem: t('"content" must not be empty.') };
  const problem = blocks.map((block) => blockProblem(block, bounds, t)).find(Boolean);
  return problem === undefined
    ? { written: read.object as unknown as CreateMessageResult }
    : { problem };
}

function readObject(text: string, t: Translate) {
  return readWrittenObject(text, t, t('This is not a JSON object.'));
}

function blockProblem(block: unknown, { tools }: WrittenBounds, t: Translate): string | undefined {
  const { type, text, data, mimeType, id, name, input } = isRecord(block) ? block : {};
  switch (type) {
    case 'text':
      return typeof text === 'string' ? undefined : t('A block of text needs a "text".');
    case 'image':
    case 'audio': {
      if (typeof mimeType !== 'string' || typeof data !== 'string')
        return t('A block of the type {0} needs "data" and a "mimeType".', type);
      return decodeBase64(data) ? undefined : t('"data" of the type {0} must be base64.', type);
    }
    case 'tool_use': {
      const names = tools.map((tool) => tool.name);
      if (typeof id === 'string' && names.includes(String(name)) && isRecord(input))
        return undefined;
      return names.length === 0
        ? t('The server offers no tools to call.')
        : t(
            'A tool call needs an "id", an "input", and the "name" of one of the tools: {0}',
            plainLabel(listText(names, t), 300),
          );
    }
    default:
      return t('"content" must be of a known type: {0}', 'text, image, audio, tool_use');
  }
}

/** Lets the user choose an image, and returns the text of an answer with it: in place of an empty text, else behind what is there. */
async function withChosenImage(
  text: string,
  { several }: WrittenBounds,
  action: UserAction,
): Promise<string> {
  const { t } = vscode.l10n;
  try {
    const uri = await askFile(action, {
      title: t('Image for the Answer'),
      filters: { [t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] },
    });
    if (!uri) return text;
    const image = imageBlock(await readFileBytes(uri, maxAnswerImage));
    if (!image) throw new UserError(t('The file is not an image of a known type.'));
    return withBlock(text, image, several);
  } catch (error) {
    // What was written stays, and the document comes back.
    void showMessage('error', errorMessage(error, t));
    return text;
  }
}

function imageBlock(bytes: Uint8Array): JsonObject | undefined {
  const mimeType = sniffMediaType(bytes);
  return mimeType?.startsWith('image/')
    ? { type: 'image', data: toBase64(bytes), mimeType }
    : undefined;
}

/** Lets the user choose a tool, and returns the text of an answer with a call of it, as {@link withBlock} does. */
async function withChosenTool(
  text: string,
  { tools, several }: WrittenBounds,
  action: UserAction,
): Promise<string> {
  const items = tools.map((tool) => ({ label: plainLabel(tool.name, 60), tool }));
  const title = vscode.l10n.t('Insert Tool Call');
  const picked = tools.length > 1 ? await showPick(action, items, { title }) : items[0];
  return picked ? withCall(text, picked.tool, several) : text;
}

/** Returns the text of an answer with a call of a tool that has what its schema requires. */
export function withCall(
  text: string,
  { name, inputSchema }: WrittenBounds['tools'][number],
  several: boolean,
): string {
  const id = `call_${text.split('"tool_use"').length}`;
  const call = { type: 'tool_use', id, name, input: requiredOf(inputSchema) };
  return withBlock(text, call, several, { stopReason: 'toolUse' });
}

/** Returns the text of an answer with a block in place of an empty text or, where one block is all there is, of that. */
export function withBlock(
  text: string,
  added: JsonObject,
  several: boolean,
  more: JsonObject = {},
): string {
  const read = readWrittenObject(text, inEnglish, '');
  if ('problem' in read) return text;
  const { content } = read.object;
  const blocks = (Array.isArray(content) ? content : [content]).filter(
    (block) => isRecord(block) && !(block['type'] === 'text' && block['text'] === ''),
  ) as readonly JsonObject[];
  const now = several && blocks.length > 0 ? [...blocks, added] : added;
  return `${JSON.stringify({ ...read.object, content: now, ...more }, undefined, 2)}\n`;
}
