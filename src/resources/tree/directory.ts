import type { Resource } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { UriFolder } from './nesting';
import type { ResourceDocument } from '../documents/resourceDocument';

/** A resource as the tree shows it: listed by a server, or found in a directory that was read. */
export interface Entry extends Resource {
  /** The server, if entries of several servers are shown side by side. */
  readonly server?: Server;
  /** The directory read that it came with, so that it need not be readable by itself. */
  readonly within?: { readonly directory: Resource; readonly document: string };
}

/** Returns the members of a directory, both listed and found by reading it; `own` are the documents not below it. */
export function directoryMembers(
  { self, members, prefix }: UriFolder<Entry>,
  documents: readonly ResourceDocument[],
): { readonly members: readonly Entry[]; readonly own: readonly Entry[] } {
  if (!self) return { members, own: [] };
  const known = new Set(members.map(({ uri }) => uri));
  const found = documents
    .filter(({ uri }) => !known.has(uri))
    .map(({ uri, name, mimeType, bytes }): Entry => ({
      uri,
      name,
      size: bytes.length,
      within: { directory: self, document: name },
      ...(self.server && { server: self.server }),
      ...(mimeType !== undefined && { mimeType }),
    }));
  const deeper = found.filter(({ uri }) => uri.startsWith(prefix) && uri !== prefix);
  // A server may answer with a text about the directory itself, or with what lies elsewhere.
  const own = found.filter((entry) => !deeper.includes(entry));
  return { members: [...members, ...deeper], own };
}
