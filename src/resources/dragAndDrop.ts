import * as vscode from 'vscode';
import type { TreeNode } from '../ui/tree';
import { isResourceNode } from './resourceNodes';
import type { ResourceStore } from './resourceStore';
import { parseResourceUri } from '../ui/resourceUri';
import { targetUri } from './targets';

const uriList = 'text/uri-list';

/** Lets rows of resources be dragged: to the chat, into editors, and into folders of the explorer. */
export function createDragController(
  store: ResourceStore,
): vscode.TreeDragAndDropController<TreeNode> {
  return {
    dragMimeTypes: [uriList],
    dropMimeTypes: [],
    handleDrag(rows, transfer) {
      const uris = rows.filter(isResourceNode).map((target) => targetUri(store, target).toString());
      if (uris.length > 0) transfer.set(uriList, new vscode.DataTransferItem(uris.join('\r\n')));
    },
  };
}

/** Offers to insert the contents or the server's URI of a resource that is dropped into a text. */
export function registerDropIntoEditor(): vscode.Disposable {
  return vscode.languages.registerDocumentDropEditProvider(
    { pattern: '**' },
    {
      async provideDocumentDropEdits(_document, _position, transfer, token) {
        const dropped = await transfer.get(uriList)?.asString();
        const found = (dropped ?? '').split(/\r?\n/).flatMap((line) => {
          const uri = line === '' ? undefined : vscode.Uri.parse(line);
          const location = uri && parseResourceUri(uri);
          return location ? [{ uri, raw: location.uri }] : [];
        });
        if (found.length === 0 || token.isCancellationRequested) return undefined;
        const insert = vscode.DocumentDropOrPasteEditKind.Empty.append('mcpWorkbench');
        const address = found.map(({ raw }) => raw).join('\n');
        const edits = [
          new vscode.DocumentDropEdit(
            plain(address),
            vscode.l10n.t('Insert the Resource’s URI'),
            insert.append('uri'),
          ),
        ];
        const contents = await readTexts(found.map(({ uri }) => uri));
        if (contents !== undefined)
          edits.unshift(
            new vscode.DocumentDropEdit(
              plain(contents),
              vscode.l10n.t('Insert the Resource’s Contents'),
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

// A snippet would take `$` and `}` of the text for its own.
function plain(text: string): vscode.SnippetString {
  return new vscode.SnippetString().appendText(text);
}

async function readTexts(uris: readonly vscode.Uri[]): Promise<string | undefined> {
  try {
    const all = await Promise.all(uris.map((uri) => vscode.workspace.fs.readFile(uri)));
    const texts = all.map((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return texts.join('\n');
  } catch {
    // Bytes that are no text, or a server that is off: the URI can still be inserted.
    return undefined;
  }
}
