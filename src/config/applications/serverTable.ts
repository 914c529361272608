import { UserError } from '../../base/errors';
import { isRecord, type JsonRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import type { LocalizableMessage } from '../../base/translate';
import type { TimeUnit } from '../../mcp/launch/ownEntry';
import { readImportedServers, type ImportedServer } from '../add/importedServer';

/** Receives a whole sentence about each thing in a file that cannot be used. */
export type TellProblem = (problem: LocalizableMessage) => void;

/** Returns the parsed content of a file, `{}` if it is empty; throws a `UserError` if it is not an object. */
export function fileRecord(value: unknown): JsonRecord {
  const file = value ?? {};
  if (!isRecord(file)) throw new UserError((t) => t('The file must be an object.'));
  return file;
}

/** Returns the servers by name under a key; `{}`, after calling `tell`, if the value is not an object. */
export function serverTable(key: string, value: unknown, tell?: TellProblem): JsonRecord {
  const table = value ?? {};
  if (isRecord(table)) return table;
  tell?.((t) => t('"{0}" must be an object that maps names to servers.', key));
  return {};
}

/** Reads the servers under a key, and calls `tell` about what cannot be used; `unit` is that of times without one. */
export function readServerTable(
  key: string,
  value: unknown,
  tell?: TellProblem,
  unit?: TimeUnit,
): readonly ImportedServer[] {
  const leaveOut = (name: string) => tell?.(unusableServer(name));
  return readImportedServers(serverTable(key, value, tell), leaveOut, unit);
}

/** Returns the problem of an entry that is not a server that can be launched. */
export function unusableServer(name: string): LocalizableMessage {
  return (t) => t('Its server "{0}" cannot be used.', plainLabel(name, 40));
}
