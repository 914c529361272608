import { deferred } from '../base/async';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { ConfiguredServer } from './configuredServer';
import type { ConnectionDeps } from './connection/connectionDeps';
import { watchWake } from './connection/wakeWatch';
import type { Server, StartOutcome } from './server';
import { sameDefinition, type ServerDefinition } from './serverConfig';
import type { Servers } from './servers';

/** Makes the set of servers, empty until the first {@link Servers.reconcile}. */
export function createServers(
  deps: (definition: ServerDefinition) => ConnectionDeps,
): Servers & Disposable {
  return new ConfiguredServers(deps);
}

class ConfiguredServers implements Servers, Disposable {
  private servers: readonly ConfiguredServer[] = [];
  private others = 0;
  private readonly reconciled = deferred<void>();
  readonly ready = this.reconciled.promise;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  /** By their ids, those that end: one that takes the place of such a one waits for it. */
  private readonly endings = new Map<string, Promise<unknown>>();
  private readonly deps: (definition: ServerDefinition) => ConnectionDeps;
  private readonly wake = watchWake(() => {
    for (const server of this.servers) void server.probe();
  });

  constructor(deps: (definition: ServerDefinition) => ConnectionDeps) {
    this.deps = deps;
  }

  get all(): readonly Server[] {
    return this.servers;
  }

  get(id: string): Server | undefined {
    return this.servers.find((server) => server.id === id);
  }

  get unused(): number {
    return this.others;
  }

  async reconcile(definitions: readonly ServerDefinition[], unused = 0): Promise<void> {
    this.others = unused;
    const before = new Map(this.servers.map((server) => [server.id, server]));
    const replaced: ConfiguredServer[] = [];
    this.servers = definitions.map((definition) => {
      const known = before.get(definition.id);
      if (known && sameDefinition(known.definition, definition)) {
        before.delete(definition.id);
        known.movedTo(definition);
        return known;
      }
      const server = this.create(definition);
      if (known) replaced.push(server);
      return server;
    });
    const ended = [...before.values()];
    const running = new Set(ended.filter(({ state }) => isUp(state.kind)).map(({ id }) => id));
    const endings = ended.map((server) => this.end(server));
    this.reconciled.resolve();
    this.changed.fire();
    // What ran under a changed configuration runs under the new one; the gate may still refuse it. It is
    // starting at once, so that the next change finds it so.
    const again = replaced.filter(({ id }) => running.has(id)).map((server) => server.start());
    await Promise.all([...endings, ...again]);
  }

  async start(id: string): Promise<readonly StartOutcome[]> {
    const chosen = id === '*' ? this.servers : this.servers.filter((server) => server.id === id);
    return Promise.all(chosen.map((server) => server.start()));
  }

  dispose(): void {
    this.wake.dispose();
    for (const server of this.servers) server.dispose();
    this.servers = [];
    this.changed.dispose();
  }

  private async end(server: ConfiguredServer): Promise<void> {
    const { id } = server;
    const stopped = server.stop();
    const ending = Promise.allSettled([this.endings.get(id), stopped]);
    this.endings.set(id, ending);
    await ending;
    server.dispose();
    if (this.endings.get(id) === ending) this.endings.delete(id);
    await stopped;
  }

  private create(definition: ServerDefinition): ConfiguredServer {
    const deps = this.deps(definition);
    const server = new ConfiguredServer(definition, {
      ...deps,
      // A port or a lock may still be held by the one before.
      prepare: async (launch, signal) => {
        await this.endings.get(launch.id);
        signal.throwIfAborted();
        return deps.prepare(launch, signal);
      },
    });
    server.onDidChangeState(() => this.changed.fire());
    return server;
  }
}

function isUp(kind: Server['state']['kind']): boolean {
  return kind === 'running' || kind === 'starting';
}
