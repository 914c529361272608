import { DisposableStore, type Disposable } from './base/disposable';
import { Emitter, type Event } from './base/event';
import type { Prompt, Resource, Tool } from './mcp/protocol/types';
import type { StartOutcome } from './mcp/server';
import type { ServerState } from './mcp/serverState';
import type { Servers } from './mcp/servers';
import { onDidChangeServer, watchServers } from './ui/watchServers';

/** A configured server as other extensions see it, at the time of asking. */
export interface ApiServer {
  readonly id: string;
  readonly name: string;
  readonly state: ServerState['kind'];
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

/** What `activate` returns to other extensions; `version` grows when something is taken away. */
export interface WorkbenchApi {
  readonly version: 1;
  readonly servers: readonly ApiServer[];
  /** Fires when servers appear or disappear, and when the state or a list of one changes. */
  readonly onDidChangeServers: Event<void>;
  /** Starts one server by its id, or with `*` all; resolves when their lists are in. */
  startServer(id: string): Promise<readonly StartOutcome[]>;
}

/** Makes the {@link WorkbenchApi} over `servers`. */
export function createApi(
  servers: Servers,
  startServer: WorkbenchApi['startServer'],
): WorkbenchApi & Disposable {
  const changed = new Emitter<void>();
  const store = new DisposableStore();
  store.add(changed);
  store.add(servers.onDidChange(() => changed.fire()));
  store.add(watchServers(servers, (server) => onDidChangeServer(server, () => changed.fire())));
  return {
    version: 1,
    get servers() {
      return servers.all.map(({ id, name, state, tools, prompts, resources }) => ({
        id,
        name,
        state: state.kind,
        tools: tools.items,
        prompts: prompts.items,
        resources: resources.items,
      }));
    },
    onDidChangeServers: changed.event,
    startServer,
    dispose: () => store.dispose(),
  };
}
