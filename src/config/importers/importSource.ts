import { parse, type ParseError } from 'jsonc-parser';
import { asRecord } from '../../base/json';
import { readImportedServers, type ImportedServer } from '../add/importedServer';

/** Where applications keep their files on a machine, as absolute paths with `/`. */
export interface Machine {
  readonly platform: 'darwin' | 'win32' | 'linux';
  readonly home: string;
  /** The folder for settings of applications: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly settings: string;
  /** The open workspace folders. */
  readonly folders: readonly string[];
}

/** Another application whose servers can be imported. */
export interface ImportSource {
  /** The application's name. */
  readonly label: string;
  /** The files it may have, whether they exist or not. */
  readonly files: (machine: Machine) => readonly string[];
  /** The servers in the text of such a file; throws or rejects when the text cannot be read. */
  readonly read: (text: string) => readonly ImportedServer[] | Promise<readonly ImportedServer[]>;
}

/** The servers below a key of a JSON text with comments; throws when it cannot be read. */
export function readJsonServers(text: string, key: string): ImportedServer[] {
  return readImportedServers(readJson(text)[key]);
}

/** A JSON text with comments as an object; throws when it cannot be read. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 && text.trim() !== '') throw new Error('The file is not valid JSON.');
  return asRecord(value);
}
