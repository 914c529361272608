import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable';
import { errorDetail, errorMessage } from '../base/errors';
import type { Event } from '../base/event';
import type { Launches } from '../config/launch/prepare';
import type { StartPolicy } from '../config/launch/startPolicy';
import type { Server, Servers } from '../mcp/server';
import { type Obstacle, obstacleOf } from '../mcp/serverState';
import type { Logs } from '../ui/logs';
import { watchServers } from '../ui/watchServers';
import { Timer } from '../base/async';
import type { Logger } from '../base/log';
import type { Platform } from '../mcp/platform';
import { preloadSdk } from '../mcp/session/handshake/negotiate';

/** How long a window that has just opened is left alone, in milliseconds. */
const restMs = 1000;

/**
 * Loads ahead of time what the first start of a server would wait for: the code that speaks the protocol, and what the
 * user's login shell says. It starts no server, and does nothing in a window without servers.
 */
export function warmUp(
  servers: Pick<Servers, 'all' | 'onDidChange'>,
  platform: Pick<Platform, 'learnEnvironment'>,
  { log, load = preloadSdk }: { readonly log: Logger; readonly load?: () => Promise<unknown> },
): Disposable {
  const store = new DisposableStore();
  let isPlanned = false;
  const timer = store.add(
    new Timer(() => {
      Promise.all([load(), platform.learnEnvironment()]).catch((error: unknown) =>
        // Whatever is wrong, the first server that needs it says so.
        log.debug(`Not ready before the first start: ${errorMessage(error)}`),
      );
    }),
  );
  const plan = () => {
    if (isPlanned || servers.all.length === 0) return;
    isPlanned = true;
    timer.start(restMs);
  };
  plan();
  store.add(servers.onDidChange(plan));
  return store;
}

/** What automatic starts depend on. */
interface AutomaticStartDeps {
  readonly servers: Servers;
  readonly policy: Pick<StartPolicy, 'isAutomatic'>;
  readonly launches: Pick<Launches, 'readiness'>;
  readonly configuration: { readonly onDidChange: Event<unknown> };
  readonly workspace: Pick<typeof vscode.workspace, 'isTrusted' | 'onDidGrantWorkspaceTrust'>;
  /** Tells when a value that servers may need is entered or removed. */
  readonly secrets: { readonly onDidChange: Event<unknown> };
  readonly logs: Logs;
}

interface Look {
  readonly isFirst: boolean;
  /** True while it waits for what it finds. */
  readonly isOpen: boolean;
}

/**
 * Starts the servers that are to run from the beginning, as soon as they are known and nothing has to be asked, and has
 * the state of the others say which lack a value, or a workspace that the user trusts.
 */
export class AutomaticStarts implements Disposable {
  private readonly deps: AutomaticStartDeps;
  private readonly store = new DisposableStore();
  /** The latest look at each server, and whether it may start one that nothing held up before. */
  private readonly looks = new Map<Server, Look>();

  constructor(deps: AutomaticStartDeps) {
    this.deps = deps;
    const { servers, configuration, workspace, secrets } = deps;
    this.store.add(watchServers(servers, (server) => this.watch(server)));
    this.store.add(
      configuration.onDidChange(() => {
        if (!workspace.isTrusted) for (const server of servers.all) this.look(server);
      }),
    );
    this.store.add(
      workspace.onDidGrantWorkspaceTrust(() => {
        this.lookAgain('restricted');
        // What a look that is under way finds may be of before.
        for (const [server, { isOpen }] of this.looks) if (isOpen) this.look(server);
      }),
    );
    this.store.add(secrets.onDidChange(() => this.lookAgain('needsValue')));
  }

  dispose(): void {
    this.store.dispose();
  }

  private watch(server: Server): Disposable {
    this.look(server, true);
    return { dispose: () => this.looks.delete(server) };
  }

  private lookAgain(why: Obstacle): void {
    for (const server of this.deps.servers.all)
      if (obstacleOf(server.state) === why) this.look(server);
  }

  private look(server: Server, isFirst = this.looks.get(server)?.isFirst ?? false): void {
    const { policy, workspace, logs } = this.deps;
    const isAutomatic = policy.isAutomatic(server.definition);
    const look = { isFirst, isOpen: true };
    this.looks.set(server, look);
    if (!isAutomatic && workspace.isTrusted) {
      const before = obstacleOf(server.state);
      if (before === 'restricted' || before === 'needsValue') server.lookedAt('ready');
      this.looks.set(server, { isFirst, isOpen: false });
      return;
    }
    this.finish(server, look, isAutomatic).catch((error: unknown) =>
      logs.extension.error(errorDetail(error)),
    );
  }

  private async finish(server: Server, look: Look, isAutomatic: boolean): Promise<void> {
    const found = await this.deps.launches.readiness(server.id);
    // By now, it may be gone or started by hand, or a later look knows more.
    if (this.looks.get(server) !== look) return;
    this.looks.set(server, { isFirst: false, isOpen: false });
    const before = obstacleOf(server.state);
    // A value is asked for when it is needed: only a server that would run by now lacks it.
    if (isAutomatic || found !== 'needsValue') server.lookedAt(found);
    const isHeld = before === 'restricted' || before === 'needsValue';
    // A question that nobody caused would come out of nowhere, so servers that would ask wait.
    if (isAutomatic && found === 'ready' && (look.isFirst || isHeld)) await server.start();
  }
}
