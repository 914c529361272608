import { hasHidden, plainLabel } from '../../../base/text/text';
import { listText, type Translate } from '../../../base/translate';
import type { CreateMessageRequest } from '../../../mcp/protocol/serverRequests';
import type { MessagePart } from '../../../contracts/modelMessages';
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
