import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import { displayName } from '../mcp/protocol';
import type { ToolCall } from '../mcp/toolCalls';
import type { Answer } from './approvals';
import { argumentLines } from './argumentLines';

interface ChoiceItem extends vscode.QuickPickItem {
  readonly answer?: Answer;
}

/** Asks in a quick pick that shows the full arguments; Escape, and Enter on nothing chosen, deny. */
export function confirmToolCall(call: ToolCall, signal: AbortSignal): Promise<Answer> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  const deny: ChoiceItem = { label: vscode.l10n.t('Deny'), answer: { kind: 'deny' } };
  pick.title = `${plainLabel(call.server.name)} › ${plainLabel(displayName(call.tool))}`;
  pick.placeholder = vscode.l10n.t('Allow this tool to run?');
  pick.ignoreFocusOut = true;
  pick.items = [
    separator(vscode.l10n.t('Arguments')),
    ...argumentLines(call.arguments).map((label) => ({ label, alwaysShow: true })),
    separator(vscode.l10n.t('Decision')),
    { label: vscode.l10n.t('Allow once'), answer: { kind: 'allow' } },
    {
      label: vscode.l10n.t('Allow for this session'),
      answer: { kind: 'allow', remember: 'session' },
    },
    deny,
  ];
  // The first row would be active otherwise, and a stray Enter must not be an answer to yes.
  pick.activeItems = [deny];
  return new Promise((resolve) => {
    const withdraw = () => pick.hide();
    signal.addEventListener('abort', withdraw, { once: true });
    let answer: Answer = { kind: 'deny' };
    pick.onDidAccept(() => {
      const chosen = pick.activeItems[0]?.answer;
      if (!chosen) return;
      answer = chosen;
      pick.hide();
    });
    pick.onDidHide(() => {
      signal.removeEventListener('abort', withdraw);
      pick.dispose();
      resolve(answer);
    });
    pick.show();
    if (signal.aborted) pick.hide();
  });
}

function separator(label: string): ChoiceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
