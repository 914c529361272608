import type * as vscode from 'vscode';
import { nameAndType } from '../../base/text/fileName';
import { attachToChat } from '../../ui/editorChat';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';
import type { FoundDocument } from '../readTarget';

/** Attaches documents to the message being written in the chat. */
export async function attachDocuments(found: readonly FoundDocument[]): Promise<void> {
  await attachToChat(found.map(attachable));
}

// The editor leaves out, without a word, what has the name of a picture and is not on a disk: no thumbnail then.
function attachable({ uri, document: { name, kind } }: FoundDocument): vscode.Uri {
  const location = kind === 'image' ? parseResourceUri(uri) : undefined;
  return location ? toResourceUri(location, nameAndType(name)).with({ query: uri.query }) : uri;
}
