import { type Node, findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { isRecord } from '../../base/json';
import { type TextRange, readJsonc } from '../../base/text/jsonc';
import { type Translate, inEnglish } from '../../base/translate';
import { ownEntry } from '../../mcp/launch/ownEntry';
import { withFileSandbox } from '../../mcp/launch/processKind';
import type { ConfigLayer, ServerEntry } from '../configLayer';
import type { FolderFile } from './folderFiles';
import { Setting } from '../../ui/ids';

/** Returns the paths of the objects that map names to servers in the file that a layer comes from. */
export function serverPaths({
  uri,
  parent = [],
}: Pick<ConfigLayer, 'uri' | 'parent'>): readonly (readonly string[])[] {
  if (uri !== undefined)
    return [
      [...parent, 'servers'],
      [...parent, 'mcpServers'],
    ];
  return [[Setting.servers], ['settings', Setting.servers], ['settings', 'mcp', 'servers']];
}

/** At most this many servers are read from one file; more are a mistake or meant to exhaust resources. */
export const maxServersOfFile = 1_000;

type McpJson = Pick<ConfigLayer, 'entries' | 'inputs' | 'problems'>;

/**
 * Reads the text of an `mcp.json`: JSON with comments, with the servers below `servers` or `mcpServers`.
 * `parent` is the path of the object that holds them, if it is not the whole file, and `timeUnit` the unit of `timeout`
 * in such files.
 */
export function parseMcpJson(
  text: string,
  { parent = [], timeUnit }: Pick<FolderFile, 'parent' | 'timeUnit'> = {},
  t: Translate = inEnglish,
): McpJson {
  const { root, rangeOf, problem } = readJsonc(text, t);
  if (text.trim() === '') return { entries: [], inputs: undefined, problems: [] };
  if (problem) return unreadable(problem.message, problem.range);
  if (root?.type !== 'object')
    return unreadable(t('The file must be an object.'), rangeOf(root ?? { offset: 0, length: 0 }));
  const place = parent.length > 0 ? findNodeAtLocation(root, [...parent]) : root;
  if (place && place.type !== 'object')
    return unreadable(t('"{0}" must be an object.', parent.join('.')), rangeOf(place));
  const entries: Required<ServerEntry>[] = [];
  for (const key of ['servers', 'mcpServers']) {
    const servers = findNodeAtLocation(root, [...parent, key]);
    if (!servers) continue;
    if (servers.type !== 'object')
      return unreadable(
        t('"{0}" must be an object that maps names to servers.', key),
        rangeOf(servers),
      );
    entries.push(...readEntries(servers, rangeOf));
  }
  const inputs = findNodeAtLocation(root, [...parent, 'inputs']);
  const sandbox = findNodeAtLocation(root, [...parent, 'sandbox']);
  const ofFile = sandbox && (getNodeValue(sandbox) as unknown);
  return {
    entries: entries.slice(0, maxServersOfFile).map((entry) => {
      const value = withFileSandbox(entry.value, ofFile);
      return { ...entry, value: isRecord(value) ? ownEntry(value, timeUnit).entry : value };
    }),
    inputs: inputs && (getNodeValue(inputs) as unknown),
    problems: entries.slice(maxServersOfFile, maxServersOfFile + 1).map(({ range }) => ({
      message: t('Only the first {0} servers of a file are read.', String(maxServersOfFile)),
      range,
    })),
  };
}

/** Finds the servers below any of `parents` in a text that may be half-written, with the ranges of their names. */
export function findServers(
  text: string,
  parents: readonly (readonly string[])[],
): { readonly name: string; readonly range: TextRange }[] {
  const { root, rangeOf } = readJsonc(text);
  return parents.flatMap((path) => {
    const servers = root && findNodeAtLocation(root, [...path]);
    return servers ? readEntries(servers, rangeOf).map(({ name, range }) => ({ name, range })) : [];
  });
}

function readEntries(servers: Node, rangeOf: (node: Node) => TextRange): Required<ServerEntry>[] {
  return (servers.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name && value
      ? [{ name: String(name.value), value: getNodeValue(value) as unknown, range: rangeOf(name) }]
      : [],
  );
}

function unreadable(message: string, range: TextRange): McpJson {
  return { entries: [], inputs: undefined, problems: [{ message, range }] };
}
