import assert from 'node:assert/strict';
import { CancelledError } from '../../../../../src/base/errors';
import { deferred } from '../../../../../src/base/async';
import { DisposableStore } from '../../../../../src/base/disposable';
import type { JsonRecord } from '../../../../../src/base/json';
import type { Progress, Tool } from '../../../../../src/mcp/protocol/types';
import { DeadlineError } from '../../../../../src/mcp/protocol/rpcError';
import {
  type RequestOptions,
  type Session,
  callAsTask,
  callTool,
  needsTask,
} from '../../../../../src/mcp/session/session';
import type { TaskFacts } from '../../../../../src/mcp/session/tasks/taskState';
import { TaskCalls } from '../../../../../src/mcp/session/tasks/taskCalls';
import { useFakeClock, settled } from '../../../../support/fakes/fakeClock';
import {
  ScriptedError,
  type Script,
  type ScriptedTransport,
} from '../../../../support/fakes/scriptedTransport';
import { legacyServer, modernServer, openScripted } from '../../scriptedSession';

const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
const tool = (taskSupport?: unknown) =>
  ({ name: 't', inputSchema: {}, execution: { taskSupport } }) as Tool;
const params = { name: 't', arguments: {} };

/** Creates a server whose task goes through these states, one per request. */
function taskServer(states: readonly object[], more: Readonly<Record<string, Script>> = {}) {
  let asked = 0;
  return legacyServer({
    capabilities,
    scripts: {
      'tools/call': () => ({ task: { taskId: 't1', status: 'working', pollInterval: 500 } }),
      'tasks/get': () => {
        const state = states[Math.min(asked, states.length - 1)];
        asked += 1;
        return { taskId: 't1', ...state };
      },
      'tasks/result': () => ({ content: [{ type: 'text', text: 'done' }] }),
      'tasks/cancel': () => ({ taskId: 't1', status: 'cancelled' }),
      ...more,
    },
  });
}

/** Calls the tool as a task, and follows it to its end. */
async function run(session: Session, options: RequestOptions = {}): Promise<JsonRecord> {
  const tasks = new TaskCalls({ send: (request) => request(session), session: () => session });
  const ended = new DisposableStore();
  try {
    const created = await callAsTask(session, params, { ...options, progressUntil: ended });
    return await tasks.finish(created, options);
  } finally {
    ended.dispose();
  }
}

const methods = (transport: ScriptedTransport) =>
  transport.sent.flatMap(({ method }) => (method?.startsWith('t') ? [method] : []));

describe('a tool that runs as a task', () => {
  const clock = useFakeClock();

  it('is one whose server offers tasks, and that supports them', async () => {
    const offering = await openScripted(legacyServer({ capabilities }));
    const plain = await openScripted(legacyServer({ capabilities: { tools: {} } }));
    const modern = await openScripted(modernServer({ capabilities }));
    assert.deepEqual(
      ['required', 'optional', 'forbidden', undefined, 7].map((one) =>
        needsTask(tool(one), offering.info),
      ),
      [true, true, false, false, false],
    );
    assert.equal(needsTask(tool('required'), plain.info), false);
    assert.equal(needsTask(tool('required'), modern.info), false);
  });

  it('is called without a task where that is wanted, unless it has to be one', async () => {
    const transport = taskServer([{ status: 'completed' }]);
    const session = await openScripted(transport);
    const tools = { items: [], refresh: async () => {} };
    for (const [taskSupport, how] of [
      ['optional', {}],
      ['optional', { asTask: false }],
      ['required', { asTask: false }],
    ] as const)
      await callTool(session, tools, { name: 't', args: {}, tool: tool(taskSupport) }, how);
    const asked = transport
      .requests('tools/call')
      .map(({ params: sent }) => 'task' in (sent ?? {}));
    assert.deepEqual(asked, [true, false, true]);
  });

  it('is asked to keep its result for as long as is wanted', async () => {
    const transport = taskServer([{ status: 'completed' }]);
    const session = await openScripted(transport);
    const tools = { items: [], refresh: async () => {} };
    for (const asTask of [60_000, 0])
      await callTool(session, tools, { name: 't', args: {}, tool: tool('optional') }, { asTask });
    const asked = transport.requests('tools/call').map(({ params: sent }) => sent?.['task']);
    assert.deepEqual(asked, [{ ttl: 60_000 }, {}]);
  });

  it('is asked about at the pace of the server until it is over, and gives its result', async () => {
    const transport = taskServer([
      { status: 'working', pollInterval: 500 },
      { status: 'completed' },
    ]);
    const session = await openScripted(transport);
    const called = run(session);
    await transport.request('tools/call');
    await clock.tick(499);
    assert.deepEqual(methods(transport), ['tools/call']);
    await clock.tick(1);
    assert.deepEqual(methods(transport), ['tools/call', 'tasks/get']);
    await clock.tick(500);
    assert.deepEqual(await called, { content: [{ type: 'text', text: 'done' }] });
    assert.deepEqual(transport.requests('tools/call')[0]?.params?.['task'], {});
  });

  it('is never asked about faster than ten times a second', async () => {
    const transport = taskServer([{ status: 'working', pollInterval: 0 }], {
      'tools/call': () => ({ task: { taskId: 't1', status: 'working', pollInterval: -5 } }),
    });
    const session = await openScripted(transport);
    const abort = new AbortController();
    const called = run(session, { signal: abort.signal });
    called.catch(() => {});
    for (let ms = 0; ms < 1000; ms += 10) await clock.tick(10);
    const asked = transport.requests('tasks/get').length;
    assert.ok(asked >= 8 && asked <= 10, `${asked} times in a second`);
    abort.abort();
    await settled();
  });

  it('is not asked about at once where the pace is longer than a timer can be', async () => {
    const transport = taskServer([{ status: 'completed' }], {
      'tools/call': () => ({ task: { taskId: 't1', status: 'working', pollInterval: 2 ** 31 } }),
    });
    const session = await openScripted(transport);
    const called = run(session);
    await transport.request('tools/call');
    await clock.tick(60 * 60_000 - 1);
    assert.deepEqual(methods(transport), ['tools/call']);
    await clock.tick(1);
    assert.deepEqual(await called, { content: [{ type: 'text', text: 'done' }] });
  });

  it('passes on what the server says of it', async () => {
    const transport = taskServer([
      { status: 'working', statusMessage: 'half', pollInterval: 100 },
      { status: 'completed' },
    ]);
    const session = await openScripted(transport);
    const heard: Progress[] = [];
    const called = run(session, { onProgress: (one) => heard.push(one) });
    await transport.request('tools/call');
    await clock.tick(500);
    await clock.tick(100);
    await called;
    assert.deepEqual(
      heard.map(({ message }) => message),
      ['half'],
    );
  });

  it('passes on the progress of the whole task, which bears the token of its creation', async () => {
    const transport = taskServer([{ status: 'working' }, { status: 'completed' }]);
    const session = await openScripted(transport);
    const heard: number[] = [];
    const called = run(session, { onProgress: (one) => heard.push(one.progress) });
    const creation = await transport.request('tools/call');
    const { progressToken } = (creation.params ?? {})['_meta'] as Record<string, unknown>;
    const report = (progress: number) => {
      const method = 'notifications/progress';
      transport.receive({ method, params: { progressToken, progress, total: 3 } });
    };
    await settled();
    report(1);
    await clock.tick(500);
    report(2);
    await clock.tick(1000);
    await called;
    report(3);
    assert.deepEqual(heard, [1, 2]);
  });

  it('that waits for the user says what for, in place of what it last did', async () => {
    const half = { status: 'working', statusMessage: 'half', pollInterval: 100 };
    const waits = { status: 'input_required', statusMessage: 'which city?', pollInterval: 100 };
    const over = { status: 'completed', statusMessage: 'is over' };
    const transport = taskServer([half, waits, over]);
    const heard: unknown[] = [];
    const session = await openScripted(transport);
    const called = run(session, { onProgress: ({ message }) => heard.push(message) });
    await transport.request('tools/call');
    for (let step = 0; step < 6; step += 1) await clock.tick(100);
    assert.deepEqual(await called, { content: [{ type: 'text', text: 'done' }] });
    assert.deepEqual(heard, ['half', 'which city?']);
  });

  it('that waits for the user without words is said to, and to work once it does again', async () => {
    const half = { status: 'working', statusMessage: 'half', pollInterval: 100, ttl: 60_000 };
    const waits = { status: 'input_required', pollInterval: 100 };
    const answered = deferred<unknown>();
    const transport = taskServer([half, waits, { status: 'working', pollInterval: 100 }], {
      'tasks/result': () => answered.promise,
    });
    const heard: unknown[] = [];
    const states: TaskFacts[] = [];
    const session = await openScripted(transport);
    const called = run(session, {
      onProgress: ({ message }) => heard.push(message),
      onTaskState: (state) => states.push(state),
    });
    await transport.request('tools/call');
    await clock.tick(500);
    for (let step = 0; step < 3; step += 1) await clock.tick(100);
    assert.deepEqual(heard, ['half', 'Input required', 'Working']);
    assert.deepEqual(states[1], { status: 'working', message: 'half', pollMs: 100, ttlMs: 60_000 });
    assert.equal(states.at(-1)?.status, 'working');
    answered.resolve({ content: [{ type: 'text', text: 'done' }] });
    await called;
    const asked = transport.requests('tasks/get').length;
    await clock.tick(1000);
    assert.equal(transport.requests('tasks/get').length, asked);
  });

  it('that waits for the user has until the ceiling, and is then cancelled', async () => {
    const transport = taskServer([{ status: 'input_required' }], {
      'tasks/result': () => new Promise(() => {}),
    });
    const session = await openScripted(transport);
    const called = run(session);
    const failed = assert.rejects(called, DeadlineError);
    await transport.request('tools/call');
    await clock.tick(500);
    await transport.request('tasks/result');
    await clock.tick(4999);
    assert.deepEqual(transport.requests('tasks/cancel'), []);
    await clock.tick(1);
    await failed;
    assert.equal(transport.requests('tasks/cancel').length, 1);
  });

  const early: readonly [what: string, answer: () => unknown][] = [
    ['nothing', () => ({})],
    ['the state of the task', () => ({ taskId: 't1', status: 'input_required' })],
    [
      'an error',
      () => {
        throw new ScriptedError(-32602, 'The task is not over');
      },
    ],
  ];
  for (const [what, answer] of early)
    for (const status of ['input_required', 'queued'])
      it(`in the state ${status} is asked about until it is over where its result is ${what} before`, async () => {
        const over = { status: 'completed' };
        const open = { status, pollInterval: 100 };
        let results = 0;
        const transport = taskServer([open, open, open, over], {
          'tasks/result': () => {
            results += 1;
            return results === 1 ? answer() : { content: [{ type: 'text', text: 'done' }] };
          },
        });
        const called = run(await openScripted(transport));
        await transport.request('tools/call');
        await clock.tick(500);
        for (let step = 0; step < 3; step += 1) await clock.tick(100);
        assert.deepEqual(await called, { content: [{ type: 'text', text: 'done' }] });
        assert.equal(results, 2);
        assert.deepEqual(transport.requests('tasks/cancel'), []);
      });

  it('that is over fails with what its result fails with', async () => {
    const transport = taskServer([{ status: 'failed' }], {
      'tasks/result': () => {
        throw new ScriptedError(-32603, 'The disk is full');
      },
    });
    const called = run(await openScripted(transport));
    const failed = assert.rejects(called, /The disk is full/);
    await transport.request('tools/call');
    await clock.tick(500);
    await failed;
  });

  for (const [what, state, result] of [
    ['that of another id', { taskId: 't2', status: 'completed' }, {}],
    ['that of another time', { status: 'completed', createdAt: '2026-01-02' }, {}],
    [
      'the result of another one',
      { status: 'completed' },
      { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't2' } } },
    ],
  ] as const)
    it(`ends with a sentence where it is answered with ${what}`, async () => {
      const createdAt = '2026-01-01';
      const transport = taskServer([state], {
        'tools/call': () => ({ task: { taskId: 't1', status: 'working', createdAt } }),
        'tasks/result': () => ({ content: [], ...result }),
      });
      const called = assert.rejects(run(await openScripted(transport)), /another/);
      await transport.request('tools/call');
      await clock.tick(1000);
      await called;
    });

  it('is refused where it is the task of another call', async () => {
    const session = await openScripted(taskServer([{ status: 'completed' }]));
    const tasks = new TaskCalls({ send: (request) => request(session), session: () => session });
    const coreTask = { taskId: 't1', status: 'completed' };
    await tasks.finish({ coreTask });
    await assert.rejects(tasks.finish({ coreTask }), /with the task of another one/);
  });

  it('is answered at once where the server made no task of it', async () => {
    const transport = taskServer([], { 'tools/call': () => ({ content: [] }) });
    const session = await openScripted(transport);
    assert.deepEqual(await run(session), { content: [] });
  });

  it('fails where the server cancelled it', async () => {
    const transport = taskServer([{ status: 'cancelled' }]);
    const session = await openScripted(transport);
    const called = run(session);
    const failed = assert.rejects(called, /server cancelled the task/);
    await transport.request('tools/call');
    await clock.tick(500);
    await failed;
  });

  it('is cancelled on the server when the call is withdrawn', async () => {
    const transport = taskServer([{ status: 'working' }]);
    const session = await openScripted(transport);
    const abort = new AbortController();
    const called = run(session, { signal: abort.signal });
    const failed = assert.rejects(called, CancelledError);
    await transport.request('tools/call');
    await settled();
    abort.abort();
    await failed;
    const { params: cancelled } = await transport.request('tasks/cancel');
    assert.equal(cancelled?.['taskId'], 't1');
  });

  it('is withdrawn with the withdrawal, whatever the server says to its end', async () => {
    const transport = taskServer([{ status: 'working' }], {
      'tasks/cancel': () => new Promise(() => {}),
    });
    const session = await openScripted(transport);
    const abort = new AbortController();
    const called = run(session, { signal: abort.signal });
    await transport.request('tools/call');
    await settled();
    abort.abort();
    await assert.rejects(called, CancelledError);
  });
});
