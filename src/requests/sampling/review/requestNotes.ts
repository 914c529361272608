import { hasHidden, plainLabel } from '../../../base/text/text';
import { listText, type Translate } from '../../../base/translate';
import type { CreateMessageRequest } from '../../../mcp/protocol/serverRequests';
import type { MessagePart } from '../../../contracts/modelMessages';
import type { JsonObject } from '../../../mcp/protocol/types';
import { mediaLabel, partBody } from './messageSections';
import type { SamplingDraft } from './samplingDraft';

/** Returns what the user should know about a request besides its texts, including what is not done as the server asks. */
export function requestNotes(
  request: CreateMessageRequest,
  draft: SamplingDraft,
  t: Translate,
): readonly string[] {
  const { includeContext, metadata } = request;
  const parts = draft.messages.flatMap((message) => message.parts);
  const notes: string[] = [];
  const preferences = preferenceText(request.modelPreferences ?? {}, t);
  if (preferences) notes.push(`· ${t('The server prefers: {0}', preferences)}`);
  if (includeContext === 'thisServer')
    notes.push(`⚠ ${t('The server asked for its own context to be included. Nothing is added.')}`);
  if (includeContext === 'allServers')
    notes.push(
      `⚠ ${t('The server asked for the context of all servers to be included. Nothing is added.')}`,
    );
  if (hasHidden([draft.systemPrompt ?? '', ...parts.map(partText)].join('\n')))
    notes.push(`⚠ ${t('There are hidden characters, shown below as ⟨U+…⟩.')}`);
  if (parts.some((part) => part.kind === 'data' && !part.mimeType.startsWith('image/')))
    notes.push(`⚠ ${t('Only text and images are sent to the model.')}`);
  if (draft.systemPrompt !== undefined)
    notes.push(`· ${t('The system prompt goes first, as a message of its own.')}`);
  if (draft.temperature !== undefined)
    notes.push(`· ${t('The temperature is passed on; the model may ignore it.')}`);
  if (draft.tools.length > 0)
    notes.push(
      `· ${t('The model may call the tools below. The server runs them; none of yours are offered.')}`,
    );
  if (metadata && Object.keys(metadata).length > 0)
    notes.push(`· ${t('Not passed on: metadata {0}', plainLabel(JSON.stringify(metadata), 200))}`);
  return notes;
}

/** More messages than this have no part each. */
const maxMessages = 4;

/** Returns what matters in a request by the protocol's own names, as the question about it shows it. */
export function requestInBrief(
  { modelPreferences, includeContext }: CreateMessageRequest,
  { messages, systemPrompt, tools, maxTokens, temperature, stopSequences }: SamplingDraft,
): JsonObject {
  const texts = messages.map(({ role, parts }, index) => {
    const [first = '', ...others] = parts.map(partInBrief);
    return [`${index + 1} ${role}`, others.length > 0 ? [first, ...others] : first] as const;
  });
  const parts = {
    // A long conversation is one part, of which the beginning and the end are seen.
    ...(texts.length > maxMessages
      ? { messages: texts.map(([name, text]) => ({ [name]: text })) }
      : Object.fromEntries(texts)),
    systemPrompt,
    tools: tools.length > 0 ? tools.map(({ name }) => name) : undefined,
    modelPreferences,
    includeContext,
    limits: {
      maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stopSequences.length > 0 && { stopSequences }),
    },
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

function partInBrief(part: MessagePart): string {
  if (part.kind === 'data') return `[${mediaLabel(part)}]`;
  const text = partBody(part) ?? '';
  return part.kind === 'call' ? `${part.name} ${text}` : text;
}

function preferenceText(
  preferences: NonNullable<CreateMessageRequest['modelPreferences']>,
  t: Translate,
): string {
  const { hints = [], costPriority, speedPriority, intelligencePriority } = preferences;
  const names = hints.flatMap(({ name }) => (typeof name === 'string' ? `“${name}”` : []));
  return plainLabel(
    listText(
      [
        ...names,
        ...priority(t('low cost'), costPriority),
        ...priority(t('speed'), speedPriority),
        ...priority(t('intelligence'), intelligencePriority),
      ],
      t,
    ),
    400,
  );
}

function priority(label: string, value: unknown): readonly string[] {
  return typeof value === 'number' ? [`${label} ${value}`] : [];
}

function partText(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return '';
    case 'call':
      return JSON.stringify(part.input);
    case 'answer':
      return part.content.map(partText).join('\n');
  }
}
