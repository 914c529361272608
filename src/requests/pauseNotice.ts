import * as vscode from 'vscode';
import { plainLabel } from '../base/text/text';
import type { HeldQuestions } from './questionRateLimit';

/** Tells the user that a server is paused because it asks too much, and asks how to go on. */
export async function showPause(held: HeldQuestions, declineAll: () => void): Promise<void> {
  const { t } = vscode.l10n;
  const go = t('Resume');
  const decline = t('Decline All');
  const name = plainLabel(held.server.name, 60);
  const chosen = await vscode.window.showWarningMessage(
    t('"{0}" asked more than {1} questions a minute and was paused.', name, held.maxPerMinute),
    go,
    decline,
  );
  if (chosen === decline) declineAll();
  held.end(chosen === go ? 'go' : chosen === decline ? 'decline' : 'drop');
}
