import type { Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';

/** A tool under the name that a language model knows it by. */
export interface NamedTool<S = Server> {
  readonly name: string;
  readonly server: S;
  readonly tool: Tool;
}

/** An entry of a list of a server under a name that is unique among all servers. */
export interface NamedEntry<S, T> {
  readonly name: string;
  readonly server: S;
  readonly entry: T;
}

/** What naming tools needs to know about a server. */
type NamedServer = Pick<Server, 'id' | 'name'> & {
  readonly tools: { readonly items: readonly Tool[] };
};

const maxLength = 64;
const separator = '__';

/** How many characters of a name a number takes, with the underscore before it. */
const numberRoom = 7;

/**
 * Gives every tool of `servers` a unique name for a language model: at most 64 letters, digits, `_` and `-`.
 * A name depends only on its own server and tool, unless two servers share a name, so that it stays
 * what it was in earlier turns.
 */
export function nameTools<S extends NamedServer>(
  servers: readonly S[],
): ReadonlyMap<string, NamedTool<S>> {
  const named = nameEntries(servers, ({ tools }) => tools.items);
  return new Map(
    Array.from(named, ([name, { server, entry }]) => [name, { name, server, tool: entry }]),
  );
}

/** Gives the entries of a list of every server names as {@link nameTools} does. */
export function nameEntries<
  S extends Pick<NamedServer, 'id' | 'name'>,
  T extends { readonly name: string },
>(
  servers: readonly S[],
  itemsOf: (server: S) => readonly T[],
): ReadonlyMap<string, NamedEntry<S, T>> {
  const bySafeName = new Map<string, number>();
  for (const { name } of servers) bySafeName.set(safe(name), (bySafeName.get(safe(name)) ?? 0) + 1);
  const named = new Map<string, NamedEntry<S, T>>();
  const unused = createUnused(named);
  for (const server of servers) {
    const shared = (bySafeName.get(safe(server.name)) ?? 0) > 1;
    for (const entry of itemsOf(server)) {
      const name = unused(modelName(server, entry.name, shared));
      named.set(name, { name, server, entry });
    }
  }
  return named;
}

function modelName(
  server: { readonly id: string; readonly name: string },
  tool: string,
  shared: boolean,
): string {
  const plain = `${safe(server.name)}${separator}${safe(tool)}`;
  // The editor names the tools of its own client with this prefix.
  const name = plain.startsWith('mcp_') ? `server_${plain}` : plain;
  const exact =
    !shared &&
    name === `${server.name}${separator}${tool}` &&
    !server.name.includes(separator) &&
    !server.name.endsWith('_') &&
    !tool.startsWith('_') &&
    name.length <= maxLength;
  if (exact) return name;
  const mark = `_${hash(`${server.id}\n${tool}`)}`;
  return name.slice(0, maxLength - mark.length) + mark;
}

/** Makes a function that numbers a name if it is taken, counting on from the last time: thousands may be the same. */
function createUnused(taken: ReadonlyMap<string, unknown>): (name: string) => string {
  const next = new Map<string, number>();
  return (name) => {
    if (!taken.has(name)) return name;
    const stem = name.slice(0, maxLength - numberRoom);
    let free = name;
    for (let n = next.get(stem) ?? 2; taken.has(free); n += 1) {
      free = `${stem}_${n}`;
      next.set(stem, n + 1);
    }
    return free;
  };
}

function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

/** FNV-1a over UTF-16 units: short and stable; `unused` resolves collisions. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1)
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value.toString(36);
}
