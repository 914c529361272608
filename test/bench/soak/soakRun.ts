import { createSignInNetwork } from '../../../src/mcp/node/signInNetwork';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger } from '../../../src/base/log';
import type { Disposable } from '../../../src/base/disposable';
import { createFileMemory } from '../../../src/mcp/node/nodeFiles';
import type { Server } from '../../../src/mcp/server';
import type { ServerDefinition } from '../../../src/mcp/serverConfig';
import { loadMinifiedCore } from '../../support/minifiedCore';
import { descendants, isAlive, listProcesses } from '../../support/processes/processTree';
import { createMemoryStore, createUser } from '../../support/workbench/signIn';
import type { Random } from '../fuzz/fuzzFrames';
import { SoakCalls } from './soakCalls';
import type { SoakServer, SoakServers } from './soakServers';

/** The pause between two actions, in real milliseconds. */
const pauseMs = 40;
const mostAtOnce = 16;
/** The longest time that a process is suspended, in real milliseconds. */
const longestSleepMs = 1500;
/** The longest time until a call is cancelled, in real milliseconds. */
const longestDoubtMs = 20;
/** Whatever is still running has to end within this many real milliseconds. */
const endMs = 60_000;
/** A good server must answer one of this many calls, no matter how often it was killed before. */
const finalTries = 5;

/** Kept from one window to the next: tokens and the user who obtained them. */
const store = createMemoryStore();
const user = createUser();

/** One hour in one window: all kinds of things happen to the servers while tools are constantly called. */
export class SoakRun {
  /** How often each action was taken. */
  readonly counts: Record<string, number> = {};
  private readonly servers: SoakServers;
  private readonly random: Random;
  private readonly log: SoakCalls;
  private readonly core = loadMinifiedCore();
  private readonly window: ReturnType<ReturnType<typeof loadMinifiedCore>['createServers']>;
  private readonly running = new Set<Promise<unknown>>();
  private readonly subscriptions: Disposable[] = [];
  private edits = 0;

  constructor(servers: SoakServers, random: Random, lists: string, calls: string) {
    this.servers = servers;
    this.random = random;
    this.log = new SoakCalls(calls);
    const { core } = this;
    const limiter = core.createLimiter(4);
    const memory = createFileMemory(lists, silentLogger);
    this.window = core.createServers((definition) => ({
      client: { name: 'soak', version: '1' },
      requests: { listRoots: async () => [] },
      openTransport: core.createNodeTransports(),
      launches: { prepare: async ({ config }) => ({ config }) },
      limiter,
      memory,
      log: silentLogger,
      tracing: () => false,
      authorization: new core.Authorization(definition, {
        store,
        ui: user,
        network: createSignInNetwork(),
        identity: { name: 'Soak', metadataUrl: undefined },
        findIdentity: async () => undefined,
        log: silentLogger,
      }),
    }));
  }

  /** How the calls ended. */
  get calls(): Readonly<Record<string, number>> {
    return this.log.counts;
  }

  /** Keeps things happening for this many real milliseconds; returns what went wrong, a sentence each. */
  async live(ms: number): Promise<readonly string[]> {
    await this.window.reconcile(this.definitions());
    void this.track(this.window.start('*'));
    const end = performance.now() + ms;
    while (performance.now() < end) {
      this.act();
      await delay(pauseMs);
      if (this.running.size >= mostAtOnce) await Promise.race(this.running);
    }
    const left = delay(endMs, 'left', { ref: false });
    if ((await Promise.race([Promise.all(this.running), left])) === 'left')
      return [`${this.running.size} things never ended.`];
    await this.window.reconcile(this.definitions());
    const silent = await Promise.all(
      this.servers.all.filter(({ isGood }) => isGood).map((one) => this.findSilent(one)),
    );
    return silent.flatMap((sentence) => sentence ?? []);
  }

  /** Closes the window and compares its calls with the log. */
  async end(): Promise<readonly string[]> {
    for (const one of this.subscriptions) one.dispose();
    await this.window.reconcile([]);
    this.window.dispose();
    return this.log.account();
  }

  private act(): void {
    const { random } = this;
    const { definition, tool, args, change } = this.pick(this.servers.all);
    const server = this.window.get(definition.id);
    // It may have been removed from the configuration.
    if (!server) return;
    const deeds: readonly (readonly [number, string, () => Promise<unknown>])[] = [
      [60, 'call', () => this.call(server, tool, args)],
      [66, 'withdraw', () => this.withdraw(server, tool, args)],
      [74, 'read', () => server.readResource('demo://clock')],
      [80, 'subscribe', () => this.subscribe(server)],
      [87, 'change', () => this.call(server, change ?? 'advance_clock', {})],
      [90, 'crash', () => this.signal('SIGKILL')],
      [93, 'sleep', () => this.sleep()],
      [95, 'edit', () => this.edit()],
      [97, 'stop', () => server.stop()],
      [99, 'expire', async () => this.servers.authServer.expireAccessTokens()],
      [100, 'restart', () => this.servers.restart(random())],
    ];
    const chance = random() * 100;
    const [, name, run] = deeds.find(([below]) => chance < below) ?? [];
    if (!name || !run) return;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    // A server is expected not to answer sometimes; the log accounts for the calls.
    void this.track(run().catch(() => {}));
  }

  private call(server: Server, tool: string, args: SoakServer['args']): Promise<boolean> {
    return this.log.call(server, tool, args, new AbortController().signal);
  }

  private async withdraw(server: Server, tool: string, args: SoakServer['args']): Promise<void> {
    const abort = new AbortController();
    const ended = this.log.call(server, tool, args, abort.signal);
    await delay(this.random() * longestDoubtMs);
    abort.abort();
    await ended;
  }

  private async subscribe(server: Server): Promise<void> {
    const [oldest] = this.subscriptions;
    if (this.subscriptions.length >= 20) {
      oldest?.dispose();
      this.subscriptions.shift();
    }
    this.subscriptions.push(server.subscribe('demo://clock'));
  }

  /**
   * Sends a signal to one of the processes that the client started and returns its id; `undefined` if there is none.
   */
  private async signal(name: NodeJS.Signals): Promise<number | undefined> {
    const all = descendants(await listProcesses(), [process.pid]);
    const own = all.filter(({ command }) => !/--http|--sse/.test(command));
    const { pid } = own.length > 0 ? this.pick(own) : { pid: undefined };
    if (pid !== undefined && isAlive(pid)) process.kill(pid, name);
    return pid;
  }

  private async sleep(): Promise<void> {
    const pid = await this.signal('SIGSTOP');
    await delay(this.random() * longestSleepMs);
    if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGCONT');
  }

  /** Changes the configuration: changes a variable of one server, and omits another server until the next edit. */
  private edit(): Promise<void> {
    this.edits += 1;
    const out = this.pick(this.servers.all).definition.id;
    return this.window.reconcile(this.definitions().filter(({ id }) => id !== out));
  }

  private definitions(): readonly ServerDefinition[] {
    const { all } = this.servers;
    return all.map(({ definition }, index) => {
      const { config } = definition;
      if (config.type !== 'stdio' || index !== this.edits % all.length) return definition;
      return { ...definition, config: { ...config, env: { ...config.env, EDITED: '1' } } };
    });
  }

  /** Returns a sentence about a good server that does not answer in the end; `undefined` if it does. */
  private async findSilent({ definition, tool, args }: SoakServer): Promise<string | undefined> {
    const server = this.window.get(definition.id);
    if (!server) return `${definition.id} is gone.`;
    for (let tried = 0; tried < finalTries; tried += 1)
      if (await this.call(server, tool, args)) return undefined;
    return `${definition.id} does not answer: ${JSON.stringify(server.state)}`;
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    const forget = () => this.running.delete(work);
    work.then(forget, forget);
    return work;
  }

  private pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)] as T;
  }
}
