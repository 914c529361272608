import type * as vscode from 'vscode';
import { nameAndType } from '../../base/text/fileName';
import { attachToChat } from '../../ui/editorChat';
import { byUser } from '../../ui/questions/stage';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';
import type { FoundDocument } from '../readTarget';

/** Attaches documents to the message being written in the chat. */
export async function attachDocuments(found: readonly FoundDocument[]): Promise<void> {
  await attachToChat(found.map(attachable), byUser());
}

// The editor silently drops what is named like an image and is not on disk, so it gets another name, and no thumbnail.
function attachable({ uri, document: { name, kind } }: FoundDocument): vscode.Uri {
  const location = kind === 'image' ? parseResourceUri(uri) : undefined;
  return location ? toResourceUri(location, nameAndType(name)).with({ query: uri.query }) : uri;
}
