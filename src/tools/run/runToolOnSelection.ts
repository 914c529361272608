import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { toParts } from '../../mcp/protocol/content';
import type { Servers } from '../../mcp/servers';
import type { ToolOutcome } from '../../contracts/toolCalls';
import { Command } from '../../ui/ids';
import { fitSelection } from './fitSelection';
import { pickTool } from './pickTool';
import { runWithForm, type RunningParts } from './runToolCommand';
import { showPick, type PickLook } from '../../ui/rows/picks';

type Placement = 'after' | 'replace' | 'document';

/** Offers *Run MCP Tool on Selection…* wherever a text is selected and a server has a tool. */
export function registerSelectionAction(servers: Servers): Disposable {
  const store = new DisposableStore();
  const kind = vscode.CodeActionKind.RefactorRewrite;
  store.add(
    vscode.languages.registerCodeActionsProvider(
      [{ scheme: 'file' }, { scheme: 'untitled' }, { scheme: 'vscode-remote' }],
      {
        provideCodeActions(_document, range) {
          const hasTools = servers.all.some(({ tools }) => tools.items.length > 0);
          if (range.isEmpty || !hasTools) return [];
          const title = vscode.l10n.t('Run MCP Tool on Selection…');
          const action = new vscode.CodeAction(title, kind);
          action.command = { command: Command.runToolOnSelection, title };
          return [action];
        },
      },
      { providedCodeActionKinds: [kind] },
    ),
  );
  return store;
}

/**
 * Runs a tool with the selected text in the argument that fits it, and puts the text that comes back
 * where the user says.
 */
export async function runToolOnSelection(parts: RunningParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty)
    throw new UserError(vscode.l10n.t('Select a text in an editor first.'));
  const { document, selection } = editor;
  const text = document.getText(selection);
  const entry = await pickTool(
    parts.servers,
    ({ tool }) => fitSelection(tool.inputSchema) !== undefined,
  );
  if (!entry) return;
  const argument = fitSelection(entry.tool.inputSchema);
  const ran = await runWithForm(
    entry,
    { given: argument ? { [argument]: text } : {} },
    parts,
    editor,
  );
  if (!ran) return;
  const result = resultText(ran.outcome);
  const placement = result === undefined ? 'document' : await askPlacement();
  const edit = new vscode.WorkspaceEdit();
  if (placement === 'replace') edit.replace(document.uri, selection, result ?? '');
  if (placement === 'after') edit.insert(document.uri, selection.end, `\n${result}`);
  // While the tool ran, the text may have been edited.
  const isUnchanged = document.getText(selection) === text;
  if (edit.size > 0 && isUnchanged && (await vscode.workspace.applyEdit(edit))) return;
  await parts.show(ran.call, ran.outcome);
}

function resultText(outcome: ToolOutcome): string | undefined {
  if (outcome.kind !== 'result' || outcome.result.isError) return undefined;
  const texts = toParts(outcome.result.content).flatMap((part) =>
    part.kind === 'text' || part.kind === 'document' ? [part.text] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

async function askPlacement(): Promise<Placement | undefined> {
  const items: readonly (PickLook & { readonly placement: Placement })[] = [
    { label: vscode.l10n.t('Insert After the Selection'), placement: 'after' },
    { label: vscode.l10n.t('Replace the Selection'), placement: 'replace' },
    { label: vscode.l10n.t('Show in a Document'), placement: 'document' },
  ];
  const picked = await showPick(items, {
    title: vscode.l10n.t('Where should the result go?'),
  });
  return picked?.placement;
}
