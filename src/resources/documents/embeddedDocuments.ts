import type * as vscode from 'vscode';
import type { ResourceContents } from '../../mcp/protocol/types';
import { toDocument, type ResourceDocument } from './resourceDocument';
import { toEmbeddedUri, toResourceUri } from '../../ui/resourceUri';

const kept = 200;

/** Documents that came inside a prompt or a tool's result; the latest are kept for this session. */
export class EmbeddedDocuments {
  private readonly documents = new Map<string, ResourceDocument>();
  private last = 0;

  /** Keeps a document and gives the URI that opens it; throws a `UserError` for broken content. */
  add(serverId: string, contents: ResourceContents): vscode.Uri {
    const document = toDocument(contents, contents.uri);
    this.last += 1;
    const key = String(this.last);
    this.documents.set(key, document);
    for (const oldest of this.documents.keys()) {
      if (this.documents.size <= kept) break;
      this.documents.delete(oldest);
    }
    return toEmbeddedUri(toResourceUri({ serverId, uri: contents.uri }, document.name), key);
  }

  get(key: string): ResourceDocument | undefined {
    return this.documents.get(key);
  }
}
