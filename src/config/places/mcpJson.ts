import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import type { Reading, ServerEntry } from '../reading';
import { createRanges, type TextRange } from './textRange';

type McpJson = Pick<Reading, 'entries' | 'inputs' | 'problems'>;

/** Reads the text of an `mcp.json`: JSON with comments, the servers below `servers` or `mcpServers`. */
export function parseMcpJson(text: string): McpJson {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const rangeOf = createRanges(text);
  const [error] = errors;
  if (text.trim() === '') return { entries: [], inputs: undefined, problems: [] };
  if (error) {
    const range = rangeOf(error);
    const reason = syntaxErrors[error.error] ?? 'it cannot be read';
    return unreadable(`Line ${range.line + 1} is not valid JSON: ${reason}.`, range);
  }
  if (root?.type !== 'object')
    return unreadable('The file must be an object.', rangeOf(root ?? { offset: 0, length: 0 }));
  const entries: ServerEntry[] = [];
  for (const key of ['servers', 'mcpServers']) {
    const servers = findNodeAtLocation(root, [key]);
    if (!servers) continue;
    if (servers.type !== 'object')
      return unreadable(`"${key}" must be an object that maps names to servers.`, rangeOf(servers));
    entries.push(...readEntries(servers, rangeOf));
  }
  const inputs = findNodeAtLocation(root, ['inputs']);
  return { entries, inputs: inputs && (getNodeValue(inputs) as unknown), problems: [] };
}

/** The servers of a text that may be half written, below any of `parents`, with the places of their names. */
export function findServers(
  text: string,
  parents: readonly (readonly string[])[],
): { readonly name: string; readonly range: TextRange }[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const rangeOf = createRanges(text);
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

/** By the parser's error codes. */
const syntaxErrors: Readonly<Record<number, string>> = {
  1: 'a word stands where a value should be',
  2: 'a number is malformed',
  3: 'a property name in double quotes is missing',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma is missing',
  7: 'a closing brace is missing',
  8: 'a closing bracket is missing',
  9: 'text follows the end',
  10: 'a comment is malformed',
  11: 'a comment has no end',
  12: 'a string has no end',
  13: 'a number has no end',
  14: 'a Unicode escape is malformed',
  15: 'an escape in a string is malformed',
  16: 'a string contains a control character',
};
