import type * as vscode from 'vscode';
import { contentBytes } from '../../mcp/protocol/content';
import type { ReadResourceResult, ResourceContents } from '../../mcp/protocol/types';
import { distinctNames, extensionOf, fileName } from '../../base/text/fileName';
import {
  kindOfExtension,
  looksBinary,
  mediaKind,
  sniffMediaType,
  type MediaKind,
} from '../../base/mediaTypes';

/** One document of a resource, ready for an editor. */
export interface ResourceDocument {
  /** A file name, unique among the documents of the resource. */
  readonly name: string;
  /** The URI that the server gives the document, which need not be the resource's. */
  readonly uri: string;
  /** The media type that the server claims. */
  readonly mimeType?: string;
  /** What the content is, whatever the server claims. */
  readonly kind: MediaKind;
  readonly bytes: Uint8Array;
}

/** A document with our URI that opens it. */
export interface FoundDocument {
  readonly uri: vscode.Uri;
  readonly document: ResourceDocument;
}

/** What a list says about a resource, if it is listed. */
export interface ResourceHint {
  readonly name?: string;
  readonly mimeType?: string;
}

/** Makes the documents of a read result; throws a `UserError` for invalid base64. */
export function toDocuments(
  uri: string,
  result: ReadResourceResult,
  hint: ResourceHint = {},
): readonly ResourceDocument[] {
  const { contents } = result;
  const single = contents.length === 1;
  const documents = contents.map((content) =>
    // If the only document is not at the resource's URI or below, it is named after the resource.
    single && !content.uri.startsWith(uri)
      ? toDocument(content, uri, hint)
      : toDocument(content, content.uri, single ? hint : undefined),
  );
  const names = distinctNames(documents.map(({ name }) => name));
  return documents.map((document, i) => ({ ...document, name: names[i] ?? document.name }));
}

/** Returns the file name under which a resource is shown before it has been read. */
export function expectedName(uri: string, hint: ResourceHint): string {
  return fileName({ uri, ...hint });
}

/** Returns the kind of document that a listed resource claims to be; text if it does not say. */
export function expectedKind({ uri, mimeType, name }: ResourceHint & { readonly uri: string }) {
  const byName = kindOfExtension(extensionOf(expectedName(uri, { ...(name && { name }) })));
  return mediaKind(mimeType) ?? byName ?? 'text';
}

/** Makes one document, named after `uri`; throws a `UserError` for invalid base64. */
export function toDocument(
  content: ResourceContents,
  uri: string,
  hint: ResourceHint = {},
): ResourceDocument {
  const mimeType = content.mimeType ?? hint.mimeType;
  const bytes = contentBytes(content);
  const kind = kindOf(content, mimeType, uri, bytes);
  const honest = mediaKind(mimeType) === kind || mediaKind(mimeType) === undefined;
  const type = honest ? mimeType : content.text === undefined ? sniffMediaType(bytes) : undefined;
  const named = fileName({
    uri,
    ...(hint.name !== undefined && { name: hint.name }),
    ...(type !== undefined && { mimeType: type }),
  });
  return {
    name: fitting(named, kind),
    uri: content.uri,
    kind,
    bytes,
    ...(mimeType !== undefined && { mimeType }),
  };
}

// The content outranks the claim: a wrong type would open an editor that shows nothing.
function kindOf(
  content: ResourceContents,
  mimeType: string | undefined,
  uri: string,
  bytes: Uint8Array,
): MediaKind {
  if (content.blob === undefined) return 'text';
  const seen = mediaKind(sniffMediaType(bytes));
  const claimed = mediaKind(mimeType) ?? kindOfExtension(extensionOf(fileName({ uri })));
  if (claimed === undefined || claimed === 'text')
    return seen ?? (looksBinary(bytes) ? 'binary' : 'text');
  if (seen !== undefined) return seen === 'binary' ? claimed : seen;
  return claimed;
}

// The extension of another kind would make the editor choose the wrong view.
function fitting(name: string, kind: MediaKind): string {
  const byName = kindOfExtension(extensionOf(name));
  if (byName === undefined || byName === kind) return name;
  return `${name}.${kind === 'text' ? 'txt' : 'bin'}`;
}
