import { createLimiter } from '../../../src/base/async';
import type { ServerDefinition } from '../../../src/mcp/serverConfig';
import { AuthServer } from '../../fixtures/authServer/authServer';
import { ProtectedServer } from '../../fixtures/authServer/protectedServer';
import { built } from '../../support/paths';
import { startFixture, type FixtureServer } from '../../support/processes/fixtureServer';

/** A server of a soak test, and how it is used. */
export interface SoakServer {
  readonly definition: ServerDefinition;
  /** A call that a good server answers; `change` is one that makes it announce changes of its lists. */
  readonly tool: string;
  readonly args: Readonly<Record<string, number | string>>;
  readonly change?: string;
  /** False if it dies during a call or never runs. */
  readonly isGood: boolean;
}

interface Kind {
  readonly count: number;
  readonly fixture: 'badServers' | 'demoServer' | 'modernServer';
  readonly args: readonly string[];
  readonly isGood?: false;
}

const processes: readonly Kind[] = [
  { count: 9, fixture: 'badServers', args: ['good'] },
  { count: 2, fixture: 'badServers', args: ['slow-start', '300'] },
  { count: 2, fixture: 'badServers', args: ['grandchild'] },
  { count: 1, fixture: 'badServers', args: ['ignore-eof'] },
  { count: 2, fixture: 'badServers', args: ['crash'], isGood: false },
  { count: 1, fixture: 'badServers', args: ['half-line'], isGood: false },
  { count: 1, fixture: 'badServers', args: ['exit'], isGood: false },
  { count: 2, fixture: 'demoServer', args: [] },
  { count: 2, fixture: 'modernServer', args: [] },
];

/** Servers over HTTP: each of these is one process with this many clients. */
const listening: readonly Kind[] = [
  { count: 3, fixture: 'demoServer', args: ['--http'] },
  { count: 2, fixture: 'demoServer', args: ['--sse'] },
  { count: 2, fixture: 'modernServer', args: ['--http'] },
];

const uses = {
  badServers: { tool: 'say', args: {}, change: 'change' },
  demoServer: { tool: 'calculate', args: { operation: 'add', x: 1, y: 2 } },
  modernServer: { tool: 'echo', args: { text: 'x' } },
} as const;

/** Thirty servers of all kinds, including those that run outside of the client. */
export class SoakServers implements AsyncDisposable {
  readonly authServer: AuthServer;
  readonly all: readonly SoakServer[];
  private readonly signedIn: ProtectedServer;
  private readonly fixtures: FixtureServer[];
  private readonly oneAtATime = createLimiter(1);

  private constructor(
    auth: readonly [AuthServer, ProtectedServer],
    fixtures: FixtureServer[],
    env: Readonly<Record<string, string>>,
  ) {
    [this.authServer, this.signedIn] = auth;
    this.fixtures = fixtures;
    const server = (
      id: string,
      config: ServerDefinition['config'],
      more: Omit<SoakServer, 'definition'>,
    ) => ({ definition: define(id, config), ...more }) satisfies SoakServer;
    const own = processes.flatMap(({ count, fixture, args, isGood = true }) =>
      Array.from({ length: count }, (_, index) => {
        const command = {
          command: process.execPath,
          args: [built('fixtures', fixture, 'main.js'), ...args],
        };
        const id = `${args[0] ?? fixture} ${index + 1}`;
        return server(id, { type: 'stdio', ...command, env }, { ...uses[fixture], isGood });
      }),
    );
    const remote = listening.flatMap(({ count, fixture, args }, at) =>
      Array.from({ length: count }, (_, index) => {
        const type = args[0] === '--sse' ? 'sse' : 'http';
        const url = fixtures[at]?.url ?? '';
        const id = `${fixture} over ${type} ${index + 1}`;
        return server(id, { type, url, headers: {} }, { ...uses[fixture], isGood: true });
      }),
    );
    const { url } = this.signedIn;
    const use = { tool: 'read', args: {}, isGood: true };
    this.all = [...own, ...remote, server('signed in', { type: 'http', url, headers: {} }, use)];
  }

  /** @param env marks the processes that the client starts. */
  static async start(env: Readonly<Record<string, string>>): Promise<SoakServers> {
    const authServer = await AuthServer.start();
    const auth = [authServer, await ProtectedServer.start(authServer)] as const;
    const fixtures = await Promise.all(
      listening.map(({ fixture, args }) => startFixture(fixture, [...args, '0'])),
    );
    return new SoakServers(auth, fixtures, env);
  }

  /** Stops one of the HTTP servers and starts it again at the same address. */
  restart(chance: number): Promise<void> {
    return this.oneAtATime(() => this.startAgain(chance));
  }

  private async startAgain(chance: number): Promise<void> {
    const at = Math.floor(chance * listening.length);
    const kind = listening[at];
    const before = this.fixtures[at];
    if (!kind || !before) return;
    await before[Symbol.asyncDispose]();
    this.fixtures[at] = await startFixture(kind.fixture, [...kind.args, new URL(before.url).port]);
  }

  /** Discards what the servers recorded, which would otherwise grow without limit. */
  forget(): void {
    this.authServer.seen.length = 0;
    this.signedIn.seen.length = 0;
    this.signedIn.called.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.fixtures.map((one) => one[Symbol.asyncDispose]()));
    await this.signedIn[Symbol.asyncDispose]();
    await this.authServer[Symbol.asyncDispose]();
  }
}

/** Returns a definition with the usual limits, except that starting a process may take up to 20 real seconds. */
function define(id: string, config: ServerDefinition['config']): ServerDefinition {
  const deadlines = { initialize: 20 * 60_000, request: 60_000, ceiling: 15 * 60_000 };
  const limits = { deadlines, maxMessageBytes: 64 * 2 ** 20 };
  return { id, name: id, source: { label: 'soak' }, limits, config };
}
