import { formatBytes } from '../base/text/text';
import {
  asideText,
  inEnglish,
  listText,
  type LocalizableMessage,
  type Translate,
} from '../base/translate';
import { decodeBase64, type Part } from '../mcp/protocol/content';
import type { JsonObject, Role } from '../mcp/protocol/types';

/** Text or bytes that a message carries; bytes as base64, so that a message is plain JSON. */
export type ContentPart =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** True for words of the user or of the model itself, which a model gets as they are; all others hide nothing. */
      readonly asTyped?: true;
    }
  | { readonly kind: 'data'; readonly mimeType: string; readonly base64: string };

/** A piece of a conversation with a language model. */
export type MessagePart =
  | ContentPart
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
    }
  | { readonly kind: 'answer'; readonly id: string; readonly content: readonly ContentPart[] };

/** One message of a conversation with a language model, free of the editor's classes. */
export interface ModelMessage {
  readonly role: Role;
  readonly parts: readonly MessagePart[];
}

/** Returns the bytes of a data part; parts are made from bytes, so their base64 is always valid. */
export function dataBytes(part: ContentPart & { readonly kind: 'data' }): Uint8Array {
  return decodeBase64(part.base64) ?? new Uint8Array();
}

/** Content for a model, and a description of each piece that had to be left out. */
export interface ModelContent {
  readonly parts: readonly ContentPart[];
  readonly leftOut: readonly LocalizableMessage[];
}

/** The image types that models accept; with any other type, the whole request is refused. */
const modelImages: ReadonlySet<string> = new Set(
  ['png', 'jpeg', 'jpg', 'gif', 'webp'].map((format) => `image/${format}`),
);

/** Converts parts to what a model accepts: text, documents and images; the rest is described in words. */
export function toModelContentParts(parts: readonly Part[]): ModelContent {
  const leftOut: LocalizableMessage[] = [];
  const content = parts.map((part): ContentPart => {
    switch (part.kind) {
      case 'text':
        return part;
      case 'document':
        return { kind: 'text', text: `Resource ${part.uri}:\n${part.text}` };
      case 'link':
        return { kind: 'text', text: `Link to the resource ${part.uri} (${part.name})` };
      case 'binary': {
        if (part.media === 'image' && modelImages.has(part.mimeType.toLowerCase()))
          return { kind: 'data', mimeType: part.mimeType, base64: toBase64(part.bytes) };
        const size = formatBytes(part.bytes.length);
        const what: LocalizableMessage = (t) =>
          asideText(part.uri ?? mediaName(part.media, t), listText([part.mimeType, size], t), t);
        leftOut.push(what);
        return { kind: 'text', text: `[Not included: ${what(inEnglish)}]` };
      }
      case 'problem':
        leftOut.push(part.message);
        return { kind: 'text', text: `[${part.message(inEnglish)}]` };
    }
  });
  return { parts: content, leftOut };
}

function mediaName(media: 'image' | 'audio' | 'other', t: Translate): string {
  return { image: t('image'), audio: t('audio'), other: t('binary') }[media];
}

/** Encodes bytes as base64 text. */
export function toBase64(bytes: Uint8Array): string {
  const chunk = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunk)
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(binary);
}
