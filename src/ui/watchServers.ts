import { DisposableStore, toDisposable, type Disposable } from '../base/disposable';
import { listKinds } from '../mcp/lists/listSpecs';
import type { Server, Servers } from '../mcp/server';

/** Calls `attach` for every current and future server; what it returns is disposed of with the server. */
export function watchServers(servers: Servers, attach: (server: Server) => Disposable): Disposable {
  const attached = new Map<Server, Disposable>();
  const match = () => {
    const current = new Set(servers.all);
    for (const [server, attachment] of attached) {
      if (current.has(server)) continue;
      attached.delete(server);
      attachment.dispose();
    }
    for (const server of current) if (!attached.has(server)) attached.set(server, attach(server));
  };
  const store = new DisposableStore();
  store.add(
    toDisposable(() => {
      for (const attachment of attached.values()) attachment.dispose();
    }),
  );
  store.add(servers.onDidChange(match));
  match();
  return store;
}

/** Calls `listener` whenever the state or a list of `server` changes. */
export function onDidChangeServer(server: Server, listener: () => void): Disposable {
  const store = new DisposableStore();
  store.add(server.onDidChangeState(listener));
  for (const kind of listKinds) store.add(server[kind].onDidChange(listener));
  return store;
}
