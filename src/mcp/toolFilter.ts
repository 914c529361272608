import { isRecord } from '../base/json';

/** The tools of a server that its configuration allows to be called, by name. */
export interface ToolFilter {
  /** If present, only these can be called. */
  readonly only?: readonly string[];
  readonly never: readonly string[];
}

/**
 * Reads `tools`, `disabledTools` and `excludeTools` of a server's configuration as other applications write them;
 * `undefined` if they restrict nothing. What allows more there, such as `autoApprove`, is not a permission here.
 */
export function readToolFilter(value: unknown): ToolFilter | undefined {
  if (!isRecord(value)) return undefined;
  const only = names(value['tools']);
  const never = [value['disabledTools'], value['excludeTools']].flatMap((one) => names(one) ?? []);
  const isOpen = only === undefined || only.includes('*');
  if (isOpen && never.length === 0) return undefined;
  return { ...(!isOpen && { only }), never };
}

/** True if the configuration allows the tool to be called. */
export function letsToolBeCalled(filter: ToolFilter | undefined, name: string): boolean {
  if (!filter) return true;
  return !filter.never.includes(name) && (filter.only?.includes(name) ?? true);
}

function names(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
