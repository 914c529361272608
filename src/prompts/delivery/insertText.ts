import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import { showText, type Leave } from '../../ui/keyboard';
import { offer } from '../../ui/messages';
import { sayTextChanged, type FollowedText } from '../../ui/sources/followedText';
import { asText, type Delivery } from './draftText';

/** Inserts the messages at the cursors of the editor where the prompt was run, or in a new document if these are gone. */
export async function insertText(delivery: Delivery): Promise<void> {
  const { draft, editor, cursors, parts, isAway } = delivery;
  const leave = isAway ? undefined : delivery.leave;
  const text = asText(parts);
  if (!editor || editor.document.isClosed) return showNew(text, leave);
  const { document, viewColumn } = editor;
  // An editor that something else has replaced keeps its old selections, whatever has been edited since.
  const isLive = !isAway && vscode.window.visibleTextEditors.includes(editor);
  const ranges = isLive ? editor.selections : rangesOf(cursors);
  const name = plainLabel(displayName(draft.prompt));
  if (!ranges) {
    sayTextChanged(name);
    return showNew(text, leave);
  }
  if (isAway) return insertQuietly(name, document, ranges, text);
  const shown = await showText(document, leave, {
    ...(viewColumn !== undefined && { viewColumn }),
  });
  const done = await shown.edit((edit) => {
    for (const range of ranges) edit.replace(range, text);
  });
  if (!done) await copyInstead(text);
}

/** Inserts the text where the cursors were, and leaves the keyboard focus where it is. */
async function insertQuietly(
  name: string,
  document: vscode.TextDocument,
  ranges: readonly vscode.Range[],
  text: string,
): Promise<void> {
  const { t } = vscode.l10n;
  const edit = new vscode.WorkspaceEdit();
  for (const range of ranges) edit.replace(document.uri, range, text);
  if (!(await vscode.workspace.applyEdit(edit))) return copyInstead(text);
  const file = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  const message = t('The text of the prompt "{0}" was inserted into {1}.', name, plainLabel(file));
  const show = t('Show');
  void offer('info', message, show).then(async (pressed) => {
    const [selection] = ranges.map(({ start }) => new vscode.Range(start, start));
    if (pressed) await showText(document, pressed.action, { ...(selection && { selection }) });
  });
}

/** Returns where the texts are now; `undefined` if one of them was itself edited or its document was closed. */
function rangesOf(cursors: readonly FollowedText[]): readonly vscode.Range[] | undefined {
  const ranges = cursors.flatMap(({ range }) => range ?? []);
  return ranges.length === cursors.length ? ranges : undefined;
}

async function showNew(content: string, leave: Leave): Promise<void> {
  await showText(await vscode.workspace.openTextDocument({ content }), leave);
}

async function copyInstead(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  void offer(
    'warning',
    vscode.l10n.t('This editor is read-only. The text was copied to the clipboard instead.'),
  );
}
