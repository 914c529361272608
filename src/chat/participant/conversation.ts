import { tokensIn } from '../../base/measureJson';
import * as vscode from 'vscode';
import type { ContentPart, MessagePart, ModelMessage } from '../../contracts/modelMessages';

const maxKept = 20;

/** The attachments of requests that the user may send again, so that they are sent along. */
export class Retries<T> {
  private readonly attached = new Map<string, readonly T[]>();
  private readonly begun = new Set<string>();

  /** Keeps the attachments of a request, discarding the oldest ones if necessary. */
  keep(query: string, references: readonly T[]): void {
    this.attached.delete(query);
    this.attached.set(query, references);
    for (const oldest of this.attached.keys()) {
      if (this.attached.size <= maxKept) break;
      this.attached.delete(oldest);
    }
  }

  /** Notes that a request is about to be sent again; returns its attachments, or `undefined` if they are forgotten. */
  begin(query: string): readonly T[] | undefined {
    const references = this.attached.get(query);
    if (references) this.begun.add(query);
    return references;
  }

  /** Returns the kept attachments of an incoming request; empty unless it is one that is sent again. */
  take(query: string): readonly T[] {
    return this.begun.delete(query) ? (this.attached.get(query) ?? []) : [];
  }
}

/** The longest history of one turn that is kept for later turns, in characters. */
const maxKeptLength = 2_000_000;

/** The share of a model's context that earlier turns may take. */
export const historyShare = 0.6;

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

/** Returns the records that earlier answers of this participant left, oldest first. */
export function earlierRecords({ history }: vscode.ChatContext): readonly TurnRecord[] {
  return history.flatMap((turn) => {
    const record =
      turn instanceof vscode.ChatResponseTurn ? readTurnRecord(turn.result.metadata) : undefined;
    return record ? [record] : [];
  });
}

/** Returns the messages of each earlier turn of the conversation, with the tool calls if they are known. */
export function earlierTurns({
  history,
}: vscode.ChatContext): readonly (readonly ModelMessage[])[] {
  const turns: (readonly ModelMessage[])[] = [];
  let question: string | undefined;
  for (const turn of history) {
    if (turn instanceof vscode.ChatRequestTurn) {
      question = turn.prompt;
      continue;
    }
    const record = readTurnRecord(turn.result.metadata);
    if (record) turns.push(record.messages);
    else if (question !== undefined) turns.push([userText(question), shownText(turn)]);
    question = undefined;
  }
  return turns;
}

function userText(text: string): ModelMessage {
  return { role: 'user', parts: [{ kind: 'text', text, asTyped: true }] };
}

function shownText(turn: vscode.ChatResponseTurn): ModelMessage {
  const text = turn.response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
  return { role: 'assistant', parts: [{ kind: 'text', text }] };
}

/** Returns the latest turns that roughly fit into `maxTokens`, and how many older ones do not. */
export function fitTurns(
  turns: readonly (readonly ModelMessage[])[],
  maxTokens: number,
): { readonly messages: readonly ModelMessage[]; readonly dropped: number } {
  let left = maxTokens;
  let first = turns.length;
  while (first > 0) {
    left -= tokensIn(JSON.stringify(turns[first - 1], withoutBytes).length);
    if (left < 0) break;
    first -= 1;
  }
  return { messages: turns.slice(first).flat(), dropped: first };
}

/** Leaves out the bytes of an image, which do not determine how many tokens it takes. */
function withoutBytes(key: string, value: unknown): unknown {
  return key === 'base64' ? '' : value;
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
