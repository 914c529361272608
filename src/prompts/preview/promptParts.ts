import { distinctNames, fileName } from '../../base/text/fileName';
import { sniffMediaType } from '../../base/mediaTypes';
import { hasHidden, readableText, withoutMark } from '../../base/text/text';
import { toParts, type Part } from '../../mcp/protocol/content';
import type { PromptDraft } from '../../contracts/promptDraft';
import type { Annotations, ContentBlock, Role } from '../../mcp/protocol/types';

/** A file that comes with a message. */
export interface PromptFile {
  readonly name: string;
  readonly content: Uint8Array | string;
}

/** The content of one message, prepared for showing and saving. */
export interface PromptPart {
  /** Counted from 1. */
  readonly number: number;
  readonly role: Role;
  readonly part: Part;
  readonly annotations: Annotations | undefined;
  /** The content as a file, for everything but plain text and links. */
  readonly file: PromptFile | undefined;
  /** The actual type of bytes that are not what the server says, empty if unknown; `undefined` if they match. */
  readonly actualType: string | undefined;
  /** True if the text contains characters that a reader cannot see. */
  readonly hidden: boolean;
}

/** True if the chat takes a file for an image, which it decides by the name. */
export function isImageName(name: string): boolean {
  return /\.(?:png|jpe?g|gif|bmp|webp)$/i.test(name);
}

/**
 * Returns a part for every message of a draft, in order. What is hidden in their texts is visible, wherever they go; a file
 * that the user saves has them `asSent`.
 */
export function promptParts(
  draft: Pick<PromptDraft, 'messages'>,
  how: 'visible' | 'asSent' = 'visible',
): readonly PromptPart[] {
  const parts = draft.messages.map(({ role, content }, index) =>
    promptPart(index + 1, role, content, how),
  );
  const named = parts.filter(({ file }) => file !== undefined);
  const names = distinctNames(named.map(({ file }) => file?.name ?? ''));
  const nameOf = new Map(named.map((part, index) => [part, names[index]]));
  return parts.map((part) => {
    const name = nameOf.get(part);
    return part.file && name !== undefined ? { ...part, file: { ...part.file, name } } : part;
  });
}

function promptPart(
  number: number,
  role: Role,
  content: ContentBlock,
  how: 'visible' | 'asSent',
): PromptPart {
  const [sent = { kind: 'text', text: '' }] = toParts([content]);
  const isText = sent.kind === 'text' || sent.kind === 'document';
  const part = isText && how === 'visible' ? { ...sent, text: readableText(sent.text) } : sent;
  const actualType = part.kind === 'binary' ? mistakenType(part.bytes, part.mimeType) : undefined;
  return {
    number,
    role,
    part,
    annotations: content.type === 'unknown' ? undefined : content.annotations,
    file: fileOf(part, number, actualType),
    actualType,
    hidden: hasHidden(withoutMark(textOf(sent))),
  };
}

function fileOf(
  part: Part,
  number: number,
  actualType: string | undefined,
): PromptFile | undefined {
  switch (part.kind) {
    case 'text':
    case 'link':
    case 'problem':
      return undefined;
    case 'document':
      return { name: fileName(part), content: part.text };
    case 'binary': {
      const mimeType = actualType || part.mimeType;
      const uri = part.uri ?? `${part.media === 'other' ? 'file' : part.media}-${number}`;
      return { name: fileName({ uri, mimeType }), content: part.bytes };
    }
  }
}

function textOf(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'document':
      return part.text;
    case 'link':
      return [part.uri, part.name, part.title, part.description].join('\n');
    case 'binary':
    case 'problem':
      return '';
  }
}

/** Types that have more than one name, and containers whose content the first bytes do not reveal. */
const sameAs: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /^image\/(?:jpe?g|pjpeg)$/,
  'audio/wav': /^audio\/(?:(?:x-|vnd\.)?wave?|x-pn-wav)$/,
  'audio/mpeg': /^audio\/(?:mpeg|mp3|x-mp3|mpeg3)$/,
  'audio/ogg': /^(?:audio|video|application)\/ogg$|^audio\/(?:opus|vorbis)/,
  'audio/flac': /^audio\/(?:x-)?flac$/,
  'video/mp4': /^(?:audio|video)\/|^image\/(?:heic|heif|avif)/,
  'application/zip': /zip|^application\/(?:vnd\.|java-archive|epub)/,
  'application/gzip': /gzip|tar|tgz/,
};

/** Types whose files all begin with a known signature. */
const recognizable = /^(?:image\/(?:png|jpe?g|gif|webp)|audio\/(?:wav|ogg|flac)|application\/pdf)$/;

function mistakenType(bytes: Uint8Array, claimed: string): string | undefined {
  const type = claimed.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const actual = sniffMediaType(bytes);
  if (actual === undefined) return recognizable.test(type) ? '' : undefined;
  if (type === actual || type === '' || type === 'application/octet-stream') return undefined;
  return sameAs[actual]?.test(type) ? undefined : actual;
}
