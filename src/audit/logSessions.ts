import type { AuditRecord, CallBegun, CallEnded, RequestAnswered } from './auditLog';

/** One thing that happened: a call with its end, if it came to one, or a server's question. */
export type LogEntry =
  | { readonly kind: 'call'; readonly begun: CallBegun; readonly ended?: CallEnded }
  | { readonly kind: 'request'; readonly request: RequestAnswered };

/** What happened in one window, the latest first. */
export interface LogSession {
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly entries: readonly LogEntry[];
}

/** The records of the log by window, the latest first, as far as their text holds `filter`. */
export function logSessions(records: readonly AuditRecord[], filter = ''): readonly LogSession[] {
  const ends = new Map<string, CallEnded>();
  for (const record of records) if (record.kind === 'callEnded') ends.set(record.id, record);
  const wanted = filter.toLowerCase();
  const sessions = new Map<string, LogEntry[]>();
  for (const record of records) {
    if (record.kind === 'callEnded') continue;
    const entry = entryOf(record, ends.get(record.id));
    if (wanted && !JSON.stringify(entry).toLowerCase().includes(wanted)) continue;
    const entries = sessions.get(record.session) ?? [];
    entries.push(entry);
    sessions.set(record.session, entries);
  }
  return [...sessions]
    .map(([id, entries]) => ({
      id,
      startedAt: timeOf(entries[0]),
      entries: entries.toReversed(),
    }))
    .toReversed();
}

/** When an entry began: ISO 8601. */
export function timeOf(entry: LogEntry | undefined): string {
  if (!entry) return '';
  return entry.kind === 'call' ? entry.begun.time : entry.request.time;
}

function entryOf(record: CallBegun | RequestAnswered, ended: CallEnded | undefined): LogEntry {
  if (record.kind === 'requestAnswered') return { kind: 'request', request: record };
  return { kind: 'call', begun: record, ...(ended && { ended }) };
}
