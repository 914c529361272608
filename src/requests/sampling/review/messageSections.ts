import { jsonText } from '../../../base/text/jsonText';
import { formatBytes, plainLabel } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import {
  dataBytes,
  type ContentPart,
  type ModelMessage,
  type MessagePart,
} from '../../../contracts/modelMessages';
import { parseObject } from '../../../mcp/protocol/parseObject';
import { isUnchanged, type ReadSection, type SheetSection } from '../../sheet';

/** The longest name of a tool that is offered or called, in UTF-16 units: a review shows all of it. */
export const maxToolNameLength = 128;

/** One piece of a message as a section of a sheet. */
export interface PartSection extends SheetSection {
  /** The number of its message, counted from 1. */
  readonly number: number;
  readonly role: ModelMessage['role'];
  readonly part: MessagePart;
}

/** A piece that was read back, with the message it belongs to. */
export interface ReadPart {
  readonly number: number;
  readonly role: ModelMessage['role'];
  readonly part: MessagePart;
}

/** Media of which a sheet shows only the heading, at this line, 0-based. */
export interface PlacedMedia {
  readonly line: number;
  readonly part: ContentPart & { readonly kind: 'data' };
}

/**
 * Returns every piece of every message as a section. Its heading, which is unique, is its number and its role as the
 * protocol names it.
 */
export function messageSections(
  messages: readonly ModelMessage[],
  t: Translate,
): readonly PartSection[] {
  return messages.flatMap(({ role, parts }, index) =>
    parts.map((part, at): PartSection => {
      const number = index + 1;
      const heading = `${number}${at > 0 ? `.${at + 1}` : ''} ${role}`;
      const notes = partNotes(part, t);
      const body = partBody(part);
      return { heading, notes, number, role, part, ...(body !== undefined && { body }) };
    }),
  );
}

/** Reads a section of a message back; `undefined` if it is not one, a `problem` is one sentence. */
export function readMessageSection(
  { heading, body, line }: ReadSection,
  known: readonly PartSection[],
  t: Translate,
): ReadPart | { readonly problem: string } | undefined {
  const section = known.find((each) => each.heading === heading);
  if (!section) {
    // A message that the user added.
    const [, number, name] = /^(\d+)(?:\.\d+)? (\w+)$/.exec(heading) ?? [];
    const role = (['user', 'assistant'] as const).find((each) => each === name?.toLowerCase());
    return role && { number: Number(number), role, part: { kind: 'text', text: body } };
  }
  const { number, role, part } = section;
  const shown = partBody(part);
  if (shown === undefined || isUnchanged(body, shown)) return { number, role, part };
  const edited = editedPart(part, body);
  if (edited) return { number, role, part: edited };
  return {
    problem: t('Line {0}: what a tool is called with must be a JSON object.', String(line)),
  };
}

/** Returns the media among sections, given the line of each section's heading. */
export function placedMedia(
  sections: readonly PartSection[],
  lines: readonly number[],
): readonly PlacedMedia[] {
  return sections.flatMap(({ part }, index) =>
    part.kind === 'data' ? [{ line: lines[index] ?? 0, part }] : [],
  );
}

/** Joins pieces into messages: consecutive ones with the same number and role are one message. */
export function toMessages(parts: readonly ReadPart[]): readonly ModelMessage[] {
  const messages: { number: number; role: ModelMessage['role']; parts: MessagePart[] }[] = [];
  for (const { number, role, part } of parts) {
    const last = messages.at(-1);
    if (last?.number === number && last.role === role) last.parts.push(part);
    else messages.push({ number, role, parts: [part] });
  }
  return messages.map((message) => ({ role: message.role, parts: message.parts }));
}

/** Returns the type and the size of media, in a few words. */
export function mediaLabel(part: ContentPart & { readonly kind: 'data' }): string {
  return `${plainLabel(part.mimeType, 60)}, ${formatBytes(dataBytes(part).length)}`;
}

function partNotes(part: MessagePart, t: Translate): string[] {
  switch (part.kind) {
    case 'text':
      return [];
    case 'data':
      return [mediaLabel(part)];
    case 'call':
      return [t('calls {0}', plainLabel(part.name, maxToolNameLength))];
    case 'answer':
      return [t('result of the call {0}', plainLabel(part.id, 60))];
  }
}

/** Returns a piece as the body of its section; `undefined` for media. */
export function partBody(part: MessagePart): string | undefined {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return undefined;
    case 'call':
      return jsonText(part.input, 2);
    case 'answer':
      return part.content
        .map((each) => (each.kind === 'text' ? each.text : `[${mediaLabel(each)}]`))
        .join('\n');
  }
}

function editedPart(part: MessagePart, body: string): MessagePart | undefined {
  switch (part.kind) {
    case 'text':
    case 'data':
      return { kind: 'text', text: body };
    case 'call': {
      const input = parseObject(body);
      return input && { ...part, input };
    }
    case 'answer':
      return { ...part, content: [{ kind: 'text', text: body }] };
  }
}
