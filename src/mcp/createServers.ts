import { deferred, within } from '../base/async';
import { type Disposable, toDisposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { ConfiguredServer } from './configuredServer';
import type { ConnectionDeps, LaunchPreparer } from './connection/connectionDeps';
import { defaultRestarts } from './lifecycle';
import { noMemory } from './lists/catalog';
import { withUsualRoots } from './protocol/serverRequests';
import type { Server, Servers } from './server';
import { type ServerDefinition, sameDefinition } from './serverConfig';
import { isUp, type StartOutcome } from './serverState';

const intervalMs = 15_000;
const lateMs = 15_000;

/**
 * Calls `onWake` after the machine has slept, which it detects by a timer that fires much too late:
 * a connection may then be dead although nobody closed it.
 */
export function watchWake(onWake: () => void, now: () => number = Date.now): Disposable {
  let last = now();
  const timer = setInterval(() => {
    const late = now() - last - intervalMs;
    last = now();
    if (late > lateMs) onWake();
  }, intervalMs);
  return toDisposable(() => clearInterval(timer));
}

/** How long servers have to end after the set is disposed, and then to end by force, in milliseconds. */
export interface FinalTimeouts {
  readonly afterStop: number;
  readonly afterForce: number;
}

/** The editor waits five seconds, and then gives an extension no more time. */
const finalTimeouts: FinalTimeouts = { afterStop: 3000, afterForce: 1000 };

/** A server with a process or a session of its own, which no list of servers has. */
export interface ServerBeside {
  readonly server: Server;
  readonly end: () => Promise<void>;
}

/** How a session is watched that shows what a server does: all that it sends, whether it ends by itself, and what it asks. */
export type SessionWatch = Pick<ConnectionDeps, 'traffic' | 'afterEndMs'> &
  Partial<Pick<ConnectionDeps, 'requests'>>;

/** The set of servers for its owner, who disposes it. */
export interface OwnedServers extends Servers, Disposable {
  /**
   * Returns a second server of the same definition, which is its caller's alone until they end it, or the definition
   * changes; `undefined` if no server has this id.
   */
  beside(id: string, watch?: SessionWatch): ServerBeside | undefined;
  /** Resolves when all servers have ended after disposal, or when the time for that is up. */
  ended(timeouts?: FinalTimeouts): Promise<void>;
}

type DepsOf = (definition: ServerDefinition) => ConnectionDeps;

/**
 * Makes the set of servers, empty until the first {@link Servers.reconcile}. `prepareBeside` prepares the starts of servers
 * beside others, which are the same launches.
 */
export function createServers(
  deps: DepsOf,
  prepareBeside?: LaunchPreparer['prepare'],
): OwnedServers {
  return new ConfiguredServers(deps, prepareBeside);
}

class ConfiguredServers implements OwnedServers {
  private servers: readonly ConfiguredServer[] = [];
  /** Servers that were stopped for good and may not have ended yet. */
  private readonly leaving = new Set<ConfiguredServer>();
  private readonly besides = new Set<ConfiguredServer>();
  private others = 0;
  private readonly reconciled = deferred<void>();
  readonly ready = this.reconciled.promise;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  /** The servers that are ending, by id; a server that replaces one waits for it. */
  private readonly endings = new Map<string, Promise<unknown>>();
  private readonly deps: DepsOf;
  private readonly prepareBeside: LaunchPreparer['prepare'] | undefined;
  private readonly wake = watchWake(() => {
    for (const server of this.servers) void server.probe();
  });

  constructor(deps: DepsOf, prepareBeside: LaunchPreparer['prepare'] | undefined) {
    this.deps = deps;
    this.prepareBeside = prepareBeside;
  }

  get all(): readonly Server[] {
    return this.servers;
  }

  get(id: string): Server | undefined {
    return this.servers.find((server) => server.id === id);
  }

  unlisted(definition: ServerDefinition): Pick<Server, 'signOut'> {
    return {
      signOut: async () => {
        const server = new ConfiguredServer(definition, this.deps(definition));
        await server.signOut();
        server.dispose();
      },
    };
  }

  get unused(): number {
    return this.others;
  }

  beside(
    id: string,
    { traffic, afterEndMs, requests }: SessionWatch = {},
  ): ServerBeside | undefined {
    const definition = this.get(id)?.definition;
    if (!definition) return undefined;
    const deps = this.deps(definition);
    const { prepareBeside: prepare = deps.launches.prepare } = this;
    const server = new ConfiguredServer(definition, {
      ...deps,
      launches: { ...deps.launches, prepare },
      // The debugger is attached to the one that the window shows, and what is known of its lists stays its own.
      debuggerFor: undefined,
      memory: noMemory,
      restarts: { ...defaultRestarts, maxRestarts: 0 },
      traffic: deps.traffic?.beside(traffic) ?? traffic,
      afterEndMs,
      ...(requests && { requests: withUsualRoots(requests, deps.requests) }),
    });
    this.besides.add(server);
    return { server, end: () => this.endBeside(server) };
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
    for (const server of this.besides)
      if (ended.some(({ id }) => id === server.id)) void this.endBeside(server);
    const running = new Set(ended.filter(({ state }) => isUp(state)).map(({ id }) => id));
    const endings = ended.map((server) => this.end(server));
    this.reconciled.resolve();
    this.changed.fire();
    // A server that ran when its configuration changed runs with the new one, unless the gate refuses it. It is
    // `starting` immediately, so that the next change finds it in that state.
    const again = replaced.filter(({ id }) => running.has(id)).map((server) => server.start());
    await Promise.all([...endings, ...again]);
  }

  async start(id: string): Promise<readonly StartOutcome[]> {
    const chosen = id === '*' ? this.servers : this.servers.filter((server) => server.id === id);
    return Promise.all(chosen.map((server) => server.start()));
  }

  dispose(): void {
    this.wake.dispose();
    for (const server of [...this.servers, ...this.besides]) {
      server.dispose();
      this.leaving.add(server);
    }
    this.servers = [];
    this.changed.dispose();
  }

  async ended({ afterStop, afterForce }: FinalTimeouts = finalTimeouts): Promise<void> {
    const leaving = [...this.leaving];
    const all = Promise.allSettled(leaving.map((server) => server.ended()));
    if (await within(all, afterStop)) return;
    for (const server of leaving) server.stop().catch(() => {});
    await within(all, afterForce);
  }

  private async end(server: ConfiguredServer): Promise<void> {
    const { id } = server;
    this.leaving.add(server);
    const stopped = server.stop();
    const ending = Promise.allSettled([this.endings.get(id), stopped]);
    this.endings.set(id, ending);
    await ending;
    server.dispose();
    this.leaving.delete(server);
    if (this.endings.get(id) === ending) this.endings.delete(id);
    await stopped;
  }

  private async endBeside(server: ConfiguredServer): Promise<void> {
    this.besides.delete(server);
    this.leaving.add(server);
    await server.stop();
    server.dispose();
    this.leaving.delete(server);
  }

  private create(definition: ServerDefinition): ConfiguredServer {
    const deps = this.deps(definition);
    const server = new ConfiguredServer(definition, {
      ...deps,
      predecessor: () => this.endings.get(definition.id),
    });
    server.onDidChangeState(() => this.changed.fire());
    return server;
  }
}
