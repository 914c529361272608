import assert from 'node:assert/strict';
import { createLimiter, deferred } from '../../../../src/base/async';
import { PutOffError, UserError } from '../../../../src/base/errors';
import { ConfiguredServer } from '../../../../src/mcp/configuredServer';
import type { ConnectionDeps, LaunchPreparer } from '../../../../src/mcp/connection/connectionDeps';
import type { ServerState } from '../../../../src/mcp/serverState';
import { settled, useFakeClock } from '../../../support/fakes/fakeClock';
import { checkLeaks } from '../../../support/processes/leakCheck';
import {
  ScriptedError,
  silence,
  type ScriptedTransport,
} from '../../../support/fakes/scriptedTransport';
import { legacyServer, modernServer } from '../scriptedSession';
import { define, names, recordingLogger, scriptedTransports, testDeps } from '../testServers';

const capabilities = { tools: { listChanged: true } };
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const tools = (...all: readonly string[]) => ({ 'tools/list': () => ({ tools: all.map(tool) }) });
const good = (...all: readonly string[]) => legacyServer({ capabilities, scripts: tools(...all) });
/** A server that never answers the handshake. */
const mute = () => legacyServer({ scripts: { initialize: () => silence } });
const refusing = (message: string) =>
  legacyServer({
    scripts: {
      initialize: () => {
        throw new ScriptedError(-32603, message);
      },
    },
  });

/** Creates a server whose sessions use these transports, one after another. */
function open(transports: readonly ScriptedTransport[], overrides: Partial<ConnectionDeps> = {}) {
  const scripted = scriptedTransports(...transports);
  const { log, lines } = recordingLogger();
  const { restarts: _usual, ...deps } = testDeps({
    openTransport: scripted.openTransport,
    log,
    ...overrides,
  });
  const server = new ConfiguredServer(define(), deps);
  const states: ServerState['kind'][] = [];
  server.onDidChangeState(({ kind }) => states.push(kind));
  return { server, states, lines, ...scripted };
}

function failure({ state }: ConfiguredServer) {
  assert.ok(state.kind === 'failed', state.kind);
  return state;
}

describe('a connection', () => {
  checkLeaks();
  const clock = useFakeClock();

  describe('that starts', () => {
    /** Creates a server whose start waits for the user until its signal aborts. */
    const waiting = () => {
      const asked = deferred<AbortSignal>();
      const prepare: LaunchPreparer['prepare'] = (_definition, signal) => {
        asked.resolve(signal);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ refused: 'Not answered.' }));
        });
      };
      return { ...open([good('a')], { launches: { prepare } }), asked: asked.promise };
    };

    it('is called off when the last who waits for it has left', async () => {
      const { server, asked, opened } = waiting();
      const [first, second] = [new AbortController(), new AbortController()];
      const outcomes = [server.start(first.signal), server.start(second.signal)];
      const signal = await asked;
      first.abort();
      assert.equal((await outcomes[0])?.kind, 'refused');
      assert.deepEqual([signal.aborted, server.state.kind], [false, 'starting']);
      second.abort();
      assert.equal((await outcomes[1])?.kind, 'refused');
      assert.equal(signal.aborted, true);
      await settled();
      assert.deepEqual([server.state.kind, opened()], ['stopped', 0]);
    });

    it('goes on as long as somebody wants it without a condition', async () => {
      const { server, asked } = waiting();
      const leaves = new AbortController();
      const left = server.start(leaves.signal);
      void server.start();
      const signal = await asked;
      leaves.abort();
      assert.equal((await left).kind, 'refused');
      assert.deepEqual([signal.aborted, server.state.kind], [false, 'starting']);
      await server.stop();
    });

    it('stays up when those leave who waited for it', async () => {
      const { server } = open([good('a')]);
      const leaves = new AbortController();
      assert.equal((await server.start(leaves.signal)).kind, 'running');
      leaves.abort();
      await settled();
      assert.equal(server.state.kind, 'running');
    });

    it('is shared by all who start it, and there when the lists are', async () => {
      const { server, states, opened } = open([good('a', 'b')]);
      const outcomes = await Promise.all([server.start(), server.start(), server.start()]);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['running', 'running', 'running'],
      );
      assert.deepEqual(names(server.tools), ['a', 'b']);
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.equal(opened(), 1);
      assert.deepEqual(states, ['starting', 'running']);
      server.dispose();
    });

    it('knows what it agreed on with the server', async () => {
      const { server } = open([
        legacyServer({ capabilities, instructions: 'Be kind.', scripts: tools() }),
      ]);
      await server.start();
      assert.deepEqual(server.state, {
        kind: 'running',
        info: {
          protocolVersion: '2025-11-25',
          capabilities,
          implementation: { name: 'scripted', version: '1.0.0' },
          instructions: 'Be kind.',
        },
        declared: {},
      });
      server.dispose();
    });

    it('fails with the words of a server that refuses, and starts nothing again', async () => {
      const { server, opened, closes } = open([refusing('No licence found')]);
      const outcome = await server.start();
      assert.equal(outcome.kind, 'failed');
      assert.match(failure(server).message, /No licence found/);
      assert.equal(failure(server).retryAt, undefined);
      await clock.tick(600_000);
      assert.equal(opened(), 1);
      assert.equal(closes.length, 1);
    });

    it('fails when the server never answers, and says so', async () => {
      const { server, closes } = open([mute()]);
      const started = server.start();
      await settled();
      await clock.tick(60_000);
      assert.equal((await started).kind, 'failed');
      assert.match(failure(server).message, /did not answer the first request in time/);
      assert.equal(closes.length, 1);
    });

    it('is not made when it is refused', async () => {
      const { server, opened } = open([good()], {
        launches: { prepare: () => Promise.resolve({ refused: 'The folder is not trusted.' }) },
      });
      assert.deepEqual(await server.start(), {
        kind: 'refused',
        message: 'The folder is not trusted.',
      });
      assert.deepEqual([server.state.kind, opened()], ['stopped', 0]);
    });

    for (const byUser of [true, undefined])
      it(`tells requests why it was not made, and that ${byUser ? '' : 'not '}the user has just answered so`, async () => {
        const refusal = { refused: 'It was not trusted.', ...(byUser && { byUser }) };
        const { server } = open([], { launches: { prepare: () => Promise.resolve(refusal) } });
        const { refused: message, ...by } = refusal;
        assert.deepEqual(await server.start(), { kind: 'refused', message, ...by });
        await assert.rejects(server.getPrompt('a', {}, {}), (error: unknown) => {
          assert.ok(error instanceof UserError);
          assert.match(error.message, /is not running\. It was not trusted\./);
          assert.equal(error instanceof PutOffError, byUser === true);
          return true;
        });
      });
    it('says why it is not running, once its start was refused', async () => {
      const { server } = open([good()], {
        obstacle: 'needsProcess',
        launches: {
          prepare: () => Promise.resolve({ refused: 'It is forbidden.', why: 'forbidden' }),
        },
      });
      assert.deepEqual(server.state, { kind: 'stopped', why: 'needsProcess' });
      await server.start();
      assert.deepEqual(server.state, { kind: 'stopped', why: 'forbidden' });
      await server.stop();
      assert.deepEqual(server.state, { kind: 'stopped', why: 'forbidden' });
    });

    it('waits for the user while its start asks, and no longer once that start was called off', async () => {
      const answers = [deferred<void>(), deferred<void>()];
      let starts = 0;
      const { server } = open([good()], {
        launches: {
          prepare: async ({ config }, _signal, whileAsking) => {
            starts += 1;
            await whileAsking(answers[starts - 1]?.promise ?? Promise.resolve());
            return { config };
          },
        },
      });
      const seen: unknown[] = [];
      server.onDidChangeState((state) => seen.push('isWaiting' in state || state.kind));
      const first = server.start();
      await settled();
      assert.deepEqual(seen, ['starting', true]);
      const stopped = server.stop();
      const second = server.start();
      answers[0]?.resolve();
      await Promise.all([first, stopped]);
      await settled();
      assert.deepEqual(seen.slice(2), ['starting', true]);
      answers[1]?.resolve();
      assert.equal((await second).kind, 'running');
      assert.deepEqual(seen.slice(4, 6), ['starting', 'running']);
    });

    it('fails with the reason why it could not be prepared, not with one of the time before', async () => {
      let error: Error | undefined;
      const crashed = Object.assign(good(), { ending: 'exited with code 7', stderrTail: 'old' });
      const { server } = open([crashed], {
        launches: {
          prepare: ({ config }) => (error ? Promise.reject(error) : Promise.resolve({ config })),
        },
      });
      await server.start();
      await server.stop();
      error = new Error('The variable HOST is not set.');
      await server.start();
      assert.match(failure(server).message, /HOST is not set/);
      assert.equal(failure(server).detail, undefined);
    });

    it('does not count as running when the server dies while its lists are loaded', async () => {
      const dying: ScriptedTransport = legacyServer({
        capabilities,
        scripts: { 'tools/list': () => dying.close().then(() => silence) },
      });
      const { server } = open([dying]);
      assert.equal((await server.start()).kind, 'failed');
      assert.equal(server.state.kind, 'failed');
      await server.stop();
    });

    it('does not count as running when the server dies at the end of the handshake', async () => {
      const dying = legacyServer({ capabilities });
      const send = dying.send.bind(dying);
      dying.send = async (...args) => {
        await send(...args);
        if ('method' in args[0] && args[0].method === 'notifications/initialized')
          await dying.close();
      };
      const { server } = open([dying]);
      assert.equal((await server.start()).kind, 'failed');
      assert.equal(server.state.kind, 'failed');
      await server.stop();
    });
  });

  describe('that stops', () => {
    it('is stopped for all who stop it, and may be stopped again', async () => {
      const { server, states } = open([good('a')]);
      await server.start();
      await Promise.all([server.stop(), server.stop()]);
      await server.stop();
      assert.deepEqual(states, ['starting', 'running', 'stopped']);
      assert.deepEqual([server.tools.status, names(server.tools)], ['cached', ['a']]);
    });

    const handshakes: readonly (readonly [string, ScriptedTransport, string])[] = [
      ['that hangs', mute(), 'initialize'],
      ['that is over a moment later', good(), 'notifications/initialized'],
    ];
    for (const [name, transport, method] of handshakes) {
      it(`lets go of a handshake ${name}, and does not force the end`, async () => {
        const { server, states, closes } = open([transport]);
        const ended = deferred<void>();
        const close = transport.close.bind(transport);
        transport.close = () => ended.promise.then(close);
        const started = server.start();
        await transport.request(method);
        const stopped = server.stop();
        await settled();
        assert.deepEqual([server.state.kind, closes.length], ['starting', 1]);
        const forced = server.stop();
        assert.equal(closes.length, 2);
        ended.resolve();
        await Promise.all([stopped, forced]);
        assert.equal((await started).kind, 'refused');
        assert.equal(closes.length, 2);
        assert.deepEqual(states, ['starting', 'stopped']);
      });
    }

    it('does not wait for a place among the starting ones', async () => {
      const limiter = createLimiter(1);
      const hanging = deferred<void>();
      void limiter(() => hanging.promise);
      const { server, opened } = open([good()], { limiter });
      const started = server.start();
      await settled();
      await server.stop();
      assert.equal((await started).kind, 'refused');
      assert.equal(server.state.kind, 'stopped');
      hanging.resolve();
      await settled();
      assert.equal(opened(), 0);
    });

    it('starts nothing where it is asked before it knows how to reach the server', async () => {
      const transport = good();
      const { openTransport, closes } = scriptedTransports(transport);
      const asked = deferred<void>();
      const found = deferred<void>();
      const { server } = open([], {
        openTransport: async (...launch) => {
          asked.resolve();
          await found.promise;
          return openTransport(...launch);
        },
      });
      const started = server.start();
      await asked.promise;
      const stopped = server.stop();
      found.resolve();
      await stopped;
      assert.equal((await started).kind, 'refused');
      assert.deepEqual([transport.starts, closes.length], [0, 1]);
    });

    it('withdraws the question whether it may start', async () => {
      let asked: AbortSignal | undefined;
      const { server, opened } = open([good()], {
        launches: {
          prepare: (_definition, signal) => {
            asked = signal;
            return new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason as Error)),
            );
          },
        },
      });
      const started = server.start();
      await settled();
      await server.stop();
      assert.equal(asked?.aborted, true);
      assert.equal((await started).kind, 'refused');
      assert.equal(opened(), 0);
    });

    it('forces the end when it is asked a second time', async () => {
      const { server, closes } = open([good()]);
      await server.start();
      await Promise.all([server.stop(), server.stop()]);
      assert.equal(closes.length, 2);
    });

    it('runs when it is started while it stops', async () => {
      const slow = good('slow');
      const ended = deferred<void>();
      const close = slow.close.bind(slow);
      slow.close = () => ended.promise.then(close);
      const { server, states } = open([slow, good('next')]);
      await server.start();
      const stopped = server.stop();
      const started = server.start();
      await settled();
      ended.resolve();
      await stopped;
      assert.deepEqual(await started, { kind: 'running' });
      assert.equal(server.state.kind, 'running');
      assert.deepEqual(names(server.tools), ['next']);
      assert.deepEqual(states, ['starting', 'running', 'starting', 'running']);
      await server.stop();
    });

    it('runs when it is started again while a first start is let go', async () => {
      const { server } = open([mute(), good('next')]);
      const first = server.start();
      await settled();
      const stopped = server.stop();
      const second = server.start();
      assert.equal((await first).kind, 'refused');
      assert.deepEqual(await second, { kind: 'running' });
      await stopped;
      assert.equal(server.state.kind, 'running');
      await server.stop();
    });

    it('stays stopped though it was started and stopped in turns', async () => {
      const { server } = open([good(), good(), good()]);
      const starts = [server.start()];
      await settled();
      const stops = [server.stop()];
      starts.push(server.start());
      stops.push(server.stop());
      await Promise.all([...starts, ...stops]);
      await clock.tick(600_000);
      assert.equal(server.state.kind, 'stopped');
    });
  });

  describe('whose server crashed', () => {
    it('says how, and is made again after a second', async () => {
      const first = Object.assign(good('a'), {
        ending: 'exited with code 1',
        stderrTail: 'Error: out of memory',
      });
      const { server, states, opened } = open([first, good('b')]);
      await server.start();
      await first.close();
      assert.deepEqual(server.state, {
        kind: 'failed',
        message: 'The server exited with code 1: Error: out of memory.',
        short: 'Error: out of memory · exited with code 1',
        detail: 'Error: out of memory',
        retryAt: Date.now() + 1000,
      });
      assert.deepEqual(names(server.tools), ['a'], 'the last good list stays');
      await clock.tick(999);
      assert.equal(opened(), 1);
      await clock.tick(1);
      assert.equal(server.state.kind, 'running');
      assert.deepEqual(names(server.tools), ['b']);
      assert.deepEqual(states, ['starting', 'running', 'failed', 'starting', 'running']);
      await server.stop();
    });

    it('is made five times in ten minutes and then no more', async () => {
      const transports = Array.from({ length: 8 }, () => good());
      const { server, opened, lines } = open(transports);
      await server.start();
      for (const [index, wait] of [1000, 2000, 4000, 8000, 16_000].entries()) {
        await transports[index]?.close();
        await clock.tick(wait - 1);
        assert.equal(opened(), index + 1);
        await clock.tick(1);
        assert.equal(opened(), index + 2);
      }
      await transports[5]?.close();
      assert.equal(failure(server).retryAt, undefined);
      assert.match(lines.error.at(-1) ?? '', /It is not started again/);
      await clock.tick(3_600_000);
      assert.equal(opened(), 6);
      assert.deepEqual(await server.start(), { kind: 'running' });
      await transports[6]?.close();
      assert.notEqual(failure(server).retryAt, undefined, 'a user may begin anew');
      await server.stop();
    });

    it('is tried on when the restart itself fails', async () => {
      const first = good();
      const { server, opened } = open([first, refusing('busy'), refusing('busy'), good('back')]);
      await server.start();
      await first.close();
      await clock.tick(1000);
      assert.match(failure(server).message, /busy/);
      assert.equal(failure(server).retryAt, Date.now() + 2000);
      await clock.tick(2000);
      await clock.tick(4000);
      assert.equal(server.state.kind, 'running');
      assert.equal(opened(), 4);
      await server.stop();
    });

    it('is made at once when somebody asks for it', async () => {
      const first = good();
      const { server, opened } = open([first, good('b')]);
      await server.start();
      await first.close();
      assert.deepEqual(await server.start(), { kind: 'running' });
      await clock.tick(600_000);
      assert.equal(opened(), 2);
      await server.stop();
    });

    it('is never made again once it was stopped by hand', async () => {
      const first = good();
      const { server, opened } = open([first, good()]);
      await server.start();
      await first.close();
      await server.stop();
      await clock.tick(600_000);
      assert.equal(opened(), 1);
      assert.equal(server.state.kind, 'stopped');
    });

    it('is never made again once it was disposed', async () => {
      const first = good();
      const { server, opened } = open([first, good()]);
      await server.start();
      await first.close();
      server.dispose();
      await clock.tick(600_000);
      assert.equal(opened(), 1);
    });

    it('says in no place what is secret in its last words', async () => {
      const first = Object.assign(good('a'), { ending: 'exited', stderrTail: 'no key hunter2' });
      const mask = (text: string) => text.replaceAll('hunter2', '***');
      const { server, lines } = open([first], { mask });
      await server.start();
      const called = assert.rejects(
        server.callTool('a', {}),
        /^UserError: The server exited: no key \*{3}\. /,
      );
      await first.request('tools/call');
      await first.close();
      await called;
      assert.equal(failure(server).message, 'The server exited: no key ***.');
      assert.doesNotMatch(JSON.stringify([server.state, lines, server.lastAttempt]), /hunter2/);
      await server.stop();
    });

    it('fails what waits for an answer, with the name of the server and its last words', async () => {
      const first = Object.assign(good('a'), {
        ending: 'exited with code 1',
        stderrTail: 'Error: out of memory',
      });
      const { server } = open([first]);
      await server.start();
      const called = server.callTool('a', {});
      await first.request('tools/call');
      await first.close();
      await assert.rejects(called, {
        name: 'UserError',
        message:
          'The server exited with code 1: Error: out of memory. "One" had been asked to call the tool "a".',
      });
      await server.stop();
    });

    it('fails what waits for an answer, and says so, when the user stops the server', async () => {
      const first = good('a');
      const { server } = open([first]);
      await server.start();
      const called = assert.rejects(server.callTool('a', {}), {
        name: 'UserError',
        message: '"One" could not call the tool "a": it was stopped before the answer came.',
      });
      await first.request('tools/call');
      await server.stop();
      await called;
    });
  });

  it('tells whoever waits that it stopped when its server is configured no more', async () => {
    const { server } = open([good()]);
    await server.start();
    const states: string[] = [];
    server.onDidChangeState(({ kind }) => states.push(kind));
    server.dispose();
    assert.deepEqual(states, ['stopped']);
  });

  it('is made no more for whoever holds a server that is configured no more', async () => {
    const { server, opened } = open([good(), good()]);
    await server.start();
    await server.stop();
    server.dispose();
    await assert.rejects(server.callTool('a', {}), /no longer configured/);
    assert.equal((await server.start()).kind, 'refused');
    assert.deepEqual([server.state.kind, opened()], ['stopped', 1]);
  });

  describe('that is lost', () => {
    const unknown = () => Object.assign(new Error('HTTP 404'), { data: { status: 404 } });

    it('stays stopped when it is stopped while it is made again', async () => {
      const dead = legacyServer({ capabilities, scripts: tools('a') });
      const ended = deferred<void>();
      const { server, opened } = open([dead, good()]);
      await server.start();
      const close = dead.close.bind(dead);
      dead.close = () => ended.promise.then(close);
      dead.sendError = unknown();
      const probed = server.probe();
      await settled();
      const stopped = server.stop();
      ended.resolve();
      await Promise.all([probed, stopped]);
      await clock.tick(600_000);
      assert.deepEqual([server.state.kind, opened()], ['stopped', 1]);
    });

    it('is made again when a probe finds it lost', async () => {
      const dead = good('a');
      const { server, opened } = open([dead, good('b')]);
      await server.start();
      dead.sendError = unknown();
      await server.probe();
      assert.deepEqual([server.state.kind, opened(), names(server.tools)], ['running', 2, ['b']]);
      await server.stop();
    });

    describe('over HTTP', () => {
      const overHttp = (...all: readonly string[]) =>
        legacyServer({ capabilities, scripts: tools(...all) }, true);
      const failures: readonly (readonly [string, Error])[] = [
        [
          'the network is not there yet',
          new TypeError('fetch failed', {
            cause: Object.assign(new Error('unreachable'), { code: 'EHOSTUNREACH' }),
          }),
        ],
        [
          'a proxy does not reach the server yet',
          Object.assign(new Error('HTTP 502'), { data: { status: 502 } }),
        ],
      ];
      for (const [what, error] of failures) {
        it(`is kept, and nothing is started again, while ${what}`, async () => {
          const kept = overHttp('a');
          const { server, states, opened } = open([kept, overHttp('b')]);
          await server.start();
          kept.sendError = error;
          const before = states.length;
          await server.probe();
          await clock.tick(1000);
          assert.deepEqual(states.slice(before), ['reconnecting']);
          kept.sendError = undefined;
          await clock.tick(2000);
          assert.deepEqual(states.slice(before), ['reconnecting', 'running']);
          assert.equal(kept.requests('ping').length, 1);
          await clock.tick(600_000);
          assert.equal(kept.requests('ping').length, 1);
          assert.deepEqual(
            [server.state.kind, opened(), names(server.tools)],
            ['running', 1, ['a']],
          );
          assert.equal(server.lastFailure, undefined);
          await server.stop();
        });

        it(`is found to be lost at last where ${what}`, async () => {
          const dead = overHttp('a');
          const { server, opened } = open([dead, overHttp('b')]);
          await server.start();
          dead.sendError = error;
          await server.probe();
          dead.sendError = unknown();
          await clock.tick(1000);
          assert.deepEqual(
            [server.state.kind, opened(), names(server.tools)],
            ['running', 2, ['b']],
          );
          await server.stop();
        });
      }

      const refuseStream = (transport: ScriptedTransport) =>
        transport.onerror?.(
          Object.assign(new Error('HTTP 400'), {
            code: 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM',
            data: { status: 400 },
          }),
        );

      it('is asked after less and less where a server refuses streams for good', async () => {
        const alive = overHttp('a');
        const { server, opened } = open([alive]);
        await server.start();
        const counts: number[] = [];
        for (let hour = 0; hour < 4; hour += 1) {
          for (let minute = 0; minute < 60; minute += 1) {
            refuseStream(alive);
            refuseStream(alive);
            await clock.tick(60_000);
          }
          counts.push(alive.requests('ping').length);
        }
        assert.deepEqual([counts, opened()], [[12, 13, 14, 15], 1]);
        await server.stop();
      });

      it('is not made again for ever where that does not help', async () => {
        const deaf = Array.from({ length: 6 }, () =>
          legacyServer(
            {
              capabilities,
              scripts: {
                ...tools('a'),
                ping: () => {
                  throw new ScriptedError(-32600, 'Invalid Request');
                },
              },
            },
            true,
          ),
        );
        const { server, opened } = open(deaf);
        await server.start();
        for (const one of deaf) {
          refuseStream(one);
          await clock.tick(1);
        }
        assert.deepEqual([server.state.kind, opened()], ['running', 4]);
        await server.stop();
      });

      it('is asked after until it is reached, a minute apart at most', async () => {
        const kept = overHttp('a');
        const { server, opened } = open([kept]);
        await server.start();
        kept.sendError = failures[0]?.[1];
        await server.probe();
        await clock.tick(8 * 3_600_000);
        assert.equal(server.state.kind, 'reconnecting');
        kept.sendError = undefined;
        await clock.tick(60_000);
        assert.deepEqual([server.state.kind, opened()], ['running', 1]);
        await server.stop();
      });

      it('is not asked after for ever, nor when it was stopped', async () => {
        const mutes = [1, 2].map(() =>
          legacyServer({ capabilities, scripts: { ...tools('a'), ping: () => silence } }, true),
        );
        const { server, opened } = open(mutes);
        await server.start();
        const probed = server.probe();
        for (let minute = 0; minute < 30; minute += 1) {
          await clock.tick(15_000);
          await clock.tick(45_000);
        }
        await probed;
        assert.deepEqual([mutes[0]?.requests('ping').length, opened()], [8, 1]);
        await server.stop();
        await server.start();
        const again = server.probe();
        await clock.tick(15_000);
        await again;
        await server.stop();
        await clock.tick(60_000);
        assert.equal(mutes[1]?.requests('ping').length, 1);
      });
    });

    for (const [what, ping, sendError] of [
      ['is busy', () => silence, undefined],
      ['takes nothing for a moment', () => ({}), new Error('EAGAIN')],
    ] as const)
      it(`is left alone, and so is a call, where a process ${what}`, async () => {
        const called = deferred<object>();
        const busy = legacyServer({
          capabilities,
          scripts: {
            ...tools('slow', 'bad'),
            ping,
            'tools/call': ({ name }) => {
              if (name === 'slow') return called.promise;
              throw new ScriptedError(-32000, 'No such row');
            },
          },
        });
        const { server, opened } = open([busy, good('b')]);
        await server.start();
        const answer = server.callTool('slow', {});
        const failed = assert.rejects(server.callTool('bad', {}), /No such row$/);
        await settled();
        busy.sendError = sendError;
        const probed = server.probe();
        await clock.tick(15_000);
        await Promise.all([failed, probed]);
        called.resolve({ content: [{ type: 'text', text: 'done' }] });
        assert.deepEqual((await answer).content, [{ type: 'text', text: 'done' }]);
        assert.deepEqual([server.state.kind, opened()], ['running', 1]);
        busy.sendError = undefined;
        await server.stop();
      });

    it('is left alone when one finds it lost that was replaced already', async () => {
      const { server, opened } = open([good('a'), good('b'), good('c')]);
      await server.start();
      const { session } = server['connection'];
      assert.ok(session);
      const outcomes = [await server['connection'].reconnect(session)];
      outcomes.push(await server['connection'].reconnect(session));
      assert.deepEqual(outcomes, [{ kind: 'running' }, { kind: 'running' }]);
      assert.deepEqual([server.state.kind, opened(), names(server.tools)], ['running', 2, ['b']]);
      await server.stop();
    });

    it('is left alone when a probe gets any answer', async () => {
      const alive = legacyServer({
        capabilities,
        scripts: {
          ...tools('a'),
          ping: () => {
            throw new ScriptedError(-32601, 'Method not found');
          },
        },
      });
      const { server, opened } = open([alive]);
      await server.start();
      await server.probe();
      assert.equal(opened(), 1);
      await server.stop();
    });
  });

  describe('with a server of the newest revision', () => {
    it('is made on the same pipe that was asked in the old way', async () => {
      const modern = modernServer({ capabilities: { tools: {} }, scripts: tools('m') });
      const { server, opened } = open([modern]);
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.deepEqual([opened(), modern.starts], [1, 1]);
      assert.equal(
        server.state.kind === 'running' && server.state.info.protocolVersion,
        '2026-07-28',
      );
      assert.deepEqual(names(server.tools), ['m']);
      await server.stop();
    });

    const memories = [
      { remembered: 'modern', now: 'legacy', streams: false },
      { remembered: 'modern', now: 'legacy', streams: true },
      { remembered: 'legacy', now: 'modern', streams: false },
      { remembered: 'legacy', now: 'modern', streams: true },
    ] as const;
    for (const { remembered, now, streams } of memories) {
      it(`does not fail because a server that is ${now} was ${remembered} (${streams ? 'HTTP' : 'stdio'})`, async () => {
        const make = now === 'modern' ? modernServer : legacyServer;
        const transport = make({ capabilities: { tools: {} }, scripts: tools('x') }, streams);
        const empty = { tools: [], prompts: [], resources: [], resourceTemplates: [], skills: [] };
        const { server, opened } = open([transport], {
          memory: {
            load: () => Promise.resolve({ snapshot: empty, era: remembered, savedAt: Date.now() }),
            save: () => Promise.resolve(),
            forget: () => Promise.resolve(),
          },
        });
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.deepEqual([names(server.tools), opened()], [['x'], 1]);
        await server.stop();
      });
    }
  });
});
