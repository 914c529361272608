import type {
  AuditLog,
  AuditRecord,
  CallAsked,
  CallBegun,
  CallEnded,
  RequestAnswered,
} from './auditLog';
import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import { saveExport } from '../ui/files/saveExport';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
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

/** One thing that happened: a call, as far as it got, or a server's question. */
export type LogEntry =
  | {
      readonly kind: 'call';
      readonly begun: CallBegun;
      /** The window that follows it: the one that began it, or a later one. */
      readonly followedBy: string;
      readonly ended?: CallEnded;
    }
  /** The user was asked about a call, and no answer was recorded. */
  | { readonly kind: 'asked'; readonly asked: CallAsked }
  | { readonly kind: 'request'; readonly request: RequestAnswered };

/** What happened in one window, the latest first. */
export interface LogSession {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly entries: readonly LogEntry[];
}

/** Groups the records by window, the one with the latest entry first; keeps entries that contain `filter`, ignoring case. */
export function logSessions(records: readonly AuditRecord[], filter = ''): readonly LogSession[] {
  const followers = new Map<string, string>();
  const ends = new Map<string, CallEnded>();
  for (const record of records) {
    if (record.kind === 'callBegun' || record.kind === 'callResumed')
      followers.set(record.id, record.session);
    if (record.kind === 'callEnded') ends.set(record.id, record);
  }
  const wanted = filter.toLowerCase();
  const sessions = new Map<string, LogEntry[]>();
  for (const record of records) {
    if (record.kind === 'callResumed' || record.kind === 'callEnded') continue;
    const followedBy = followers.get(record.id);
    if (record.kind === 'callAsked' && followedBy !== undefined) continue;
    const entry = entryOf(record, followedBy, ends.get(record.id));
    if (wanted && !JSON.stringify(entry).toLowerCase().includes(wanted)) continue;
    const entries = sessions.get(record.session) ?? [];
    entries.push(entry);
    // Moved to the end even if the window was there before: the order is that of the last entries.
    sessions.delete(record.session);
    sessions.set(record.session, entries);
  }
  return [...sessions]
    .map(([id, entries]) => ({
      id,
      startedAt: entries[0] ? beginningOf(entries[0]).time : '',
      entries: entries.toReversed(),
    }))
    .toReversed();
}

/** Returns all records of the entries whose text contains `filter`, in their order; without a filter, all records. */
export function shownRecords(
  records: readonly AuditRecord[],
  filter: string,
): readonly AuditRecord[] {
  if (!filter) return records;
  const shown = logSessions(records, filter).flatMap(({ entries }) => entries);
  const ids = new Set(shown.map((entry) => beginningOf(entry).id));
  return records.filter(({ id }) => ids.has(id));
}

/** Returns the record that an entry began with. */
export function beginningOf(entry: LogEntry): CallAsked | CallBegun | RequestAnswered {
  switch (entry.kind) {
    case 'call':
      return entry.begun;
    case 'asked':
      return entry.asked;
    case 'request':
      return entry.request;
  }
}

function entryOf(
  record: CallAsked | CallBegun | RequestAnswered,
  followedBy = record.session,
  ended?: CallEnded,
): LogEntry {
  switch (record.kind) {
    case 'callBegun':
      return { kind: 'call', begun: record, followedBy, ...(ended && { ended }) };
    case 'callAsked':
      return { kind: 'asked', asked: record };
    case 'requestAnswered':
      return { kind: 'request', request: record };
  }
}
