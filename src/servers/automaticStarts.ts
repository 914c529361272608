import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail } from '../base/errors';
import { Emitter, type Event } from '../base/event';
import type { Readiness } from '../config/launch/prepare';
import type { RestrictedServers } from '../config/trust/restrictedServers';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import type { Logs } from '../ui/logs';
import { watchServers } from '../ui/watchServers';
import type { StartPolicy } from './startPolicy';

/** What automatic starts depend on. */
interface AutomaticStartParts {
  readonly servers: Servers;
  readonly policy: Pick<StartPolicy, 'isAutomatic'>;
  readonly readiness: (id: string) => Promise<Readiness>;
  readonly restricted: Pick<RestrictedServers, 'has' | 'onDidChange'>;
  /** Tells when a value that servers may need is entered or removed. */
  readonly secrets: { readonly onDidChange: Event<unknown> };
  readonly logs: Logs;
}

/**
 * Starts the servers that are to run from the beginning, as soon as they are known and if they and their workspace are
 * trusted, and knows those that are stopped because they lack a value.
 */
export class AutomaticStarts implements Disposable {
  private readonly parts: AutomaticStartParts;
  private readonly store = new DisposableStore();
  private readonly lacking = new Set<string>();
  private readonly changed = this.store.add(new Emitter<string>());

  /** Fires with the id of a server that now lacks a value, or no longer does. */
  readonly onDidChange = this.changed.event;

  constructor(parts: AutomaticStartParts) {
    this.parts = parts;
    const { servers, restricted, secrets } = parts;
    this.store.add(watchServers(servers, (server) => this.watch(server)));
    this.store.add(
      restricted.onDidChange((id) => {
        const server = servers.get(id);
        if (server && !restricted.has(id)) this.begin(server);
      }),
    );
    this.store.add(
      secrets.onDidChange(() => {
        for (const server of servers.all) if (this.has(server.id)) this.begin(server);
      }),
    );
  }

  has(serverId: string): boolean {
    return this.lacking.has(serverId);
  }

  dispose(): void {
    this.store.dispose();
  }

  private watch(server: Server): Disposable {
    this.begin(server);
    const store = new DisposableStore();
    store.add(
      server.onDidChangeState(({ kind }) => {
        if (kind !== 'stopped') this.mark(server, false);
      }),
    );
    store.add({ dispose: () => this.mark(server, false) });
    return store;
  }

  private begin(server: Server): void {
    const { policy, logs } = this.parts;
    if (!policy.isAutomatic(server.definition)) return this.mark(server, false);
    this.start(server).catch((error: unknown) => logs.extension.error(errorDetail(error)));
  }

  private async start(server: Server): Promise<void> {
    const { servers, readiness } = this.parts;
    const found = await readiness(server.id);
    // By now, it may be gone, or started by hand.
    const isStopped = servers.get(server.id) === server && server.state.kind === 'stopped';
    this.mark(server, isStopped && found === 'needsValue');
    // A question that nobody caused would come out of nowhere, so servers that would ask wait.
    if (found === 'trusted') await server.start();
  }

  private mark({ id }: Server, isLacking: boolean): void {
    if (isLacking === this.lacking.has(id)) return;
    if (isLacking) this.lacking.add(id);
    else this.lacking.delete(id);
    this.changed.fire(id);
  }
}
