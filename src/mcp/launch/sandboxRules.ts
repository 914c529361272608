import { asRecord, isRecord, type JsonRecord } from '../../base/json';
import type { SandboxRules } from '../serverConfig';

const lists = {
  filesystem: ['allowWrite', 'denyWrite', 'denyRead'],
  network: ['allowedDomains', 'deniedDomains'],
} as const;

/** Reads `sandboxEnabled` and `sandbox` of an entry; `undefined` if they do not ask to confine the process. */
export function readSandbox({ sandboxEnabled, sandbox }: JsonRecord): SandboxRules | undefined {
  const isWanted = sandboxEnabled === undefined ? isRecord(sandbox) : sandboxEnabled !== false;
  if (!isWanted) return undefined;
  const unknown: string[] = sandbox === undefined || isRecord(sandbox) ? [] : ['sandbox'];
  const rules = asRecord(sandbox);
  const read: Record<string, readonly string[]> = {};
  for (const [part, names] of Object.entries(lists)) {
    const value = rules[part];
    if (value !== undefined && !isRecord(value)) unknown.push(part);
    for (const name of names) {
      const list = asRecord(value)[name];
      const isList = Array.isArray(list) && list.every((one) => typeof one === 'string');
      read[name] = isList ? list : [];
      if (list !== undefined && !isList) unknown.push(`${part}.${name}`);
    }
    for (const key of Object.keys(asRecord(value)))
      if (!names.some((name) => name === key)) unknown.push(`${part}.${key}`);
  }
  for (const key of Object.keys(rules)) if (!Object.hasOwn(lists, key)) unknown.push(key);
  const listOf = (name: string) => read[name] ?? [];
  return {
    allowWrite: listOf('allowWrite'),
    denyWrite: listOf('denyWrite'),
    denyRead: listOf('denyRead'),
    allowedDomains: listOf('allowedDomains'),
    deniedDomains: listOf('deniedDomains'),
    unknown,
  };
}

/** Returns an entry with the `sandbox` of its file if it enables one but does not have its own. */
export function withFileSandbox(entry: unknown, ofFile: unknown): unknown {
  const { sandboxEnabled, sandbox } = asRecord(entry);
  const isMissing = isRecord(ofFile) && sandbox === undefined;
  const isWanted = sandboxEnabled !== undefined && sandboxEnabled !== false;
  return isMissing && isWanted ? { ...asRecord(entry), sandbox: ofFile } : entry;
}
