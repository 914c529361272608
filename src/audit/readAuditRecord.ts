import { isRecord } from '../base/json';
import type { AuditRecord } from './auditLog';
import type { ApprovalScope, Decider } from '../contracts/decision';

/** Reads a record of the audit log, even one that an earlier version wrote; `undefined` for anything else. */
export function readAuditRecord(value: unknown): AuditRecord | undefined {
  if (!isRecord(value) || !('kind' in value) || !('id' in value)) return undefined;
  if (value['kind'] !== 'callBegun') return value as unknown as AuditRecord;
  const { by, launchPrint, toolPrint, ...rest } = value;
  return {
    ...rest,
    ...(rest['origin'] === 'person' && { origin: 'user' }),
    ...(launchPrint !== undefined && { launchFingerprint: launchPrint }),
    ...(toolPrint !== undefined && { toolFingerprint: toolPrint }),
    ...(!('decidedBy' in rest) && { decidedBy: deciderOf(String(by)) }),
  } as unknown as AuditRecord;
}

/** Reads who decided from its first format: `person: session, tool`, `approval`, `schema`, or a rule. */
function deciderOf(by: string): Decider {
  const [who = '', scope = ''] = by.split(': ');
  const [duration, coverage] = scope.split(', ');
  switch (who) {
    case 'person':
      return coverage
        ? { kind: 'user', approved: { duration, coverage } as ApprovalScope }
        : { kind: 'user' };
    case 'approval':
    case 'schema':
      return { kind: who };
    case 'readOnlyHint':
      return { kind: 'rule', setting: 'mcpWorkbench.tools.trustReadOnlyHint' };
    default:
      return { kind: 'rule', setting: `mcpWorkbench.tools.${who}` };
  }
}
