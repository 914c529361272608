import type { Root } from '../mcp/protocol/types';

/** A place that servers can be told to work in. */
export interface RootEntry extends Root {
  readonly name: string;
  /** What its choices are remembered under: the name of a workspace folder, the URI of an added root. */
  readonly key: string;
  /** The workspace folder that it is, as the editor writes its URI. */
  readonly folder?: string;
  /** True for one that a user added beside the workspace folders. */
  readonly added: boolean;
}

/** For each root's key the servers, by name, that are not told of it; `*` stands for all. */
export type HiddenRoots = Readonly<Record<string, readonly string[]>>;

const everyone = '*';

/** Reads the setting of added roots; entries without a usable URI are left out. */
export function readAdded(value: unknown): readonly RootEntry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { uri, name } = (one ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof uri !== 'string' || rootProblem(uri) !== undefined) return [];
    return [{ uri, name: typeof name === 'string' && name ? name : uri, key: uri, added: true }];
  });
}

/** The workspace folders, then what was added and is none of them: no place is told of twice. */
export function mergeRoots(
  folders: readonly RootEntry[],
  added: readonly RootEntry[],
): readonly RootEntry[] {
  return added.reduce(
    (roots, root) => (findRoot(roots, root.uri) ? roots : [...roots, root]),
    folders,
  );
}

/** The root that means the same place as a URI. */
export function findRoot(roots: readonly RootEntry[], uri: string): RootEntry | undefined {
  return roots.find((root) => sourceKey(root.uri) === sourceKey(uri));
}

/** Why a URI cannot be a root; `undefined` when it can. */
export function rootProblem(uri: string): 'scheme' | 'form' | undefined {
  if (!URL.canParse(uri)) return 'form';
  const { protocol, host } = new URL(uri);
  if (protocol === 'file:') return undefined;
  if (protocol !== 'https:' && protocol !== 'http:') return 'scheme';
  return host === '' ? 'form' : undefined;
}

/** True when the server is told of the root. */
export function isTold(hidden: HiddenRoots, { key }: RootEntry, server: string): boolean {
  const from = hidden[key] ?? [];
  return !from.includes(everyone) && !from.includes(server);
}

/** True when at least one server is told of the root. */
export function isToldAny(
  hidden: HiddenRoots,
  root: RootEntry,
  servers: readonly string[],
): boolean {
  if (servers.length === 0) return !(hidden[root.key] ?? []).includes(everyone);
  return servers.some((server) => isTold(hidden, root, server));
}

/** The roots that a server is told of, exactly as they go over the wire. */
export function rootsFor(
  entries: readonly RootEntry[],
  hidden: HiddenRoots,
  server: string,
): readonly Root[] {
  return entries
    .filter((entry) => isTold(hidden, entry, server))
    .map(({ uri, name }) => ({ uri, name }));
}

/** The choices after one server, or with `*` all of them, was told of a root or no longer. */
export function withChoice(
  hidden: HiddenRoots,
  { key }: RootEntry,
  choice: { readonly server: string; readonly told: boolean; readonly servers: readonly string[] },
): HiddenRoots {
  const { server, told, servers } = choice;
  const { [key]: before = [], ...others } = hidden;
  if (server === everyone) return told ? others : { ...others, [key]: [everyone] };
  // Telling one server of a root that was hidden from all leaves it hidden from the rest.
  const named = before.includes(everyone) ? servers : before;
  const from = named.filter((one) => one !== server);
  if (!told) from.push(server);
  return from.length > 0 ? { ...others, [key]: from } : others;
}

/** A URI as it compares: a folder is the same with a slash at its end. */
function sourceKey(uri: string): string {
  return (URL.canParse(uri) ? new URL(uri).href : uri).replace(/\/+$/, '');
}
