import { toDisposable, type Disposable } from '../base/disposable';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';

/** Calls `changed` with a server whenever its list of prompts changed, for servers added later too. */
export function watchPrompts(servers: Servers, changed: (server: Server) => void): Disposable {
  const watched = new Map<Server, Disposable>();
  const update = () => {
    const current = new Set(servers.all);
    for (const [server, subscription] of watched) {
      if (current.has(server)) continue;
      subscription.dispose();
      watched.delete(server);
    }
    for (const server of current)
      if (!watched.has(server))
        watched.set(
          server,
          server.prompts.onDidChange(() => changed(server)),
        );
  };
  const subscription = servers.onDidChange(update);
  update();
  return toDisposable(() => {
    subscription.dispose();
    for (const each of watched.values()) each.dispose();
  });
}
