import { asRecord } from '../../base/json';
import { usesInputs } from '../add/importedServer';

/** What VS Code's format has and the one that applications share has not. */
const keys = ['cwd', 'envFile', 'oauth', 'sandboxEnabled', 'sandbox'] as const;

/**
 * What of an entry below `mcpServers` other applications that read its file cannot use, though we can: such
 * a server fails there, or runs with less than it was meant to have, without a word.
 */
export function notPortable(value: unknown): readonly string[] {
  const entry = asRecord(value);
  const isSse = entry['type'] === 'sse';
  return [
    ...keys.filter((key) => Object.hasOwn(entry, key)),
    ...(isSse ? ['"type": "sse"'] : []),
    ...(usesInputs(entry) ? ['${input:…}'] : []),
  ];
}
