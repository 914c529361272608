import type { Resource } from '../../mcp/protocol/types';
import { decodePercent, trimEnd } from '../../base/text/text';
import { directoryType } from '../../base/mediaTypes';
import type { Server } from '../../mcp/server';
import type { ResourceDocument } from '../documents/resourceDocument';

/** A resource as the tree shows it: listed by a server, or found in a directory that was read. */
export interface TreeResource extends Resource {
  /** The server, if entries of several servers are shown side by side. */
  readonly server?: Server;
  /** The directory read that it came with, so that it need not be readable by itself. */
  readonly within?: { readonly directory: Resource; readonly document: string };
}

/** Returns the members of a directory, both listed and found by reading it; `own` are the documents not below it. */
export function directoryMembers(
  { self, members, prefix }: UriFolder<TreeResource>,
  documents: readonly ResourceDocument[],
): { readonly members: readonly TreeResource[]; readonly own: readonly TreeResource[] } {
  if (!self) return { members, own: [] };
  const known = new Set(members.map(({ uri }) => uri));
  const found = documents
    .filter(({ uri }) => !known.has(uri))
    .map(({ uri, name, mimeType, bytes }): TreeResource => ({
      uri,
      name,
      size: bytes.length,
      within: { directory: self, document: name },
      ...(self.server && { server: self.server }),
      ...(mimeType !== undefined && { mimeType }),
    }));
  const isDeeper = ({ uri }: TreeResource) => uri.startsWith(prefix) && uri !== prefix;
  const deeper = found.filter(isDeeper);
  // A server may answer with a text about the directory itself, or with what lies elsewhere.
  const own = found.filter((entry) => !isDeeper(entry));
  return { members: [...members, ...deeper], own };
}

/** What nesting needs to know about an entry. */
export type Nestable = Pick<Resource, 'uri' | 'mimeType'>;

/** A group of resources whose URIs begin with the same prefix. */
export interface UriFolder<R extends Nestable> {
  /** What all URIs below begin with. */
  readonly prefix: string;
  readonly label: string;
  /** The resources below at any depth, without `self`. */
  readonly members: readonly R[];
  /** The resource that the folder itself is, if it is one. */
  readonly self: R | undefined;
}

/** One level of a tree of resources. */
export interface ResourceLevel<R extends Nestable> {
  readonly folders: readonly UriFolder<R>[];
  readonly leaves: readonly R[];
}

/** True for a resource that stands for others, by its media type or a slash at the end of its URI. */
export function isDirectory({ uri, mimeType }: Nestable): boolean {
  return mimeType === directoryType || /^[^?#]*[^/:]\/$/.test(uri);
}

/**
 * Returns the top level of a tree of resources, which is where they first differ: a single scheme and authority get no
 * level of their own. Each level is made only when it is requested.
 */
export function topLevel<R extends Nestable>(resources: readonly R[]): ResourceLevel<R> {
  let level = split(resources, '');
  for (let [only] = level.folders; only && isAlone(level) && !only.self; [only] = level.folders)
    level = split(only.members, only.prefix);
  return { leaves: level.leaves, folders: level.folders.flatMap(authorities) };
}

/** Returns what is directly below a folder; chains of folders with nothing beside them become one. */
export function below<R extends Nestable>({
  members,
  prefix,
}: Pick<UriFolder<R>, 'members' | 'prefix'>): ResourceLevel<R> {
  return split(members, prefix);
}

function split<R extends Nestable>(resources: readonly R[], prefix: string): ResourceLevel<R> {
  const groups = new Map<string, { members: R[]; self: R | undefined }>();
  const leaves: R[] = [];
  for (const resource of resources) {
    const { uri } = resource;
    const end = prefix === '' ? schemeEnd(uri) : segmentEnd(uri, prefix.length);
    const directory = isDirectory(resource);
    if (end < 0 && !directory) {
      leaves.push(resource);
      continue;
    }
    const key = end < 0 ? `${uri}/` : uri.slice(0, end);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { members: [], self: undefined }));
    const isSelf = directory && (end < 0 || end === uri.length);
    if (isSelf && !group.self) group.self = resource;
    else group.members.push(resource);
  }
  const folders = [...groups].map(([key, group]) =>
    compact({ prefix: key, label: labelOf(key.slice(prefix.length)), ...group }),
  );
  return { folders, leaves };
}

// A scheme is a level, along with the slashes after it: `docs:`, `docs://`, or `file:///`.
function schemeEnd(uri: string): number {
  return /^[a-z][a-z0-9+.-]*:\/*/i.exec(uri)?.[0].length ?? -1;
}

function segmentEnd(uri: string, from: number): number {
  const slash = uri.indexOf('/', from);
  if (slash < 0) return -1;
  const query = uri.slice(from, slash).search(/[?#]/);
  if (query >= 0) return -1;
  // Several slashes in a row belong to one segment: an empty name could not be shown.
  let end = slash + 1;
  while (uri[end] === '/') end += 1;
  return end;
}

// Walks the segments once, however many there are.
function compact<R extends Nestable>(folder: UriFolder<R>): UriFolder<R> {
  const { members, prefix, self } = folder;
  const first = members[0];
  if (!first || self) return folder;
  // A scheme, and the authority after it, stay levels of their own.
  if (/^[^/]*:(?:\/\/[^/]*)?\/*$/.test(prefix)) return folder;
  const limit = commonLength(members);
  const labels = [folder.label];
  let at = prefix.length;
  for (let end = segmentEnd(first.uri, at); end >= 0; end = segmentEnd(first.uri, at)) {
    if (end > limit) break;
    labels.push(labelOf(first.uri.slice(at, end)));
    at = end;
  }
  return at === prefix.length
    ? folder
    : { prefix: first.uri.slice(0, at), label: labels.join('/'), members, self };
}

/** Returns the length of the prefix that all URIs share and that is shorter than each of them. */
function commonLength([first, ...others]: readonly Nestable[]): number {
  const uri = first?.uri ?? '';
  let length = uri.length - 1;
  for (const other of others) {
    length = Math.min(length, other.uri.length - 1);
    if (other.uri.startsWith(uri.slice(0, length))) continue;
    let at = 0;
    while (at < length && other.uri[at] === uri[at]) at += 1;
    length = at;
  }
  return length;
}

// A folder `https://` with only hosts in it says less than hosts that begin with it.
function authorities<R extends Nestable>(folder: UriFolder<R>): readonly UriFolder<R>[] {
  if (folder.self || !/^[^/]*:\/\/$/.test(folder.prefix)) return [folder];
  const { folders, leaves } = split(folder.members, folder.prefix);
  if (leaves.length > 0) return [folder];
  return folders.map((one) => ({ ...one, label: `${folder.prefix}${one.label}` }));
}

function isAlone({ folders, leaves }: ResourceLevel<Nestable>): boolean {
  return folders.length === 1 && leaves.length === 0;
}

function labelOf(segment: string): string {
  const bare = /^[^/]*:\/*$/.test(segment) ? segment : trimEnd(segment, /\//);
  return decodePercent(bare);
}
