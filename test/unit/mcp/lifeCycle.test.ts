import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { getEventListeners, once as onceEmitted } from 'node:events';
import { join } from 'node:path';
import { createLimiter, deferred, nextTurn } from '../../../src/base/async';
import { CancelledError } from '../../../src/base/errors';
import { once } from '../../../src/base/event';
import type { ConnectionDeps } from '../../../src/mcp/connection/connectionDeps';
import { createServers } from '../../../src/mcp/createServers';
import { createNodeTransports } from '../../../src/mcp/node/nodeTransports';
import type { Progress } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';
import type { ServerConfig, ServerDefinition, ServerLimits } from '../../../src/mcp/serverConfig';
import type { ServerState } from '../../../src/mcp/serverState';
import { checkLeaks } from '../../support/processes/leakCheck';
import { createCensus } from '../../support/processes/processCensus';
import { until } from '../../support/until';
import { define, limits, names, quickTimeouts, recordingLogger, testDeps } from './testServers';

const badServer = join(__dirname, '..', '..', 'fixtures', 'badServers', 'main.js');
const census = createCensus();

/** Returns the configuration of a bad server in this mode. */
const bad = (...args: readonly string[]): ServerConfig => ({
  type: 'stdio',
  command: process.execPath,
  args: [badServer, ...args],
  env: census.env,
});

/** Starts a bad server in this mode as a process that serves HTTP; resolves when it is listening. */
async function serveHttp(...args: readonly string[]) {
  const child = spawn(process.execPath, [badServer, ...args, '--http', '0'], {
    env: { ...process.env, ...census.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await onceEmitted(child.stdout, 'data')) as [Buffer];
  const config: ServerConfig = { type: 'http', url: chunk.toString().trim(), headers: {} };
  return {
    config,
    async stop() {
      const ended = onceEmitted(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const becomes = (server: Server, kind: ServerState['kind']): Promise<ServerState> =>
  server.state.kind === kind
    ? Promise.resolve(server.state)
    : once(server.onDidChangeState, (state) => state.kind === kind);

/** Returns the first text of a tool's result. */
async function say(server: Server, name = 'say'): Promise<string> {
  const { content } = await server.callTool(name, {});
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}

const stats = async (server: Server) =>
  JSON.parse(await say(server, 'stats')) as Readonly<Record<string, number>>;

/** Returns the definition of one of several servers. */
const one = (id: string, config: ServerConfig, more: Partial<ServerDefinition> = {}) =>
  define(config, { id, name: id.toUpperCase(), ...more });

describe('servers that run', () => {
  checkLeaks();
  const endings: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
    assert.deepEqual(await census.commands(), [], 'no process is left');
  });

  /** Creates a set of servers that is stopped after the test. */
  function open(overrides: Partial<ConnectionDeps> = {}) {
    const { log, lines } = recordingLogger();
    const deps = testDeps({ log, ...overrides });
    const servers = createServers(() => deps);
    endings.push(async () => {
      await Promise.all(servers.all.map((server) => server.stop()));
      servers.dispose();
    });
    return { servers, lines };
  }

  async function openOne(
    config: ServerConfig,
    more: { readonly limits?: ServerLimits; readonly deps?: Partial<ConnectionDeps> } = {},
  ) {
    const { servers, lines } = open(more.deps);
    await servers.reconcile([define(config, more.limits ? { limits: more.limits } : {})]);
    const server = servers.get('one');
    assert.ok(server);
    return { server, servers, lines };
  }

  /** Starts a server in this mode over this transport. */
  async function openOver(way: 'stdio' | 'http', mode: readonly string[], given = limits({})) {
    let config = bad(...mode);
    if (way === 'http') {
      const http = await serveHttp(...mode);
      endings.push(() => http.stop());
      config = http.config;
    }
    const opened = await openOne(config, { limits: given });
    assert.deepEqual(await opened.server.start(), { kind: 'running' });
    return opened;
  }

  describe('one by one', () => {
    it('say why they ended at once, with their last words', async () => {
      const { server } = await openOne(bad('exit', '3'));
      const outcome = await server.start();
      assert.deepEqual(outcome, {
        kind: 'failed',
        message: 'The server exited with code 3: bad server: the configuration file is missing.',
      });
      await assert.rejects(
        server.callTool('any', {}),
        /bad server: the configuration file is missing\./,
      );
      assert.equal(
        server.state.kind === 'failed' && server.state.detail,
        'bad server: the configuration file is missing',
      );
    });

    it('print a megabyte without flooding the log', async () => {
      const { server, lines } = await openOver('stdio', ['stderr', '1']);
      await server.stop();
      const printed = lines.info.filter((line) => /^e+…?$/.test(line));
      assert.ok(printed.length > 0 && printed.length < 1000, `${printed.length} lines`);
      assert.match(lines.warn.join('\n'), /\d+ lines on stderr are left out here/);
    });

    it('say that they refuse the handshake, in their own words', async () => {
      const { server } = await openOne(bad('refuse-initialize'));
      const outcome = await server.start();
      assert.match(outcome.kind === 'failed' ? outcome.message : '', /No licence found/);
    });

    it('that agree on no version that we know are told from those that ended', async () => {
      const { server } = await openOne(bad('version', '1999-01-01'));
      const outcome = await server.start();
      assert.match(outcome.kind === 'failed' ? outcome.message : '', /1999-01-01/);
    });

    it('that never answer are given up after their time, and say what they printed', async () => {
      const config: ServerConfig = {
        type: 'stdio',
        command: process.execPath,
        args: ['-e', "console.log('Usage: serve'); process.stdin.resume()"],
        env: census.env,
      };
      const { server } = await openOne(config, { limits: limits({ initialize: 600 }) });
      const seen: ServerState[] = [];
      server.onDidChangeState((state) => seen.push(state));
      const outcome = await server.start();
      assert.deepEqual(seen.slice(0, 2), [
        { kind: 'starting' },
        { kind: 'starting', unexpectedOutput: 'Usage: serve' },
      ]);
      assert.match(
        outcome.kind === 'failed' ? outcome.message : '',
        /did not answer the first request in time.*“Usage: serve”/,
      );
    });

    it('that print a line before they speak are shown with it, and run', async () => {
      const { server } = await openOne(bad('garbage'));
      const seen: ServerState[] = [];
      server.onDidChangeState((state) => seen.push(state));
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.deepEqual(
        seen.map((state) => (state.kind === 'starting' ? state.unexpectedOutput : state.kind)),
        [undefined, 'Starting up…', 'running'],
      );
    });

    it('come back after a crash, again and again, and then no more', async () => {
      const { server, lines } = await openOne(bad('crash'));
      const pids = new Set<string>();
      await server.start();
      for (let crash = 1; crash <= 6; crash += 1) {
        pids.add((await census.running()).map(({ pid }) => pid).join());
        const down = becomes(server, 'failed');
        await assert.rejects(say(server), {
          message:
            'The server exited with code 1: bad server: crashed. "One" had been asked to call the tool "say".',
        });
        const state = await down;
        assert.equal(state.kind === 'failed' && state.retryAt !== undefined, crash < 6);
        if (crash < 6) await becomes(server, 'running');
      }
      assert.equal(pids.size, 6, 'six different processes');
      assert.equal(server.state.kind, 'failed');
      assert.match(lines.error.at(-1) ?? '', /It is not started again/);
    });

    it('that were stopped by hand while they crash-loop stay down', async () => {
      const restarts = {
        firstMs: 60_000,
        longestMs: 60_000,
        maxRestarts: 5,
        windowMs: 1e6,
      };
      const { server } = await openOne(bad('crash'), { deps: { restarts } });
      await server.start();
      await assert.rejects(say(server));
      await becomes(server, 'failed');
      await server.stop();
      assert.equal(server.state.kind, 'stopped');
      assert.deepEqual(await census.commands(), []);
    });

    it('fail the one call whose answer is half a line, and come back', async () => {
      const { server } = await openOne(bad('half-line'));
      await server.start();
      await assert.rejects(say(server), /The server exited with code 1/);
      await becomes(server, 'running');
    });

    it('fail the one call whose answer is over the limit, with its size', async () => {
      const { server } = await openOne(bad('big-line', '3'), { limits: limits({}, 1_000_000) });
      await server.start();
      const [before] = await census.running();
      await assert.rejects(say(server), /a message of 3\.1 MB; the limit is 1 MB\.$/);
      const { messages } = await server.getPrompt('greet', {});
      assert.equal(messages.length, 1);
      const [after] = await census.running();
      assert.equal(after?.pid, before?.pid);
    });

    it('end at the second stop though they ignore everything', async () => {
      const timeouts = { ...quickTimeouts, afterEnd: 60_000, afterTerm: 60_000 };
      const { server } = await openOne(bad('ignore-sigterm'), {
        deps: { openTransport: createNodeTransports(undefined, { timeouts: timeouts }) },
      });
      await server.start();
      await Promise.all([server.stop(), server.stop()]);
      assert.deepEqual(await census.commands(), []);
    });

    it('leave nothing when they are stopped before they answered', async () => {
      const { server } = await openOne(bad('slow-start', '60000'));
      const started = server.start();
      await until(async () => (await census.running()).length > 0);
      await server.stop();
      assert.equal((await started).kind, 'refused');
      assert.deepEqual(await census.commands(), []);
    });

    it('end in their own time when they are stopped before they answered', async () => {
      const timeouts = { ...quickTimeouts, afterEnd: 60_000 };
      const { server, lines } = await openOne(
        {
          type: 'stdio',
          command: process.execPath,
          args: ['-e', "console.error('asleep'); process.stdin.resume()"],
          env: census.env,
        },
        { deps: { openTransport: createNodeTransports(undefined, { timeouts: timeouts }) } },
      );
      const started = server.start();
      await until(() => lines.info.includes('asleep'));
      await server.stop();
      assert.equal((await started).kind, 'refused');
      assert.equal(server.lastAttempt.neededSignal, false);
    });

    it('are started once where they speak only the newest revision', async () => {
      let spawns = 0;
      const transports = createNodeTransports(undefined, { timeouts: quickTimeouts });
      const openTransport: ConnectionDeps['openTransport'] = async (config, context) => {
        const ways = await transports(config, context);
        return ways.map((way) => () => {
          spawns += 1;
          return way();
        });
      };
      const { server } = await openOne(bad('modern'), { deps: { openTransport } });
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.equal(spawns, 1);
      assert.equal((await census.running()).length, 1);
      const { 'tools/list': lists } = await stats(server);
      assert.equal(lists, 1);
    });
  });

  for (const way of ['stdio', 'http'] as const) {
    describe(`over ${way}`, () => {
      it('are told that a request is cancelled when its time is over', async () => {
        const { server } = await openOver(
          way,
          ['silent', 'resources/read'],
          limits({ request: 400 }),
        );
        await assert.rejects(
          server.readResource('bad://one'),
          /could not read "bad:\/\/one": No answer to resources\/read within/,
        );
        const counts = await stats(server);
        assert.equal(counts['notifications/cancelled'], 1);
        assert.equal(counts['resources/read'], 1);
      });

      it('are told that a request is cancelled when it is withdrawn', async () => {
        const { server } = await openOver(way, ['silent', 'resources/read']);
        const abort = new AbortController();
        const read = server.readResource('bad://one', { signal: abort.signal });
        await until(async () => (await stats(server))['resources/read'] === 1);
        abort.abort();
        await assert.rejects(read, CancelledError);
        await until(async () => (await stats(server))['notifications/cancelled'] === 1);
      });

      it('may answer what was cancelled, to nobody’s harm', async () => {
        const { server, lines } = await openOver(way, ['answer-after-cancel']);
        const abort = new AbortController();
        const call = server.callTool('say', {}, { signal: abort.signal });
        abort.abort();
        await assert.rejects(call, CancelledError);
        assert.equal((await server.getPrompt('greet', {})).messages.length, 1);
        assert.deepEqual(lines.error, []);
      });

      it('deliver progress that comes in one piece with the answer', async () => {
        const { server } = await openOver(way, ['progress-burst']);
        const heard: Progress[] = [];
        await server.callTool('say', {}, { onProgress: (progress) => heard.push(progress) });
        assert.deepEqual(
          heard.map(({ progress }) => progress),
          [1, 2, 3],
        );
      });

      it('may be called a hundred times at once on one signal, which leaves nothing', async () => {
        const { server } = await openOver(way, ['good']);
        const warnings: string[] = [];
        const warn = (warning: Error) => warnings.push(warning.message);
        const { signal } = new AbortController();
        process.on('warning', warn);
        try {
          await Promise.all(
            Array.from({ length: 100 }, () => server.callTool('say', {}, { signal })),
          );
          // Warnings come with the next tick.
          await nextTurn();
        } finally {
          process.off('warning', warn);
        }
        assert.deepEqual([warnings, getEventListeners(signal, 'abort').length], [[], 0]);
      });

      it('have all pages listed, more than sixty-four', async () => {
        const { server } = await openOver(way, ['many-pages', '100']);
        assert.equal(server.tools.items.length, 100);
        assert.deepEqual(server.tools.problems, []);
      });

      it('that repeat a cursor have it said', async () => {
        const { server } = await openOver(way, ['repeated-cursor']);
        assert.deepEqual(names(server.tools), ['first', 'again']);
        assert.match(server.tools.problems.join(), /repeats itself/);
      });

      it('keep the good entries beside malformed ones, in every list', async () => {
        const { server } = await openOver(way, ['malformed-entries']);
        for (const list of [server.tools, server.resources]) {
          assert.deepEqual(names(list), ['good-1', 'good-2']);
          assert.equal(list.problems.length, 7);
        }
        assert.deepEqual(names(server.prompts), ['good-1', 'half', 'good-2']);
        assert.equal(server.prompts.problems.length, 6);
      });

      it('that declared lists but have none have none', async () => {
        const { server } = await openOver(way, ['no-lists']);
        for (const list of [server.tools, server.prompts, server.resources]) {
          assert.deepEqual([list.status, list.items, list.problems], ['loaded', [], []]);
        }
      });

      it('keep their last good lists when they cannot list any more', async () => {
        const { server } = await openOver(way, ['stale']);
        const before = names(server.tools);
        const stale = once(server.tools.onDidChange, () => server.tools.status === 'stale');
        await say(server, 'change');
        await stale;
        assert.deepEqual(names(server.tools), before);
        assert.match(server.tools.error ?? '', /database is away/);
      });

      it('that announce a thousand changes in a second are asked a handful of times', async () => {
        const { server, lines } = await openOver(way, ['storm', '1000']);
        await until(() => lines.info.includes('storm over'));
        await server.tools.refresh();
        const { 'tools/list': lists = 0 } = await stats(server);
        // On a busy machine, a second can take long.
        assert.ok(lists <= 20, `${lists} times`);
      });

      it('keep what they say of a kind that nobody knows', async () => {
        const { server } = await openOver(way, ['unknown-content']);
        const { content } = await server.callTool('say', {});
        assert.deepEqual(
          content.map(({ type }) => type),
          ['text', 'unknown', 'text'],
        );
        const { messages } = await server.getPrompt('greet', {});
        assert.deepEqual(
          messages.map((message) => message.content.type),
          ['text', 'unknown', 'text'],
        );
      });

      it('have odd schemas listed as they are, and none compiled', async () => {
        const { server } = await openOver(way, ['odd-schemas']);
        assert.equal(server.tools.items.length, 5);
        assert.equal(await say(server, 'bad_output'), 'ok');
      });
    });
  }

  describe('together', () => {
    it('start side by side, no more at once than allowed', async () => {
      let starting = 0;
      let most = 0;
      const limiter = createLimiter(3);
      const counted: ConnectionDeps['limiter'] = (task, signal) =>
        limiter(async () => {
          starting += 1;
          most = Math.max(most, starting);
          try {
            return await task();
          } finally {
            starting -= 1;
          }
        }, signal);
      const { servers } = open({ limiter: counted });
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      await servers.reconcile(ids.map((id) => one(id, bad('good'))));
      const outcomes = await servers.start('*');
      assert.ok(outcomes.every(({ kind }) => kind === 'running'));
      assert.equal(most, 3);
      assert.equal((await census.running()).length, 7);
    });

    it('start though one of them hangs and one fails', async () => {
      const { servers } = open();
      await servers.reconcile([
        one('hangs', bad('silent'), { limits: limits({ initialize: 1500 }) }),
        one('fails', bad('exit')),
        one('works', bad('good')),
      ]);
      const outcomes = await servers.start('*');
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['failed', 'failed', 'running'],
      );
    });

    it('keep their processes when nothing of theirs changed', async () => {
      const { servers } = open();
      const keep = one('keep', bad('good'));
      await servers.reconcile([keep, one('go', bad('good')), one('change', bad('good'))]);
      await servers.start('*');
      const [before, changing] = await Promise.all(
        ['keep', 'change'].map((id) => say(servers.get(id) as Server, 'pid')),
      );
      const server = servers.get('keep');
      let announced = 0;
      servers.onDidChange(() => (announced += 1));
      await servers.reconcile([
        { ...keep, source: { label: 'elsewhere', line: 12 } },
        one('change', bad('good', 'differently')),
        one('new', bad('good')),
      ]);
      assert.equal(servers.get('keep'), server);
      assert.equal(server?.definition.source.label, 'elsewhere', 'its row says where it is now');
      assert.equal(await say(server, 'pid'), before);
      assert.notEqual(await say(servers.get('change') as Server, 'pid'), changing);
      assert.equal(servers.get('go'), undefined);
      assert.equal(servers.get('new')?.state.kind, 'stopped', 'nobody started the new one');
      assert.deepEqual(
        servers.all.map(({ id }) => id),
        ['keep', 'change', 'new'],
      );
      assert.equal((await census.running()).length, 2);
      assert.ok(announced > 0);
    });

    it('end all, the stubborn too, when none is configured any more', async () => {
      const { servers } = open();
      await servers.reconcile([
        one('eof', bad('ignore-eof')),
        one('term', bad('ignore-sigterm')),
        one('child', bad('grandchild', 'stubborn')),
      ]);
      await servers.start('*');
      await servers.reconcile([]);
      assert.deepEqual(await census.commands(), []);
    });

    const soon = { afterStop: 60_000, afterForce: 0 };
    const forced = { afterStop: 50, afterForce: 60_000 };
    const endless = { ...quickTimeouts, afterEnd: 60_000, afterTerm: 60_000 };
    for (const [name, mode, timeouts, final] of [
      ['behaves', ['good'], endless, soon],
      ['only a signal ends', ['ignore-eof'], quickTimeouts, soon],
      ['never ends by itself', ['ignore-sigterm'], endless, forced],
    ] as const)
      for (const way of ['is over', 'is over while it is replaced'] as const)
        it(`have ended when all ${way}, even one that ${name}`, async () => {
          const openTransport = createNodeTransports(undefined, { timeouts: timeouts });
          const { servers } = open({ openTransport });
          await servers.reconcile([one('last', bad(...mode))]);
          await servers.start('*');
          assert.equal((await census.running()).length, 1);
          const replaced = way === 'is over' ? undefined : servers.reconcile([]);
          servers.dispose();
          await servers.ended(final);
          assert.deepEqual(await census.commands(), []);
          await replaced;
        });

    it('have ended when all is over, even one that had not started yet', async () => {
      const { servers } = open();
      await servers.reconcile([one('silent', bad('silent'))]);
      const outcome = servers.start('*');
      await until(async () => (await census.running()).length === 1);
      servers.dispose();
      await servers.ended(soon);
      assert.deepEqual(await census.commands(), []);
      assert.equal((await outcome)[0]?.kind, 'refused');
    });

    it('are not waited for when all is over and none of them runs', async () => {
      const { servers } = open();
      await servers.reconcile([one('stopped', bad('good')), one('failed', bad('exit'))]);
      await servers.start('failed');
      servers.dispose();
      await servers.ended(soon);
    });

    it('are waited for no longer than the editor allows, though one never ends', async () => {
      const nodeTransports = createNodeTransports(undefined, { timeouts: quickTimeouts });
      const freed = deferred<void>();
      const { servers } = open({
        openTransport: async (...start) =>
          (await nodeTransports(...start)).map((openReal) => () => {
            const transport = openReal();
            return { ...transport, close: () => transport.close().then(() => freed.promise) };
          }),
      });
      await servers.reconcile([one('stuck', bad('good'))]);
      await servers.start('*');
      servers.dispose();
      await servers.ended({ afterStop: 5, afterForce: 5 });
      freed.resolve();
      await servers.ended(soon);
    });

    it('answer a call though nobody started them', async () => {
      const { servers } = open();
      await servers.reconcile([one('lazy', bad('good'))]);
      assert.equal(await say(servers.get('lazy') as Server), 'ok');
    });
  });
});
