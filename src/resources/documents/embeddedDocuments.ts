import type * as vscode from 'vscode';
import { Latest } from '../../base/latest';
import type { ResourceContents } from '../../mcp/protocol/types';
import { toDocument, type ResourceDocument } from './resourceDocument';
import { toEmbeddedUri, toResourceUri } from '../../ui/resourceUri';

/** The most documents that are kept, and how many bytes they have together. */
export const maxEmbedded = 200;
export const maxEmbeddedBytes = 50_000_000;

/** Documents that came inside a prompt or a tool's result; the latest are kept for this session. */
export class EmbeddedDocuments {
  private readonly documents = new Map<string, ResourceDocument>();
  private readonly latest = new Latest<string>(
    { maxItems: maxEmbedded, maxBytes: maxEmbeddedBytes },
    (key) => this.documents.delete(key),
  );
  private last = 0;

  /** Keeps a document and gives the URI that opens it; throws a `UserError` for broken content. */
  add(serverId: string, contents: ResourceContents): vscode.Uri {
    const document = toDocument(contents, contents.uri);
    this.last += 1;
    const key = String(this.last);
    this.documents.set(key, document);
    this.latest.add(key, document.bytes.length);
    return toEmbeddedUri(toResourceUri({ serverId, uri: contents.uri }, document.name), key);
  }

  get(key: string): ResourceDocument | undefined {
    return this.documents.get(key);
  }
}
