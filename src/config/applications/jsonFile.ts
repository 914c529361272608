import { type ParseError, applyEdits, parse } from 'jsonc-parser';
import { UserError } from '../../base/errors';
import type { JsonRecord } from '../../base/json';
import { lineEndOf } from '../../base/text/text';
import type { TimeUnit } from '../../mcp/launch/ownEntry';
import type { McpJsonServer } from '../add/importedServer';
import type { ServerFile } from './application';
import { removeProperty, setProperty } from './jsonEdits';
import { fileRecord, readServerTable } from './serverTable';
import type { Document } from 'yaml';

/** Applies a change to a YAML text and keeps the comments and its line ends; rejects if the text cannot be read. */
export async function changeYaml(
  text: string,
  change: (document: Document.Parsed) => void,
): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  change(document);
  return document.toString({ lineWidth: 0 }).replaceAll('\n', lineEndOf(text));
}

/**
 * Describes the file of an application that has its servers under a key in JSON with comments; `toEntry` converts an
 * entry to the application's form, and `unit` is that of its `timeout`.
 */
export function jsonFile(
  key: string,
  toEntry: (server: McpJsonServer) => JsonRecord = (server) => server,
  unit?: TimeUnit,
): ServerFile {
  return {
    read: (text, tell) => readServerTable(key, readJson(text)[key], tell, unit),
    write: (text, { servers }) =>
      servers.reduce(
        (written, { name, server }) => setInJson(written, [key, name], toEntry(server)),
        text,
      ),
    remove: (text, name) => setInJson(text, [key, name], undefined),
  };
}

/**
 * Parses JSON with comments into an object, which is empty for an empty text; throws a `UserError` if it is invalid.
 */
export function readJson(text: string): JsonRecord {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 && text.trim() !== '')
    throw new UserError((t) => t('The file is not valid JSON.'));
  return fileRecord(value);
}

/**
 * Sets a value at a path in a JSON text, whose other bytes stay; a path that ends with -1 appends to the list there,
 * and `undefined` removes the property. Throws a `UserError` if the text cannot be read.
 */
export function setInJson(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): string {
  readJson(text);
  if (value === undefined) return applyEdits(text, removeProperty(text, path));
  const whole = text.trim() === '' ? '{}\n' : text;
  return applyEdits(whole, setProperty(whole, path, value));
}
