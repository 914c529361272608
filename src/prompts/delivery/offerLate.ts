import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { PromptDraft } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import { actionText } from '../preview/actionTexts';
import type { PromptAction } from '../promptAction';

/** The actions that leave the keyboard focus where it is. */
const quiet: ReadonlySet<PromptAction> = new Set(['copy', 'insert', 'return']);

/** Asks a user who has started working elsewhere whether an action that takes the keyboard focus may go ahead. */
export async function offerLate(action: PromptAction, { prompt }: PromptDraft): Promise<boolean> {
  if (quiet.has(action)) return true;
  const { label } = actionText(action);
  const message = vscode.l10n.t(
    'The prompt "{0}" has its messages now.',
    plainLabel(displayName(prompt)),
  );
  return (await vscode.window.showInformationMessage(message, label)) === label;
}
