import type * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { Latest } from '../../base/async';
import { plainLabel } from '../../base/text/text';
import type { ResourceContents } from '../../mcp/protocol/types';
import { type ResourceDocument, toDocument } from './resourceDocument';
import { type ResourceLocation, toEmbeddedUri, toResourceUri } from '../../ui/resourceUri';
import { type ResourceStore, refKey } from './resourceStore';
import type { Servers } from '../../mcp/server';
import { findTarget, targetUri } from '../targets';

/** A link in a result: what it names, and what the server says about it. */
interface LinkedResource {
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

/** At most this many documents are kept, and at most this many bytes in all. */
export const maxEmbedded = 200;
export const maxEmbeddedBytes = 50_000_000;

/** Documents that came inside a prompt or a tool's result; the latest are kept for this session. */
export class EmbeddedDocuments {
  private readonly documents = new Map<string, ResourceDocument>();
  private readonly latest = new Latest<string>(
    { maxItems: maxEmbedded, maxBytes: maxEmbeddedBytes },
    (key) => this.documents.delete(key),
  );
  // Distinguishes the URIs from those of an earlier session, whose documents the editor may restore.
  private readonly session = crypto.randomUUID().slice(0, 8);
  private last = 0;

  /** Keeps a document and returns the URI that opens it; throws a `UserError` for invalid base64. */
  add(serverId: string, contents: ResourceContents): vscode.Uri {
    const document = toDocument(contents, contents.uri);
    const ref = { serverId, uri: contents.uri };
    this.last += 1;
    const embedded = `${this.session}-${this.last}`;
    const key = keyOf({ ...ref, embedded });
    this.documents.set(key, document);
    this.latest.add(key, document.bytes.length);
    return toEmbeddedUri(toResourceUri(ref, document.name), embedded);
  }

  /** Returns the document of a result that a location names, if it does; throws a `UserError` if it is no longer kept. */
  find(location: ResourceLocation): ResourceDocument | undefined {
    if (location.embedded === undefined) return undefined;
    const document = this.documents.get(keyOf(location));
    if (document) return document;
    throw new UserError((t) =>
      t(
        '{0} came inside a result that is no longer kept. Run the tool or the prompt again.',
        plainLabel(location.uri, 80),
      ),
    );
  }
}

function keyOf(location: ResourceLocation): string {
  return `${location.embedded}/${refKey(location)}`;
}
