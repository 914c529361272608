import { Emitter } from '../../../src/base/event';
import { PendingWork } from '../../../src/base/pendingWork';
import type { AuditLog, AuditRecord } from '../../../src/audit/auditLog';
import type { Keeping } from '../../../src/audit/loggedValue';

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
export const keepRedacted: Keeping = { keep: () => 'redacted', mask: (text) => text };
