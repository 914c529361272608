import { listKinds, type ListKind, type Lists } from '../../mcp/lists/listSpecs';
import type { Server } from '../../mcp/server';
import type { ServerInfo } from '../../mcp/serverState';

/** Everything that a server says about itself; made of references, so that keeping one costs nothing. */
export interface Surface {
  readonly info: ServerInfo;
  readonly lists: { readonly [K in ListKind]: readonly Lists[K][] };
}

/** Returns the surface of a server, with its lists as they are now. */
export function surfaceOf(server: Server, info: ServerInfo): Surface {
  const { tools, prompts, resources, resourceTemplates, skills } = server;
  return {
    info,
    lists: {
      tools: tools.items,
      prompts: prompts.items,
      resources: resources.items,
      resourceTemplates: resourceTemplates.items,
      skills: skills.items,
    },
  };
}

/** A part of a surface: one of its lists, or something that the server says when it connects. */
export type SurfacePart = ListKind | keyof ServerInfo;

/** The parts that are not lists. */
export const infoParts = [
  'protocolVersion',
  'implementation',
  'capabilities',
  'instructions',
] as const satisfies readonly SurfacePart[];

/** What identifies the entries of each list. */
const keys: { readonly [K in ListKind]: (entry: Lists[K]) => string } = {
  tools: ({ name }) => name,
  prompts: ({ name }) => name,
  resources: ({ uri }) => uri,
  resourceTemplates: ({ uriTemplate }) => uriTemplate,
  skills: ({ uri }) => uri,
};

/** Returns the entries of one part by what identifies them; a part that is not a list is one entry. */
export function entriesOf(
  { info, lists }: Surface,
  part: SurfacePart,
): ReadonlyMap<string, unknown> {
  if (!isList(part)) return info[part] === undefined ? new Map() : new Map([['', info[part]]]);
  const keyOf = keys[part] as (entry: unknown) => string;
  return new Map(lists[part].map((entry) => [keyOf(entry), entry]));
}

function isList(part: SurfacePart): part is ListKind {
  return listKinds.some((kind) => kind === part);
}
