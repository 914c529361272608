import assert from 'node:assert/strict';
import { deferred } from '../../../../../src/base/async';
import { ConfiguredServer } from '../../../../../src/mcp/configuredServer';
import { maxTaskFailures } from '../../../../../src/mcp/session/tasks/followTask';
import { useFakeClock } from '../../../../support/fakes/fakeClock';
import {
  ScriptedError,
  silence,
  type Script,
  type ScriptedTransport,
} from '../../../../support/fakes/scriptedTransport';
import { legacyServer, modernServer } from '../../scriptedSession';
import { define, limits, scriptedTransports, testDeps } from '../../testServers';

const result = { content: [{ type: 'text', text: 'done' }] };
const pollMs = 1000;
const requestMs = 3000;
const ceilingMs = 60_000;

const fetchFailed: Script = () => {
  throw new TypeError('fetch failed');
};
const badGateway: Script = () => {
  throw Object.assign(new Error('HTTP 502'), { data: { status: 502 } });
};
const noAnswer: Script = () => silence;
const busy: Script = () => {
  throw new ScriptedError(-32603, 'busy');
};
const unknown: Script = () => {
  throw new ScriptedError(-32602, 'Task not found');
};

const tools = [
  { name: 't', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
];

/** Creates a server of 2025-11-25 whose call becomes a task that takes one poll. */
function coreServer(more: Readonly<Record<string, Script>> = {}) {
  return legacyServer({
    capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
    scripts: {
      'tools/list': () => ({ tools }),
      'tools/call': () => ({ task: { taskId: 't1', status: 'working', pollInterval: pollMs } }),
      'tasks/get': () => ({ status: 'completed', pollInterval: pollMs }),
      'tasks/result': () => result,
      'tasks/cancel': () => ({}),
      ...more,
    },
  });
}

/** Creates a server of 2026-07-28 whose call becomes a task that takes one poll. */
function extensionServer(more: Readonly<Record<string, Script>> = {}) {
  return modernServer({
    capabilities: { tools: {} },
    scripts: {
      'tools/list': () => ({ resultType: 'complete', tools }),
      'tools/call': () => ({ resultType: 'task', taskId: 't1', status: 'working' }),
      'tasks/get': () => ({ taskId: 't1', status: 'completed', result }),
      'tasks/cancel': () => ({}),
      ...more,
    },
  });
}

/** Answers the first requests with each of these scripts, and the others with the last one. */
function inTurn(...scripts: readonly Script[]): Script {
  let asked = 0;
  return (...request) => {
    const script = scripts[Math.min(asked, scripts.length - 1)];
    asked += 1;
    return script?.(...request);
  };
}

const times = (count: number, script: Script) => Array.from({ length: count }, () => script);

const working: Script = () => ({ taskId: 't1', status: 'working', pollInterval: pollMs });
const completed: Script = () => ({
  taskId: 't1',
  status: 'completed',
  pollInterval: pollMs,
  result,
});
const asking: Script = () => ({ status: 'input_required', pollInterval: pollMs });

/** Opens a server over these transports, one after another. */
async function open(...transports: readonly ScriptedTransport[]) {
  const { openTransport, opened } = scriptedTransports(...transports);
  const definition = define(undefined, {
    limits: limits({ request: requestMs, ceiling: ceilingMs }),
  });
  const server = new ConfiguredServer(definition, testDeps({ openTransport }));
  await server.start();
  return { server, opened };
}

const count = (transport: ScriptedTransport, method: string) => transport.requests(method).length;

describe('a task of 2025-11-25', () => {
  const clock = useFakeClock();

  /** Lets this many seconds pass, in steps small enough for timers. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.tick(1000);
  };

  const ways: readonly [way: string, end: (server: ConfiguredServer) => Promise<unknown>][] = [
    ['of a call', (server) => server.callTool('t', {})],
    [
      'from before',
      (server) => server.followTask('t', { id: 't1', startedAt: Date.now(), isCore: true }),
    ],
  ];
  const failures: readonly [what: string, scripts: readonly Script[]][] = [
    ['the network fails', times(3, fetchFailed)],
    ['a gateway has no answer', times(3, badGateway)],
    ['no answer comes in time', times(3, noAnswer)],
    ['each time something else fails', [fetchFailed, badGateway, noAnswer]],
  ];

  for (const [way, end] of ways)
    for (const [what, scripts] of [...failures, ['the server is busy', times(3, busy)] as const])
      it(`${way} goes on where ${what} when its state is asked for`, async () => {
        const transport = coreServer({ 'tasks/get': inTurn(...scripts, working, completed) });
        const { server } = await open(transport);
        const ended = end(server);
        await pass(40);
        assert.deepEqual(await ended, { ...result, isError: false });
        assert.equal(count(transport, 'tasks/get'), 5);
        assert.equal(count(transport, 'tasks/cancel'), 0);
        server.dispose();
      });

  for (const [what, scripts] of failures)
    it(`has its result asked for again where ${what}`, async () => {
      const transport = coreServer({ 'tasks/result': inTurn(...scripts, () => result) });
      const { server } = await open(transport);
      const ended = server.callTool('t', {});
      await pass(40);
      assert.deepEqual(await ended, { ...result, isError: false });
      assert.equal(count(transport, 'tasks/result'), 4);
      assert.equal(count(transport, 'tasks/cancel'), 0);
      server.dispose();
    });

  it('that waits for the user has its questions asked for again where the network fails', async () => {
    const transport = coreServer({
      'tasks/get': asking,
      'tasks/result': inTurn(fetchFailed, badGateway, () => result),
    });
    const { server } = await open(transport);
    const ended = server.callTool('t', {});
    await pass(20);
    assert.deepEqual(await ended, { ...result, isError: false });
    assert.equal(count(transport, 'tasks/cancel'), 0);
    server.dispose();
  });

  it('that waits for the user is cancelled where that takes longer than a call may', async () => {
    const transport = coreServer({ 'tasks/get': asking, 'tasks/result': noAnswer });
    const { server } = await open(transport);
    const failed = assert.rejects(server.callTool('t', {}), /call the tool "t": No answer/);
    await pass((pollMs + ceilingMs) / 1000 - 1);
    assert.equal(count(transport, 'tasks/cancel'), 0);
    await pass(1);
    await failed;
    assert.equal(count(transport, 'tasks/cancel'), 1);
    server.dispose();
  });

  it('is asked about half as often after each failure in a row', async () => {
    const transport = coreServer({
      'tasks/get': inTurn(fetchFailed, fetchFailed, working, fetchFailed, working),
    });
    const { server } = await open(transport);
    const abort = new AbortController();
    const ended = server.callTool('t', {}, { signal: abort.signal });
    ended.catch(() => {});
    for (const [asked, seconds] of [1, 2, 4, 1, 2].entries()) {
      await pass(seconds - 1);
      assert.equal(count(transport, 'tasks/get'), asked);
      await pass(1);
      assert.equal(count(transport, 'tasks/get'), asked + 1);
    }
    abort.abort();
    await assert.rejects(ended);
    server.dispose();
  });

  for (const method of ['tasks/get', 'tasks/result'])
    it(`is given up, and not cancelled, where no ${method} is ever answered`, async () => {
      const transport = coreServer({ [method]: fetchFailed });
      const { server } = await open(transport);
      const failed = assert.rejects(
        server.callTool('t', {}),
        /call the tool "t": The state of the task could not be read 8 times: .*fetch failed/,
      );
      await pass(2 ** maxTaskFailures + 1);
      await failed;
      assert.equal(count(transport, method), maxTaskFailures);
      assert.equal(count(transport, 'tasks/cancel'), 0);
      server.dispose();
    });

  it('that its server no longer knows ends with a sentence', async () => {
    const transport = coreServer({ 'tasks/get': inTurn(fetchFailed, unknown) });
    const { server } = await open(transport);
    const failed = assert.rejects(
      server.callTool('t', {}),
      /call the tool "t": The server no longer knows the task.*Task not found/,
    );
    await pass(3);
    await failed;
    server.dispose();
  });

  it('is cancelled where the call is withdrawn while a failure is waited out', async () => {
    const transport = coreServer({ 'tasks/get': fetchFailed });
    const { server } = await open(transport);
    const abort = new AbortController();
    const ended = server.callTool('t', {}, { signal: abort.signal });
    ended.catch(() => {});
    await pass(10);
    assert.equal(count(transport, 'tasks/cancel'), 0);
    abort.abort();
    await assert.rejects(ended, { name: 'CancelledError' });
    assert.equal(count(transport, 'tasks/cancel'), 1);
    server.dispose();
  });
});

for (const [revision, make] of [
  ['2025-11-25', coreServer],
  ['2026-07-28', extensionServer],
] as const)
  describe(`the connection of a task (${revision})`, () => {
    const clock = useFakeClock();

    /** Calls a tool whose task is followed up to its first poll. */
    const follow = async (...transports: readonly ScriptedTransport[]) => {
      const { server, opened } = await open(...transports);
      const ended = server.callTool('t', {});
      await clock.tick(pollMs);
      return { server, opened, ended };
    };

    it('may be replaced by another one', async () => {
      const first = make({ 'tasks/get': noAnswer });
      const second = make();
      const { server, opened, ended } = await follow(first, second);
      await first.request('tasks/get');
      await first.close();
      for (let step = 0; step < 4; step += 1) await clock.tick(pollMs);
      assert.deepEqual(await ended, { ...result, isError: false });
      assert.deepEqual([opened(), count(second, 'tools/call')], [2, 0]);
      server.dispose();
    });

    it('is that of the next session where the server is started again, however long it takes to end', async () => {
      const first = make({ 'tasks/get': working });
      const second = make();
      const { server, opened, ended } = await follow(first, second);
      const end = deferred<void>();
      const close = first.close.bind(first);
      first.close = () => end.promise.then(close);
      const restarted = server.stop().then(() => server.start());
      await clock.tick(pollMs);
      await clock.tick(pollMs);
      end.resolve();
      assert.deepEqual(await restarted, { kind: 'running' });
      for (let step = 0; step < 8; step += 1) await clock.tick(pollMs);
      assert.deepEqual(await ended, { ...result, isError: false });
      assert.equal(opened(), 2);
      server.dispose();
    });

    it('is not made again where the user has stopped the server, and its call ends', async () => {
      const first = make({ 'tasks/get': working });
      const { server, opened, ended } = await follow(first, make());
      const rejected = assert.rejects(ended, /it was stopped before the answer came/);
      await server.stop();
      for (let step = 0; step < 3; step += 1) await clock.tick(pollMs);
      await rejected;
      assert.deepEqual([opened(), server.state.kind], [1, 'stopped']);
      server.dispose();
    });
  });
