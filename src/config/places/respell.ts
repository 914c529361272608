import { findNodeAtLocation, getNodeValue, type Edit, type Node } from 'jsonc-parser';
import { isRecord } from '../../base/json';
import { readJsonc } from '../../base/text/jsonc';
import { ownEntry } from '../../mcp/launch/ownEntry';
import { canonicalJson } from '../../mcp/serverConfig';
import { removeProperty } from '../applications/removeProperty';

/**
 * Returns the edits that write the kind of a server as `mcp.json` does, where its entry has another spelling at
 * `offset`; comments stay. `parents` are the paths of the objects that may hold servers.
 */
export function respell(
  text: string,
  parents: readonly (readonly string[])[],
  offset: number,
): readonly Edit[] {
  const { root } = readJsonc(text);
  for (const parent of parents) {
    const servers = root && findNodeAtLocation(root, [...parent]);
    const server = servers?.children?.find((one) => isWithin(one, offset));
    const [name, entry] = server?.children ?? [];
    if (!name || entry?.type !== 'object') continue;
    const value = getNodeValue(entry) as unknown;
    const { respellings } = ownEntry(isRecord(value) ? value : {});
    if (!respellings.some(({ key }) => keyIn(entry, key)?.offset === offset)) return [];
    return respellings.flatMap(({ key, to }) => {
      const property = keyIn(entry, key)?.parent;
      const written = property?.children?.[1];
      if (!property || !written) return [];
      const ours = Object.entries(to);
      if (ours.length === 0) return removeProperty(text, [...parent, String(name.value), key]);
      const lineStart = text.lastIndexOf('\n', property.offset) + 1;
      const indent = text.slice(lineStart, property.offset);
      const isFirst = indent.trim() === '' && lineStart > 0;
      const separator = isFirst
        ? `,${text[lineStart - 2] === '\r' ? '\r\n' : '\n'}${indent}`
        : ', ';
      const content = ours
        .map(([one, now]) => `${JSON.stringify(one)}: ${textOf(now, written, text)}`)
        .join(separator);
      return [{ offset: property.offset, length: property.length, content }];
    });
  }
  return [];
}

/** Returns the text that already says a value, with its comments, or a new one. */
function textOf(value: unknown, written: Node, text: string): string {
  const parts = (written.children ?? []).flatMap(({ children = [] }) => children[1] ?? []);
  const same = [written, ...parts].find(
    (one) => canonicalJson(getNodeValue(one)) === canonicalJson(value),
  );
  return same ? text.slice(same.offset, same.offset + same.length) : JSON.stringify(value);
}

function keyIn(entry: Node, key: string): Node | undefined {
  return entry.children?.map(({ children = [] }) => children[0]).find((one) => one?.value === key);
}

function isWithin({ offset, length }: Node, place: number): boolean {
  return place >= offset && place < offset + length;
}
