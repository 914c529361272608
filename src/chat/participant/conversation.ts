import type { ContentPart, ModelMessage, MessagePart } from '../../contracts/modelMessages';

/** The longest history of one turn that is kept for later turns, in characters. */
const maxKeptLength = 2_000_000;

/** What a finished turn leaves behind for later turns, as the metadata of its result. */
export interface TurnRecord {
  /** Identifies the conversation, because the editor gives a participant no id for it. */
  readonly conversation: string;
  readonly messages: readonly ModelMessage[];
  /** The names of the tools that the model has found so far. */
  readonly found: readonly string[];
  /** How the answer ended, which decides what is suggested next. */
  readonly ending: 'complete' | 'rounds' | 'cancelled' | 'failed';
}

/** Returns the record of a turn, with notes in place of its media if it would be too large. */
export function toRecord(record: TurnRecord): TurnRecord {
  const { messages } = record;
  const small = JSON.stringify(messages).length <= maxKeptLength;
  return small ? record : { ...record, messages: messages.map(withoutMedia) };
}

/** Returns the record in the metadata of a result, if this participant wrote one. */
export function readTurnRecord(metadata: unknown): TurnRecord | undefined {
  if (typeof metadata !== 'object' || metadata === null || !('messages' in metadata))
    return undefined;
  return Array.isArray(metadata.messages) ? (metadata as TurnRecord) : undefined;
}

function withoutMedia({ role, parts }: ModelMessage): ModelMessage {
  return { role, parts: parts.map(withoutData) };
}

function withoutData(part: MessagePart): MessagePart {
  if (part.kind === 'answer') return { ...part, content: part.content.map(dropData) };
  return part.kind === 'data' ? dropData(part) : part;
}

function dropData(part: ContentPart): ContentPart {
  return part.kind === 'data'
    ? { kind: 'text', text: `[${part.mimeType} of an earlier turn, no longer kept]` }
    : part;
}
