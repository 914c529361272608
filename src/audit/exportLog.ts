import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import type { AuditLog } from './auditLog';

/** Saves all records, one JSON value a line, where the user says; throws a `UserError` where there are none. */
export async function exportLog(log: Pick<AuditLog, 'read'>): Promise<void> {
  if ((await log.read()).records.length === 0)
    throw new UserError(vscode.l10n.t('No call has been logged yet.'));
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Tool Log'),
    filters: { 'JSON Lines': ['jsonl'] },
  });
  if (!target) return;
  // What was logged while the question was open is saved too.
  const { records } = await log.read();
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(lines.join('')));
}
