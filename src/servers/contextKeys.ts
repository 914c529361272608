import type { AuditLog } from '../audit/auditLog';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from '../config/configuration';
import type { Platform } from '../mcp/platform';
import type { Servers } from '../mcp/server';
import { setContextKey } from '../ui/commands';
import { ContextKey } from '../ui/ids';
import { isServerNode } from '../ui/tree';
import type { Walkthrough } from '../ui/walkthrough';

/** Keeps the context keys for menus and the welcome view up to date, and tells the walkthrough what was done. */
export function keepContextKeys(deps: {
  readonly servers: Servers;
  readonly configuration: Pick<Configuration, 'current' | 'onDidChange' | 'ready'>;
  readonly auditLog: Pick<AuditLog, 'onDidWrite'>;
  readonly platform: Pick<Platform, 'programs'>;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
}): Disposable {
  const { servers, configuration, auditLog, platform, walkthrough } = deps;
  const store = new DisposableStore();
  const set = createKeys();
  const count = () => {
    set(ContextKey.hasServers, servers.all.length > 0);
    set(
      ContextKey.hasStarted,
      servers.all.some(({ state }) => state.kind !== 'stopped'),
    );
    if (servers.all.length > 0) walkthrough.done('servers');
    if (servers.all.some(({ state }) => state.kind === 'running')) walkthrough.done('approval');
  };
  store.add(servers.onDidChange(count));
  let isRead = false;
  const look = () => {
    const { servers: used, problems, disabled, hasFiles } = configuration.current;
    set(ContextKey.hasFiles, hasFiles);
    set(ContextKey.unconfigured, isRead && used.length + problems.length + disabled.length === 0);
  };
  store.add(configuration.onDidChange(look));
  // Until then, nobody knows whether anything is configured.
  void configuration.ready.then(() => {
    isRead = true;
    look();
  });
  store.add(
    auditLog.onDidWrite(({ kind }) => {
      if (kind === 'callEnded') walkthrough.done('tools');
      if (kind === 'requestAnswered') walkthrough.done('requests');
    }),
  );
  set(ContextKey.active, true);
  set(ContextKey.pageOnly, platform.programs === undefined);
  count();
  return store;
}

/** Makes the function that tells the editor which rows are selected, for what their menus offer for several of them. */
export function createSelectionKeys(): (selection: readonly unknown[]) => void {
  const set = createKeys();
  return (selection) => {
    const servers = selection.filter(isServerNode).length;
    const several = selection.length > 1 && servers > 0;
    set(ContextKey.severalSelected, several);
    set(ContextKey.mixedSelected, several && servers < selection.length);
  };
}

/** Makes a function that sets context keys, and sends only what the editor does not have yet. */
function createKeys(): (key: string, value: boolean) => void {
  const values = new Map<string, boolean>();
  return (key, value) => {
    // A key that is not set counts as false.
    if ((values.get(key) ?? false) === value) return;
    values.set(key, value);
    void setContextKey(key, value);
  };
}
