import {
  type RealPath,
  comparedAddress,
  isUriInside,
  realAddress,
  resolvedAddress,
} from '../base/uri/fileAddress';
import type { Root } from '../mcp/protocol/types';

/** A place that servers can be told to work in. */
export interface RootEntry extends Root {
  readonly name: string;
  /** The key that its choices are stored under: the name of a workspace folder, or the URI of an added root. */
  readonly key: string;
  /** The URI of the workspace folder, as the editor writes it; absent for an added root. */
  readonly folder?: string;
  /** True for a root that was added to the workspace folders. */
  readonly added: boolean;
  /** The address as it is written, below a workspace folder, where links lead from there out of all of them. */
  readonly link?: string;
}

/** The names of the servers that are not told about each root, by the root's key; `*` stands for all servers. */
export type HiddenRoots = Readonly<Record<string, readonly string[]>>;

/** {@link HiddenRoots} to look up, by the keys as they are compared. */
export type HiddenFrom = ReadonlyMap<string, ReadonlySet<string>>;

const everyone = '*';

/** The choices of at most this many roots are read, the user's own first. */
export const maxHiddenRoots = 10_000;

/** At most this many added roots of one setting are read, the first ones. */
export const maxAddedRoots = 100;

/** The longest URI of an added root, in UTF-16 units. */
export const maxRootLength = 4_096;

/**
 * Reads the setting of added roots; entries without a usable URI are skipped. A URI is the one of the place where its
 * steps lead.
 */
export function readAdded(value: unknown): readonly RootEntry[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxAddedRoots).flatMap((one: unknown) => {
    const { uri: written, name } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof written !== 'string' || written.length > maxRootLength) return [];
    const uri = resolvedAddress(written);
    if (rootProblem(uri) !== undefined) return [];
    return [{ uri, name: typeof name === 'string' && name ? name : uri, key: uri, added: true }];
  });
}

/** Returns what a setting of added roots holds without a root; what is not read stays as it is written. */
export function withoutAdded(value: unknown, isIt: (uri: string) => boolean): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.filter((one) => !readAdded([one]).some(({ uri }) => isIt(uri)));
}

/**
 * Returns what a setting of added roots holds with another root at its end; `undefined` if it holds so many that this one
 * would not be read.
 */
export function withAdded(value: unknown, root: Root): readonly unknown[] | undefined {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.length < maxAddedRoots ? [...all, root] : undefined;
}

/** Returns added roots where links really lead, by their address as it is written, and whether that is out of `folders`. */
export async function withoutLinks(
  roots: readonly RootEntry[],
  folders: readonly string[],
  realPath: RealPath,
): Promise<ReadonlyMap<string, RootEntry>> {
  const real = await Promise.all(folders.map((folder) => realAddress(folder, realPath)));
  const isInside = (uri: string, all: readonly string[]) =>
    all.some(
      (folder) => isUriInside(uri, folder) || comparedAddress(uri) === comparedAddress(folder),
    );
  const found = roots.map(async (root) => {
    const uri = await realAddress(root.uri, realPath);
    const name = root.name === root.uri ? uri : root.name;
    const leadsOut = isInside(root.uri, folders) && !isInside(uri, [...folders, ...real]);
    return [root.uri, { ...root, uri, name, ...(leadsOut && { link: root.uri }) }] as const;
  });
  return new Map(await Promise.all(found));
}

/**
 * Returns the workspace folders, followed by the added roots that are not among them, so that no place
 * appears twice.
 */
export function mergeRoots(
  folders: readonly RootEntry[],
  added: readonly RootEntry[],
): readonly RootEntry[] {
  return added.reduce(
    (roots, root) => (findRoot(roots, root.uri) ? roots : [...roots, root]),
    folders,
  );
}

/** Finds the root for the same place as a URI. */
export function findRoot(roots: readonly RootEntry[], uri: string): RootEntry | undefined {
  return roots.find((root) => comparedAddress(root.uri) === comparedAddress(uri));
}

/** Returns why a URI cannot be a root; `undefined` if it can. */
export function rootProblem(uri: string): 'scheme' | 'form' | undefined {
  if (!URL.canParse(uri)) return 'form';
  const { protocol, host } = new URL(uri);
  if (protocol === 'file:') return undefined;
  if (protocol !== 'https:' && protocol !== 'http:') return 'scheme';
  return host === '' ? 'form' : undefined;
}

/** Returns the choices of a setting to look up, however the addresses are written there. */
export function readHidden(hidden: HiddenRoots): HiddenFrom {
  const from = new Map<string, Set<string>>();
  for (const [key, names] of Object.entries(hidden).slice(0, maxHiddenRoots)) {
    if (key.length > maxRootLength) continue;
    const compared = comparedAddress(key);
    const known = from.get(compared) ?? new Set();
    for (const name of names) known.add(name);
    from.set(compared, known);
  }
  return from;
}

function hiddenFrom(hidden: HiddenFrom, { key }: RootEntry): ReadonlySet<string> {
  return hidden.get(comparedAddress(key)) ?? new Set();
}

/** True if the server is told about the root. */
export function isTold(hidden: HiddenFrom, root: RootEntry, server: string): boolean {
  const from = hiddenFrom(hidden, root);
  return !from.has(everyone) && !from.has(server);
}

/** True if at least one server is told about the root; if there are no servers, unless it is hidden from all. */
export function isToldAny(
  hidden: HiddenFrom,
  root: RootEntry,
  servers: readonly string[],
): boolean {
  if (servers.length === 0) return !hiddenFrom(hidden, root).has(everyone);
  return servers.some((server) => isTold(hidden, root, server));
}

/** Returns the roots that a server is told about, exactly as they are sent. */
export function rootsFor(
  entries: readonly RootEntry[],
  hidden: HiddenFrom,
  server: string,
): readonly Root[] {
  return entries
    .filter((entry) => isTold(hidden, entry, server))
    .map(({ uri, name }) => ({ uri, name }));
}

/** Returns the choices after starting or stopping to tell one server, or with `*` all servers, about a root. */
export function withChoice(
  hidden: HiddenRoots,
  root: RootEntry,
  choice: { readonly server: string; readonly told: boolean; readonly servers: readonly string[] },
): HiddenRoots {
  const { server, told, servers } = choice;
  const { key } = root;
  const before = hiddenFrom(readHidden(hidden), root);
  const others = Object.fromEntries(
    Object.entries(hidden).filter(([one]) => comparedAddress(one) !== comparedAddress(key)),
  );
  if (server === everyone) return told ? others : { ...others, [key]: [everyone] };
  // Telling one server about a root that was hidden from all leaves it hidden from the rest.
  const named = before.has(everyone) ? servers : [...before];
  const from = named.filter((one) => one !== server);
  if (!told) from.push(server);
  return from.length > 0 ? { ...others, [key]: from } : others;
}
