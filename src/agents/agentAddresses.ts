import type { Resource, ResourceTemplate } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';

/** What stands before the URI of a resource that several servers have; the server's id follows. */
const prefix = 'mcp-workbench:/';

/** The addresses of resources as agents know them: their own where one server has them, else with that server in front. */
export class AgentAddresses {
  private readonly servers: Servers;

  constructor(servers: Servers) {
    this.servers = servers;
  }

  get resources(): readonly Resource[] {
    const owners = countOwners(this.servers.all, ({ resources }) => resources.items, uriOf);
    return this.servers.all.flatMap((server) =>
      server.resources.items.map((one) =>
        owners.get(one.uri) === 1 && !one.uri.startsWith(prefix)
          ? one
          : { ...one, uri: addressOf(server, one.uri) },
      ),
    );
  }

  get templates(): readonly ResourceTemplate[] {
    const owners = countOwners(
      this.servers.all,
      ({ resourceTemplates }) => resourceTemplates.items,
      templateOf,
    );
    return this.servers.all.flatMap((server) =>
      server.resourceTemplates.items.map((one) =>
        owners.get(one.uriTemplate) === 1 && !one.uriTemplate.startsWith(prefix)
          ? one
          : { ...one, uriTemplate: addressOf(server, one.uriTemplate) },
      ),
    );
  }

  /**
   * Finds the server of an address, or of a template, and the URI there: the one that is named, the only one that lists
   * it, or the only one with a template that begins like it. `undefined` if that does not tell.
   */
  find(address: string): { readonly server: Server; readonly uri: string } | undefined {
    const all = this.servers.all;
    if (address.startsWith(prefix)) {
      const rest = address.slice(prefix.length);
      const server = all.find((one) => rest.startsWith(`${encodeURIComponent(one.id)}/`));
      return server && { server, uri: rest.slice(encodeURIComponent(server.id).length + 1) };
    }
    const having = (has: (server: Server) => boolean) => {
      const owners = all.filter(has);
      return owners.length === 1 ? owners[0] : undefined;
    };
    const server =
      having(({ resources }) => resources.items.some(({ uri }) => uri === address)) ??
      having(({ resourceTemplates }) =>
        resourceTemplates.items.some(({ uriTemplate }) => startsAs(address, uriTemplate)),
      );
    return server && { server, uri: address };
  }
}

/** True if an address begins with all that stands before the first variable of a template, and that is something. */
function startsAs(address: string, template: string): boolean {
  const [start = ''] = template.split('{', 1);
  return address === template || (start.length > 0 && address.startsWith(start));
}

function addressOf({ id }: Server, uri: string): string {
  return `${prefix}${encodeURIComponent(id)}/${uri}`;
}

const uriOf = ({ uri }: Resource) => uri;
const templateOf = ({ uriTemplate }: ResourceTemplate) => uriTemplate;

function countOwners<T>(
  servers: readonly Server[],
  itemsOf: (server: Server) => readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  for (const server of servers)
    for (const key of new Set(itemsOf(server).map(keyOf)))
      owners.set(key, (owners.get(key) ?? 0) + 1);
  return owners;
}
