import { DisposableStore, type Disposable } from './base/disposable';
import { Emitter, type Event } from './base/event';
import type { Starts } from './contracts/starts';
import { listKinds, type ListKind, type Lists } from './mcp/lists/listSpecs';
import type { Server, Servers } from './mcp/server';
import type { ServerState, StartOutcome } from './mcp/serverState';
import { onDidChangeServer, watchServers } from './ui/watchServers';

/** What is known of every list of a server, as the protocol has it. */
export type ListItems = { readonly [K in ListKind]: readonly Lists[K][] };

/** A configured server as other extensions see it, at the time of asking. */
export interface ApiServer extends ListItems {
  readonly id: string;
  readonly name: string;
  readonly state: ServerState['kind'];
}

/** What `activate` returns to other extensions; `version` grows when something is taken away. */
export interface WorkbenchApi {
  readonly version: 1;
  readonly servers: readonly ApiServer[];
  /** Fires when servers appear or disappear, and when the state or a list of one changes. */
  readonly onDidChangeServers: Event<void>;
  /**
   * Starts one server by its id, or with `*` all, as a use of it would: not one that the user has stopped or starts only by
   * hand. Resolves when their lists are in.
   */
  startServer(id: string): Promise<readonly StartOutcome[]>;
}

/** Makes the {@link WorkbenchApi} over `servers`. */
export function createApi(
  servers: Servers,
  starts: Pick<Starts, 'start'>,
): WorkbenchApi & Disposable {
  const changed = new Emitter<void>();
  const store = new DisposableStore();
  store.add(changed);
  store.add(servers.onDidChange(() => changed.fire()));
  store.add(watchServers(servers, (server) => onDidChangeServer(server, () => changed.fire())));
  return {
    version: 1,
    get servers() {
      return servers.all.map((server) => ({
        id: server.id,
        name: server.name,
        state: server.state.kind,
        ...itemsOf(server),
      }));
    },
    onDidChangeServers: changed.event,
    startServer: (id) => starts.start(id, undefined),
    dispose: () => store.dispose(),
  };
}

function itemsOf(server: Server): ListItems {
  return Object.fromEntries(listKinds.map((kind) => [kind, server[kind].items])) as ListItems;
}
