import type { Tool } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';

/** Another tool that a user could mistake for the one that is to be called. */
export interface LookAlike {
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: string;
  /** True if it has exactly the same name, on another server. */
  readonly same: boolean;
}

/** How much of a name is compared, in UTF-16 units. */
const longestName = 200;

type NamedTools = Pick<Server, 'id' | 'name'> & {
  readonly tools: { readonly items: readonly Pick<Tool, 'name'>[] };
};

/** Finds the other tools of all servers whose name is, or looks like, that of `tool` of the server `id`. */
export function findLookAlikes(
  id: string,
  tool: string,
  servers: readonly NamedTools[],
): readonly LookAlike[] {
  const looks = skeleton(tool);
  return servers.flatMap((server) =>
    (namesBySkeleton(server.tools.items).get(looks) ?? [])
      .filter((name) => server.id !== id || name !== tool)
      .map((name) => ({
        server: { id: server.id, name: server.name },
        tool: name,
        same: name === tool,
      })),
  );
}

/** The names by skeleton, which are needed for each call and do not change as long as the list does not. */
const known = new WeakMap<NamedTools['tools']['items'], ReadonlyMap<string, readonly string[]>>();

function namesBySkeleton(
  items: NamedTools['tools']['items'],
): ReadonlyMap<string, readonly string[]> {
  const before = known.get(items);
  if (before) return before;
  const names = new Map<string, string[]>();
  for (const { name } of items) {
    const looks = skeleton(name);
    const alike = names.get(looks);
    if (alike) alike.push(name);
    else names.set(looks, [name]);
  }
  known.set(items, names);
  return names;
}

/** Cyrillic and Greek letters, digits and strokes that look like a Latin letter. */
const twins: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аα',
    b: 'ьβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєε',
    g: 'ɡ',
    h: 'һ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ііιӏ1|iı',
    m: 'мμ',
    n: 'пη',
    o: 'оο0σ',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ5',
    t: 'тτ',
    u: 'υս',
    v: 'ѵν',
    w: 'ѡω',
    x: 'хχ',
    y: 'уγ',
    z: 'ᴢ',
  }).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter])),
);

/** Returns the same text for names that look alike: case, accents, separators and hidden characters do not count. */
function skeleton(name: string): string {
  // Nobody tells names apart by what comes after this.
  return Array.from(name.slice(0, longestName).normalize('NFKD').toLowerCase())
    .filter((character) => /[\p{L}\p{N}|]/u.test(character))
    .map((character) => twins[character] ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}
