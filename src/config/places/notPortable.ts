import { asRecord } from '../../base/json';
import { inputsIn } from '../add/importedServer';

/** The keys of VS Code's format that are not part of the one shared by other applications. */
const keys = ['cwd', 'envFile', 'oauth', 'sandboxEnabled', 'sandbox'] as const;

/**
 * Lists what other applications that read the same file cannot use in an entry below `mcpServers`, although we
 * can: there, such a server fails, or silently runs with less than intended.
 */
export function notPortable(value: unknown): readonly string[] {
  const entry = asRecord(value);
  const isSse = entry['type'] === 'sse';
  return [
    ...keys.filter((key) => Object.hasOwn(entry, key)),
    ...(isSse ? ['"type": "sse"'] : []),
    ...(inputsIn(entry).length > 0 ? ['${input:…}'] : []),
  ];
}
