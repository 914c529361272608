import type * as vscode from 'vscode';
import type { ResourceContents } from '../../mcp/protocol/types';
import type { Servers } from '../../mcp/servers';
import type { EmbeddedDocuments } from './embeddedDocuments';
import type { ResourceStore } from './resourceStore';
import { toResourceUri } from '../../ui/resourceUri';
import { findTarget, targetUri } from '../targets';

/** A link in a result: what it names, and what the server says about it. */
export interface LinkedResource {
  readonly uri: string;
  readonly name?: string;
  readonly mimeType?: string;
}

/**
 * Returns our URI that opens a link (read from its server when it is opened) or an embedded
 * resource (its content, as it came). Throws a `UserError` for invalid base64.
 */
export type UriOf = (serverId: string, what: LinkedResource | ResourceContents) => vscode.Uri;

/** Makes a {@link UriOf}. */
export function createUriOf(
  servers: Servers,
  store: ResourceStore,
  embedded: EmbeddedDocuments,
): UriOf {
  return (serverId, what) => {
    if ('text' in what || 'blob' in what) return embedded.add(serverId, what);
    const { uri, mimeType } = what;
    const name = 'name' in what ? what.name : undefined;
    const target = findTarget(servers, { serverId, uri });
    if (!target) return toResourceUri({ serverId, uri });
    const { resource } = target;
    return targetUri(store, {
      ...target,
      resource: {
        ...resource,
        ...(name !== undefined && { name }),
        ...(mimeType !== undefined && !resource.mimeType && { mimeType }),
      },
    });
  };
}
