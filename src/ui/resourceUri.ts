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

/** Says under which URIs resources are opened. */
export interface ResourceUris {
  /** Returns the URI that opens a resource of a server with the name that it has there. */
  uriOf(serverId: string, uri: string): vscode.Uri;
}

/** Another view of a document: as it was read before, or its bytes in hexadecimal. */
export type ResourceVariant = 'previous' | 'hex';

/** What one of our URIs stands for. */
export interface ResourceLocation extends ResourceRef {
  /** The document within the resource: empty for the folder of all, absent if there is only one. */
  readonly name?: string;
  readonly variant?: ResourceVariant;
}

const variants: readonly string[] = ['previous', 'hex'] satisfies readonly ResourceVariant[];

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
  };
}

function isVariant(query: string): query is ResourceVariant {
  return variants.includes(query);
}
