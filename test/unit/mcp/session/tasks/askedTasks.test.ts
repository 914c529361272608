import assert from 'node:assert/strict';
import { deferred, neverAborted } from '../../../../../src/base/async';
import { asRecord, type JsonRecord } from '../../../../../src/base/json';
import { inEnglish } from '../../../../../src/base/translate';
import {
  RequestRefused,
  type ElicitRequest,
  type ElicitResult,
  type ServerRequestHandlers,
} from '../../../../../src/mcp/protocol/serverRequests';
import {
  clientCapabilities,
  createRequestRouter,
  createTaskRouter,
  maxAskedTaskBytes,
  maxAskedTaskReason,
  maxAskedTasks,
  maxOpenRequests,
} from '../../../../../src/mcp/session/requestRouter';
import { useFakeClock } from '../../../../support/fakes/fakeClock';

const server = { id: 'one', name: 'One' };

describe('a question that is answered as a task', () => {
  const clock = useFakeClock();
  const form = { message: 'Who?', requestedSchema: {} };
  const working = { status: 'working', pollInterval: 1000 };

  /** Creates what answers tasks, where the user answers with `elicit`, and what the server is told of them. */
  function serve(elicit: Required<ServerRequestHandlers>['elicit']) {
    const requests = { elicit };
    const told: JsonRecord[] = [];
    const noted: string[] = [];
    const over = new AbortController();
    const answer = createTaskRouter(
      createRequestRouter(server, requests),
      clientCapabilities(requests, 'legacy'),
      {
        run: (work) => work(over.signal),
        tell: (state) => told.push(state),
        note: (what) => noted.push(what(inEnglish)),
      },
    );
    const send = (method: string, params: JsonRecord = {}, until = neverAborted()) =>
      answer(method, params, until);
    const begin = async (task: unknown = {}) =>
      asRecord(asRecord(await send('elicitation/create', { ...form, task }))['task']);
    const of = (method: string, { taskId }: JsonRecord) => send(method, { taskId });
    const ended = async (count: number) => {
      while (told.length < count) await clock.tick(0);
    };
    return { told, noted, over, send, begin, of, ended };
  }

  it('has a task at once, whose state and answer the server asks for', async () => {
    const given = deferred<ElicitResult>();
    const asked: ElicitRequest[] = [];
    const { begin, of, send, told, ended } = serve((_server, request) => {
      asked.push(request);
      return given.promise;
    });
    const task = await begin({ ttl: 60_000 });
    assert.match(String(task['taskId']), /^[0-9a-f-]{36}$/);
    const at = new Date(1_000_000_000_000).toISOString();
    const state = { taskId: task['taskId'], ttl: 60_000, createdAt: at };
    assert.deepEqual(task, { ...state, ...working, lastUpdatedAt: at });
    const fetched = of('tasks/result', task);
    await clock.tick(500);
    assert.deepEqual(await of('tasks/get', task), task);
    assert.deepEqual(await send('tasks/list'), { tasks: [task] });
    given.resolve({ action: 'accept', content: { name: 'Ada' } });
    const related = { 'io.modelcontextprotocol/related-task': { taskId: task['taskId'] } };
    assert.deepEqual(await fetched, {
      action: 'accept',
      content: { name: 'Ada' },
      _meta: related,
    });
    await ended(1);
    const lastUpdatedAt = new Date(1_000_000_000_500).toISOString();
    const completed = { ...task, status: 'completed', lastUpdatedAt };
    assert.deepEqual([told, await of('tasks/get', task)], [[completed], completed]);
    assert.equal((await of('tasks/result', task))['action'], 'accept');
    assert.deepEqual(asked, [{ mode: 'form', message: 'Who?', requestedSchema: {} }]);
  });

  it('fails as the question does, in the words of its error', async () => {
    const refusal = new RequestRefused('The user said no.');
    const { begin, of, told, ended } = serve(() => Promise.reject(refusal));
    const task = await begin();
    await ended(1);
    assert.deepEqual(
      [told[0]?.['status'], told[0]?.['statusMessage'], task['ttl']],
      ['failed', 'The user said no.', null],
    );
    await assert.rejects(of('tasks/result', task), { code: -1, message: /said no/ });
  });

  it('fails for a reason of a bounded length, whatever that quotes, without its causes', async () => {
    const reasons = ['r'.repeat(5000), 'No.'];
    const { begin, send, told, ended } = serve(() =>
      Promise.reject(new Error(reasons.shift(), { cause: new Error('of this machine') })),
    );
    await begin();
    await ended(1);
    await begin();
    await ended(2);
    const mode = 'm'.repeat(5000);
    await send('elicitation/create', { ...form, mode, task: {} });
    await ended(3);
    const [long = '', ...others] = told.map(({ statusMessage }) => String(statusMessage));
    assert.equal(long.length, maxAskedTaskReason);
    assert.deepEqual(others, ['No.', `The request of mode ${'m'.repeat(99)}… is incomplete.`]);
  });

  it('is withdrawn when the server cancels the task, which then stays cancelled', async () => {
    const withdrawn: unknown[] = [];
    const given = deferred<ElicitResult>();
    const { begin, of, told } = serve((_server, _request, asked) => {
      asked.addEventListener('abort', () => withdrawn.push(asked.reason));
      return given.promise;
    });
    const task = await begin();
    const fetched = assert.rejects(of('tasks/result', task), {
      code: -32603,
      message: /cancelled/,
    });
    while (withdrawn.length === 0) {
      await clock.tick(0);
      if ((await of('tasks/get', task))['status'] === 'working') await of('tasks/cancel', task);
    }
    given.resolve({ action: 'accept' });
    await fetched;
    assert.deepEqual([(await of('tasks/get', task))['status'], told], ['cancelled', []]);
    await assert.rejects(of('tasks/cancel', task), { code: -32602, message: /cancelled/ });
  });

  it('is withdrawn when the connection ends, or nobody waits for it any more', async () => {
    const reasons: unknown[] = [];
    const { begin, over, told, ended } = serve(async (_server, _request, asked) => {
      await new Promise((resolve) => asked.addEventListener('abort', resolve));
      reasons.push(asked.reason);
      throw new RequestRefused('Withdrawn.');
    });
    await begin();
    await clock.tick(0);
    over.abort('gone');
    await ended(1);
    assert.deepEqual([reasons, told[0]?.['status']], [['gone'], 'failed']);
  });

  it('is withdrawn, and no longer known, once the time is over for which the server wants it', async () => {
    const names: unknown[] = [];
    const { begin, of, send, ended } = serve(async (_server, _request, asked) => {
      await new Promise((resolve) => asked.addEventListener('abort', resolve));
      names.push((asked.reason as Error).name);
      throw new RequestRefused('Too late.');
    });
    const task = await begin({ ttl: 1000 });
    await clock.tick(999);
    assert.equal((await of('tasks/get', task))['status'], 'working');
    await clock.tick(1);
    await ended(1);
    assert.deepEqual(names, ['TimeoutError']);
    await assert.rejects(of('tasks/get', task), { code: -32602 });
    assert.deepEqual(await send('tasks/list'), { tasks: [] });
  });

  it('is answered at once where the server wants no task, or one of what is never one', async () => {
    const { send } = serve(() => Promise.resolve({ action: 'decline' }));
    assert.deepEqual(await send('elicitation/create', form), { action: 'decline' });
    await assert.rejects(send('sampling/createMessage', { task: {} }), { code: -32601 });
    await assert.rejects(send('roots/list', { task: {} }), { code: -32601 });
  });

  it('is one where the task is an empty list, which is told', async () => {
    const { begin, noted } = serve(() => Promise.resolve({ action: 'decline' }));
    assert.equal((await begin([]))['status'], 'working');
    assert.deepEqual(noted, [
      'In its request elicitation/create, "task" is an empty list: it is read as an empty object.',
    ]);
  });

  for (const params of [{}, { taskId: 7 }, { taskId: 'other' }])
    it(`is not known by ${JSON.stringify(params)}`, async () => {
      const { begin, send } = serve(() => Promise.resolve({ action: 'decline' }));
      await begin();
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
        await assert.rejects(send(method, params), { code: -32602 });
    });

  it('is kept with the latest hundred that are finished, whatever is under way', async () => {
    const open = deferred<ElicitResult>();
    let asked = 0;
    const { begin, send, ended } = serve(() =>
      (asked += 1) === 1 ? open.promise : Promise.resolve({ action: 'decline' }),
    );
    const all = [await begin()];
    await clock.tick(0);
    for (let index = 0; index <= maxAskedTasks; index += 1) {
      all.push(await begin());
      await ended(index + 1);
    }
    const { tasks } = await send('tasks/list');
    assert.deepEqual(
      (tasks as readonly JsonRecord[]).map(({ taskId }) => taskId),
      [all[0], ...all.slice(2)].map((task) => task?.['taskId']),
    );
  });

  it('is kept while the answers have room, and the latest one always', async () => {
    const text = 'x'.repeat(maxAskedTaskBytes / 2);
    const { begin, of, ended } = serve(() =>
      Promise.resolve({ action: 'accept', content: { text } }),
    );
    const first = await begin();
    await ended(1);
    const second = await begin();
    await ended(2);
    await assert.rejects(of('tasks/result', first), { code: -32602 });
    assert.equal((await of('tasks/result', second))['action'], 'accept');
  });

  it('is refused while too many are asked for their answers', async () => {
    const { begin, of } = serve(() => deferred<ElicitResult>().promise);
    const task = await begin();
    for (let index = 0; index < maxOpenRequests; index += 1) void of('tasks/result', task);
    await assert.rejects(of('tasks/result', task), { code: -32603 });
  });

  it('is waited for no longer by requests that the server has given up', async () => {
    const { begin, of, send } = serve(() => deferred<ElicitResult>().promise);
    const { taskId } = await begin();
    const until = Array.from({ length: maxOpenRequests }, () => new AbortController());
    const given = until.map((one) =>
      assert.rejects(send('tasks/result', { taskId }, one.signal), { message: 'enough' }),
    );
    for (const one of until) one.abort(new Error('enough'));
    await Promise.all(given);
    assert.equal((await of('tasks/get', { taskId }))['status'], 'working');
  });
});
