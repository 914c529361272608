import type { CallBegun } from './auditLog';

/** The call that a row stands for, if it stands for one whose arguments were kept. */
export function replayable(node: unknown): CallBegun | undefined {
  if (typeof node !== 'object' || node === null || !('begun' in node)) return undefined;
  return node.begun as CallBegun;
}
