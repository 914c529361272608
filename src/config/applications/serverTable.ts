import { UserError } from '../../base/errors';
import { isRecord, type JsonRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import type { Sentence } from '../../base/translate';
import { readImportedServers, type ImportedServer } from '../add/importedServer';

/** Is told, in whole sentences, what of a file cannot be used. */
export type TellProblem = (problem: Sentence) => void;

/** What was read of a whole file, nothing where that is empty; throws where it is no object. */
export function fileRecord(value: unknown): JsonRecord {
  const file = value ?? {};
  if (!isRecord(file)) throw new UserError((t) => t('The file must be an object.'));
  return file;
}

/** What stands below the key of servers by name, nothing where something else stands there. */
export function serverTable(key: string, value: unknown, tell?: TellProblem): JsonRecord {
  const table = value ?? {};
  if (isRecord(table)) return table;
  tell?.((t) => t('"{0}" must be an object that maps names to servers.', key));
  return {};
}

/** The servers below such a key. */
export function readServerTable(
  key: string,
  value: unknown,
  tell?: TellProblem,
): readonly ImportedServer[] {
  return readImportedServers(serverTable(key, value, tell), (name) => tell?.(unusableServer(name)));
}

/** Says that an entry is no server that can be launched. */
export function unusableServer(name: string): Sentence {
  return (t) => t('Its server "{0}" cannot be used.', plainLabel(name, 40));
}
