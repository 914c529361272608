import { DisposableStore, toDisposable, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import type { RestrictedServers } from '../config/trust/restrictedServers';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import type { Logs } from '../ui/logs';
import { watchServers } from '../ui/watchServers';
import type { Readiness } from '../config/launch/prepare';
import type { StartPolicy } from './startPolicy';

/** Starts the servers that shall run from the beginning, as soon as they are known and if they and their workspace are trusted. */
export function autostart(deps: {
  readonly servers: Servers;
  readonly policy: StartPolicy;
  readonly readiness: (id: string) => Promise<Readiness>;
  readonly restricted: Pick<RestrictedServers, 'has' | 'onDidChange'>;
  readonly logs: Logs;
}): Disposable {
  const { servers, policy, readiness, restricted, logs } = deps;
  const start = async (server: Server): Promise<void> => {
    // A question that nobody caused would come up out of nothing, so those that would ask wait.
    if ((await readiness(server.id)) === 'trusted') await server.start();
  };
  const begin = (server: Server): void => {
    if (policy.isAutomatic(server.definition))
      start(server).catch((error: unknown) => logs.extension.error(errorDetail(error)));
  };
  const store = new DisposableStore();
  store.add(
    watchServers(servers, (server) => {
      begin(server);
      return toDisposable(() => {});
    }),
  );
  store.add(
    restricted.onDidChange((id) => {
      const server = servers.get(id);
      if (server && !restricted.has(id)) begin(server);
    }),
  );
  return store;
}
