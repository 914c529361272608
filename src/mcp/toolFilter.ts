import { isRecord } from '../base/json';

/** Which tools of a server its configuration lets be called, by name. */
export interface ToolFilter {
  /** Only these, where it says so. */
  readonly only?: readonly string[];
  readonly never: readonly string[];
}

/**
 * Reads `tools`, `disabledTools` and `excludeTools` of a server's configuration as other applications write
 * them; nothing where none restricts. What widens there, such as `autoApprove`, is nobody's permission here.
 */
export function readToolFilter(value: unknown): ToolFilter | undefined {
  if (!isRecord(value)) return undefined;
  const only = names(value['tools']);
  const never = [value['disabledTools'], value['excludeTools']].flatMap((one) => names(one) ?? []);
  const isOpen = only === undefined || only.includes('*');
  if (isOpen && never.length === 0) return undefined;
  return { ...(!isOpen && { only }), never };
}

/** True where the configuration lets the tool be called. */
export function letsToolBeCalled(filter: ToolFilter | undefined, name: string): boolean {
  if (!filter) return true;
  return !filter.never.includes(name) && (filter.only?.includes(name) ?? true);
}

function names(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
