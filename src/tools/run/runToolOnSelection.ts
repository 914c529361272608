import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { toParts } from '../../mcp/protocol/content';
import { type JsonSchema, displayName } from '../../mcp/protocol/types';
import type { Servers } from '../../mcp/server';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { Command } from '../../ui/ids';
import { showMessage } from '../../ui/messages';
import { type ToolEntry, pickTool } from './pickTool';
import { isToolNode } from '../toolSection';
import { type RunResult, type RunDeps, runWithForm } from './runToolCommand';
import { showPick } from '../../ui/rows/picks';
import { FollowedText, sayTextChanged } from '../../ui/sources/followedText';
import type { UserAction } from '../../ui/questions/question';
import { readFields } from '../../ui/steps/schemaFields';

/** The usual names of parameters for a text to work on, best first. */
const usual = ['text', 'content', 'input', 'code', 'source', 'query', 'message', 'body', 'prompt'];

/** Returns the name of the parameter that a selected text fits, if any: one that takes any text. */
export function fitSelection(schema: JsonSchema): string | undefined {
  const texts = readFields(schema).filter(
    ({ kind }) => kind.kind === 'text' && kind.format === undefined,
  );
  const byName = usual.flatMap((name) => texts.filter((each) => each.name.toLowerCase() === name));
  const containing = usual.flatMap((name) =>
    texts.filter((each) => each.name.toLowerCase().includes(name)),
  );
  return [...byName, ...containing, ...texts][0]?.name;
}

type Placement = 'after' | 'replace' | 'document';

/** Offers *Run MCP Tool on Selection…* whenever text is selected and a server has a tool. */
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
          const action = new vscode.CodeAction(plainLabel(title), kind);
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
 * Runs the tool of a row, or one that the user picks, with the selected text in the argument that fits it, and puts the resulting text where the user
 * chooses.
 */
export async function runToolOnSelection(
  action: UserAction,
  target: unknown,
  deps: RunDeps,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty)
    throw new UserError(vscode.l10n.t('Select a text in an editor first.'));
  const takesText = ({ tool }: ToolEntry) => fitSelection(tool.inputSchema) !== undefined;
  if (isToolNode(target) && !takesText(target))
    throw new UserError(
      vscode.l10n.t('{0} has no argument for a text.', plainLabel(displayName(target.tool), 60)),
    );
  const entry = isToolNode(target) ? target : await pickTool(action, deps, takesText);
  if (!entry) return;
  const argument = fitSelection(entry.tool.inputSchema);
  const selected = new FollowedText(editor.document, editor.selection);
  try {
    const given = argument ? { [argument]: selected.text } : {};
    const ran = await runWithForm(action, entry, { given }, deps, editor);
    if (ran) await place(ran, selected, deps);
  } finally {
    selected.dispose();
  }
}

/** Puts the result of a call where the user chooses, or shows it. */
async function place(ran: RunResult, selected: FollowedText, { outcomes }: RunDeps): Promise<void> {
  const { call, outcome, permit } = ran;
  const result = resultText(outcome);
  if (result === undefined) return outcomes.show(call, outcome, permit);
  const chosen = await (permit ? askPlacement(permit) : offerPlacement(call));
  const placement = chosen?.placement;
  // A user who has just chosen expects to see it.
  const shown = () => outcomes.show(call, outcome, chosen?.action ?? permit);
  if (placement === undefined || placement === 'document') return shown();
  const { document, range } = selected;
  if (!range) {
    sayTextChanged(plainLabel(displayName(call.tool)));
    return shown();
  }
  const edit = new vscode.WorkspaceEdit();
  if (placement === 'replace') edit.replace(document.uri, range, result);
  else edit.insert(document.uri, range.end, `\n${result}`);
  if (!(await vscode.workspace.applyEdit(edit))) await shown();
}

function resultText(outcome: ToolOutcome): string | undefined {
  if (outcome.kind !== 'result' || outcome.result.isError) return undefined;
  const texts = toParts(outcome.result.content).flatMap((part) =>
    part.kind === 'text' || part.kind === 'document' ? [part.text] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

interface PlacementRow {
  readonly label: string;
  readonly placement: Placement;
}

function placementRows(): readonly PlacementRow[] {
  return [
    { label: vscode.l10n.t('Insert After the Selection'), placement: 'after' },
    { label: vscode.l10n.t('Replace the Selection'), placement: 'replace' },
    { label: vscode.l10n.t('Show in a Document'), placement: 'document' },
  ];
}

interface Placed {
  readonly placement: Placement;
  readonly action: UserAction;
}

async function askPlacement(action: UserAction): Promise<Placed | undefined> {
  const title = vscode.l10n.t('Where should the result go?');
  const picked = await showPick(action, placementRows(), { title });
  return picked && { placement: picked.placement, action };
}

/** Asks the same without taking the keyboard focus, which is elsewhere by now. */
async function offerPlacement({ tool }: ToolCall): Promise<Placed | undefined> {
  const rows = placementRows();
  const name = plainLabel(displayName(tool));
  const told = vscode.l10n.t('{0} has a result for the text that you selected.', name);
  const pressed = await showMessage('info', told, ...rows.map(({ label }) => label));
  const row = rows.find(({ label }) => label === pressed?.button);
  return row && pressed && { placement: row.placement, action: pressed.action };
}
