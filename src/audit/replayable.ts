import type { CallBegun } from './auditLog';

/** Returns the call that a row of the tool log stands for, if it stands for one. */
export function replayable(node: unknown): CallBegun | undefined {
  if (typeof node !== 'object' || node === null || !('begun' in node)) return undefined;
  return node.begun as CallBegun;
}
