import { utf8 } from '../../base/bytes';
import { UserError } from '../../base/errors';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel, withoutColors } from '../../base/text/text';
import type { LocalizableMessage } from '../../base/translate';
import type { ContentBlock, ReadResourceResult, ResourceContents } from './types';

/**
 * A piece of content without the protocol's wrapping: text, bytes, a document, a link to one, or
 * one sentence on what could not be read.
 */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'binary';
      readonly media: 'image' | 'audio' | 'other';
      readonly mimeType: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
      /** The URI of the resource that the bytes belong to, if any. */
      readonly uri?: string;
    }
  | {
      readonly kind: 'document';
      readonly uri: string;
      readonly mimeType?: string;
      readonly text: string;
    }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
  | { readonly kind: 'problem'; readonly message: LocalizableMessage };

/** The most that is quoted of a result without content, in UTF-16 units. */
const maxInstead = 10_000;

/** Converts every block to a part, in order; nothing is left out. */
export function toParts(content: readonly ContentBlock[]): readonly Part[] {
  return content.map(toPart);
}

/** Converts every block to a part for people: what says something has no colors, what is data keeps them. */
export function partsToRead(content: readonly ContentBlock[]): readonly Part[] {
  return toParts(content).map((part) => {
    if (part.kind === 'text') return { ...part, text: withoutColors(part.text) };
    if (part.kind !== 'link') return part;
    const { title, description } = part;
    return {
      ...part,
      ...(title !== undefined && { title: withoutColors(title) }),
      ...(description !== undefined && { description: withoutColors(description) }),
    };
  });
}

/** Converts the result of reading a resource to parts. */
export function resourceParts(result: ReadResourceResult): readonly Part[] {
  return result.contents.map(toResourcePart);
}

/** Decodes base64 text (standard or URL-safe alphabet); `undefined` if it is not valid. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Returns the bytes of one document of a resource: its blob, or else its text; throws a `UserError` for a bad blob. */
export function contentBytes({ uri, text, blob }: ResourceContents): Uint8Array<ArrayBuffer> {
  if (blob === undefined) return utf8(text ?? '');
  const bytes = decodeBase64(blob);
  if (!bytes) throw new UserError((t) => t('The content of {0} is not valid base64.', uri));
  return bytes;
}

/** What a place makes of each kind of content: a new kind is an error of the compiler in every one. */
export type PerKind<R> = {
  readonly [K in ContentBlock['type']]: (block: ContentBlock & { readonly type: K }) => R;
};

/** Returns what `table` makes of a block. */
export function perKind<R>(block: ContentBlock, table: PerKind<R>): R {
  const make = table[block.type] as (one: ContentBlock) => R;
  return make(block);
}

const nothing = () => undefined;

const spoken: PerKind<string | undefined> = {
  text: ({ text }) => text,
  image: nothing,
  audio: nothing,
  resource: nothing,
  resource_link: nothing,
  unknown: nothing,
};

/** Returns the text of a block that is one; `undefined` for every other kind. */
export function spokenText(block: ContentBlock): string | undefined {
  return perKind(block, spoken);
}

const embedded: PerKind<ResourceContents | undefined> = {
  text: nothing,
  image: nothing,
  audio: nothing,
  resource: ({ resource }) => resource,
  resource_link: nothing,
  unknown: nothing,
};

/** Returns the resource that a block contains; `undefined` if it contains none. */
export function embeddedResource(block: ContentBlock): ResourceContents | undefined {
  return perKind(block, embedded);
}

function toPart(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'image':
    case 'audio':
      return toBinary(block.data, block.mimeType, block.type);
    case 'resource':
      return toResourcePart(block.resource);
    case 'resource_link': {
      const { uri, name, title, description, mimeType, size } = block;
      return {
        kind: 'link',
        uri,
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(mimeType !== undefined && { mimeType }),
        ...(size !== undefined && { size }),
      };
    }
    case 'unknown':
      if (block.isWhole)
        return {
          kind: 'problem',
          message: (t) =>
            t(
              'The result has no content. Instead came: {0}',
              plainLabel(jsonText(block.value, 0, maxInstead), maxInstead),
            ),
        };
      return { kind: 'text', text: jsonText(block.value, 2) };
  }
}

function toResourcePart({ uri, mimeType, text, blob }: ResourceContents): Part {
  if (blob !== undefined)
    return toBinary(blob, mimeType ?? 'application/octet-stream', undefined, uri);
  return { kind: 'document', uri, ...(mimeType !== undefined && { mimeType }), text: text ?? '' };
}

function toBinary(data: string, mimeType: string, type?: 'image' | 'audio', uri?: string): Part {
  const bytes = decodeBase64(data);
  if (!bytes)
    return {
      kind: 'problem',
      message: (t) =>
        uri
          ? t('The content of {0} is not valid base64 and cannot be shown.', uri)
          : t('Content of type {0} is not valid base64 and cannot be shown.', type ?? mimeType),
    };
  const main = mimeType.split('/', 1)[0]?.toLowerCase();
  const media = type ?? (main === 'image' || main === 'audio' ? main : 'other');
  return { kind: 'binary', media, mimeType, bytes, ...(uri !== undefined && { uri }) };
}
