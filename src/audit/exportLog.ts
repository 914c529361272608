import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import { saveExport } from '../ui/files/saveExport';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import type { AuditLog } from './auditLog';
import { shownRecords } from './logSessions';
import type { UserAction } from '../ui/questions/question';

/**
 * Saves the records of the entries that contain `filter`, one JSON value per line, to a file that the user chooses;
 * rejects with a `UserError` if there are none.
 */
export async function exportLog(
  action: UserAction,
  log: Pick<AuditLog, 'read'>,
  filter: string,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  const { records } = await log.read();
  if (records.length === 0) throw new UserError(t('No call has been logged yet.'));
  if (shownRecords(records, filter).length === 0)
    throw new UserError(t('No entry of the tool log has “{0}”.', plainLabel(filter)));
  await saveExport(action, {
    title: t('Export Tool Log'),
    name: 'tool-log.jsonl',
    filters: { 'JSON Lines': ['jsonl'] },
    writer,
    // What was logged while the dialog was open is saved, too.
    exported: async () => {
      const saved = shownRecords((await log.read()).records, filter);
      return {
        text: saved.map((record) => `${JSON.stringify(record)}\n`).join(''),
        told: (file) =>
          saved.length === 1
            ? t('Saved 1 record of the tool log to {0}.', file)
            : t('Saved {0} records of the tool log to {1}.', String(saved.length), file),
      };
    },
  });
}
