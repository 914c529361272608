import { Emitter } from '../../../src/base/event';
import { PendingWork } from '../../../src/base/async';
import type { AuditLog, AuditRecord, AuditRetention } from '../../../src/audit/auditLog';

/** Creates an audit log of the session `window` that adds to `records`. */
export function memoryLog(records: AuditRecord[]): AuditLog {
  return {
    session: 'window',
    write: (record) => Promise.resolve(void records.push(record)),
    read: () => Promise.resolve({ records, lost: 0 }),
    onDidWrite: new Emitter<AuditRecord>().event,
    watch: () => ({ dispose: () => undefined }),
    pending: new PendingWork(),
  };
}

/** Keeps values redacted, with no known secrets. */
export const keepRedacted: AuditRetention = { keep: () => 'redacted', mask: (text) => text };
