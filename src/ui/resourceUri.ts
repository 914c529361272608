import * as vscode from 'vscode';
import {
  decodeAuthority,
  decodeResourcePath,
  encodeAuthority,
  encodeResourcePath,
} from '../base/uri/resourcePath';
import { resourceScheme } from './ids';

/** Names a resource of a server; `uri` is the server's own. */
export interface ResourceRef {
  readonly serverId: string;
  readonly uri: string;
}

/** Another view of a document: as it was read before, or its bytes in hexadecimal. */
export type ResourceVariant = 'previous' | 'hex';

/** What one of our URIs stands for. */
export interface ResourceLocation extends ResourceRef {
  /** The document within the resource: empty for the folder of all, absent if there is only one. */
  readonly name?: string;
  readonly variant?: ResourceVariant;
  /** For a document that came inside a result and not from a read: which one it is. */
  readonly embedded?: string;
}

const variants: readonly string[] = ['previous', 'hex'] satisfies readonly ResourceVariant[];
const embeddedQuery = 'embedded=';

/** Returns the URI under which an editor opens a resource, or one document of it. */
export function toResourceUri(ref: ResourceRef, name?: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: resourceScheme,
    authority: encodeAuthority(ref.serverId),
    path: encodeResourcePath(ref.uri, name),
  });
}

/** Returns the URI of the same document in another view. */
export function toVariantUri(uri: vscode.Uri, variant: ResourceVariant): vscode.Uri {
  return uri.with({ query: variant });
}

/** Returns the URI of a document that came inside a result. */
export function toEmbeddedUri(uri: vscode.Uri, embedded: string): vscode.Uri {
  return uri.with({ query: embeddedQuery + embedded });
}

/** Reads what one of our URIs stands for; `undefined` for any other. */
export function parseResourceUri({
  scheme,
  authority,
  path,
  query,
}: vscode.Uri): ResourceLocation | undefined {
  if (scheme !== resourceScheme) return undefined;
  const { uri, name } = decodeResourcePath(path);
  return {
    serverId: decodeAuthority(authority),
    uri,
    ...(name !== undefined && { name }),
    ...(isVariant(query) && { variant: query }),
    ...(query.startsWith(embeddedQuery) && { embedded: query.slice(embeddedQuery.length) }),
  };
}

function isVariant(query: string): query is ResourceVariant {
  return variants.includes(query);
}
