import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { UserError } from '../../base/errors';
import type { JsonRecord } from '../../base/json';
import type { McpJsonServer } from '../add/importedServer';
import type { ServerFile } from './application';
import { removeProperty } from './removeProperty';
import { fileRecord, readServerTable } from './serverTable';

/** The file of an application that has its servers below a key of JSON with comments; `toEntry` spells one as it does. */
export function jsonFile(
  key: string,
  toEntry: (server: McpJsonServer) => JsonRecord = (server) => server,
): ServerFile {
  return {
    read: (text, tell) => readServerTable(key, readJson(text)[key], tell),
    write: (text, servers) =>
      servers.reduce(
        (written, { name, server }) => setInJson(written, [key, name], toEntry(server)),
        text,
      ),
  };
}

/** A JSON text with comments as an object; throws when it cannot be read. */
export function readJson(text: string): JsonRecord {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 && text.trim() !== '')
    throw new UserError((t) => t('The file is not valid JSON.'));
  return fileRecord(value);
}

/** A JSON text with a value at a path, or added to the list there where the path ends with -1, or without what is there; comments stay. */
export function setInJson(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): string {
  readJson(text);
  if (value === undefined) return applyEdits(text, removeProperty(text, path));
  const whole = text.trim() === '' ? '{}\n' : text;
  const tabs = /^\t/m.test(whole);
  const formattingOptions = {
    insertSpaces: !tabs,
    tabSize: tabs ? 1 : (/^( +)\S/m.exec(whole)?.[1]?.length ?? 2),
    eol: whole.includes('\r\n') ? '\r\n' : '\n',
  };
  const isArrayInsertion = path.at(-1) === -1;
  const edits = modify(whole, [...path], value, { formattingOptions, isArrayInsertion });
  return applyEdits(whole, edits);
}
