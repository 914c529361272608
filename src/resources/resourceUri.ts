import * as vscode from 'vscode';
import { resourceScheme } from '../ui/ids';
import {
  decodeAuthority,
  decodeResourcePath,
  encodeAuthority,
  encodeResourcePath,
} from './resourcePath';
import type { ResourceRef } from './resourceStore';

/** What a URI of ours stands for. */
export interface ResourceLocation extends ResourceRef {
  /** The document within the resource: empty for the folder of all, absent where there is one. */
  readonly name?: string;
  /** True for the version that was read before the present one. */
  readonly previous: boolean;
}

const previousQuery = 'previous';

/** The URI under which an editor opens a resource, or one document of it. */
export function toResourceUri(ref: ResourceRef, name?: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: resourceScheme,
    authority: encodeAuthority(ref.serverId),
    path: encodeResourcePath(ref.uri, name),
  });
}

/** The same document as it was read before. */
export function toPreviousUri(uri: vscode.Uri): vscode.Uri {
  return uri.with({ query: previousQuery });
}

/** What a URI of ours stands for; `undefined` for any other. */
export function parseResourceUri(uri: vscode.Uri): ResourceLocation | undefined {
  if (uri.scheme !== resourceScheme) return undefined;
  const { uri: raw, name } = decodeResourcePath(uri.path);
  return {
    serverId: decodeAuthority(uri.authority),
    uri: raw,
    previous: uri.query === previousQuery,
    ...(name !== undefined && { name }),
  };
}
