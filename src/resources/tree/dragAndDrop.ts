import * as vscode from 'vscode';
import { maxDocumentBytes, readFileBytes } from '../../ui/documents/readTextFile';
import type { Servers } from '../../mcp/server';
import { reportError } from '../../ui/commands';
import type { Logs } from '../../ui/logs';
import { parseResourceUri, toResourceUri } from '../../ui/resourceUri';
import { byUser } from '../../ui/questions/question';
import type { TreeNode } from '../../ui/tree';
import { readTargets } from '../commands/copyResources';
import type { ContentSources } from '../documents/openResource';
import { isResourceNode } from './resourceNodes';
import type { ResourceStore } from '../documents/resourceStore';
import { saveInto } from '../commands/saveResources';
import { refOf, targetUri, toTargets, type ResourceTarget } from '../targets';
import { seenAddress } from '../../base/text/address';

const uriList = 'text/uri-list';

/** Lets the user drag rows of resources to the chat, into editors, and onto rows of folders, where they are saved. */
export function createDragController(
  deps: ContentSources & { readonly servers: Servers; readonly logs: Logs },
): vscode.TreeDragAndDropController<TreeNode> {
  const { store, servers, logs } = deps;
  return {
    dragMimeTypes: [uriList],
    dropMimeTypes: [uriList],
    handleDrag(rows, transfer) {
      const uris = rows.filter(isResourceNode).map((row) => draggedUri(store, row).toString());
      if (uris.length > 0) transfer.set(uriList, new vscode.DataTransferItem(uris.join('\r\n')));
    },
    async handleDrop(row, transfer) {
      const uris = await droppedUris(transfer);
      const found = await Promise.all(uris.map((uri) => toTargets(servers, uri, undefined)));
      const targets = found.flat();
      if (!row?.folder || targets.length === 0) return;
      const action = byUser();
      try {
        await saveInto(row.folder, await readTargets(deps, targets, action), { ...deps, action });
      } catch (error) {
        reportError(error, logs);
      }
    },
  };
}

/** Offers to insert the contents or the server's URI of a resource that is dropped into a text editor. */
export function registerDropIntoEditor(): vscode.Disposable {
  return vscode.languages.registerDocumentDropEditProvider(
    { pattern: '**' },
    {
      async provideDocumentDropEdits(_document, _position, transfer, token) {
        const uris = await droppedUris(transfer);
        const found = uris.flatMap((uri) => {
          const location = parseResourceUri(uri);
          return location ? [{ uri, raw: location.uri }] : [];
        });
        if (found.length === 0 || token.isCancellationRequested) return undefined;
        const insert = vscode.DocumentDropOrPasteEditKind.Empty.append('mcpWorkbench');
        const address = found.map(({ raw }) => seenAddress(raw)).join('\n');
        const edits = [
          new vscode.DocumentDropEdit(
            plain(address),
            vscode.l10n.t('Insert Resource URI'),
            insert.append('uri'),
          ),
        ];
        const contents = await readTexts(found.map(({ uri }) => uri));
        if (contents !== undefined)
          edits.unshift(
            new vscode.DocumentDropEdit(
              plain(contents),
              vscode.l10n.t('Insert Resource Contents'),
              insert.append('contents'),
            ),
          );
        return edits;
      },
    },
    {
      dropMimeTypes: [uriList],
      providedDropEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append('mcpWorkbench')],
    },
  );
}

// A resource with several documents is dragged as the folder of them.
function draggedUri(store: ResourceStore, target: ResourceTarget): vscode.Uri {
  const ref = refOf(target);
  const isFolder = !target.document && (store.peek(ref)?.documents.length ?? 0) > 1;
  return isFolder ? toResourceUri(ref, '') : targetUri(store, target);
}

// The editor may put an empty list of its own before the one that was dragged.
async function droppedUris(transfer: vscode.DataTransfer): Promise<readonly vscode.Uri[]> {
  const items = [...transfer].flatMap(([type, item]) => (type === uriList ? [item] : []));
  const lists = await Promise.all(items.map((item) => item.asString()));
  const lines = lists.flatMap((list) => list.split(/\r?\n/).filter(Boolean));
  return [...new Set(lines)].map((line) => vscode.Uri.parse(line));
}

// A snippet would interpret the `$` and `}` of the text.
function plain(text: string): vscode.SnippetString {
  return new vscode.SnippetString().appendText(text);
}

async function readTexts(uris: readonly vscode.Uri[]): Promise<string | undefined> {
  try {
    const all = await Promise.all(uris.map((uri) => readFileBytes(uri, maxDocumentBytes)));
    const texts = all.map((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return texts.join('\n');
  } catch {
    // The bytes are not text, or the server is not running: the URI can still be inserted.
    return undefined;
  }
}
