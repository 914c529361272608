import type { AuditLog } from '../audit/auditLog';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from '../config/configuration';
import type { Platform } from '../mcp/platform';
import type { Servers } from '../mcp/server';
import { setContextKey } from '../ui/commands';
import { ContextKey } from '../ui/ids';
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
  const values = new Map<string, boolean>();
  const set = (key: string, value: boolean) => {
    // A key that is not set counts as false.
    if ((values.get(key) ?? false) === value) return;
    values.set(key, value);
    void setContextKey(key, value);
  };
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
