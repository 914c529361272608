import assert from 'node:assert/strict';
import type { JsonRecord } from '../../../../../src/base/json';
import { maxKnownTasks, TaskCalls } from '../../../../../src/mcp/session/tasks/taskCalls';
import { maxTaskIdLength, type TaskHandle } from '../../../../../src/mcp/session/tasks/taskState';
import { modernServer, openScripted } from '../../scriptedSession';

const result = { content: [{ type: 'text', text: 'done' }] };

/** Creates the tasks of a server on which every task is completed when asked about. */
async function open(scripts: Parameters<typeof modernServer>[0] = {}) {
  const transport = modernServer({
    scripts: {
      'tasks/get': ({ taskId }) => ({ taskId, status: 'completed', result }),
      ...scripts.scripts,
    },
  });
  const session = await openScripted(transport);
  const calls = new TaskCalls({ send: (request) => request(session), session: () => session });
  return { calls, session, transport };
}

const taskAnswer = (taskId: unknown): JsonRecord => ({
  resultType: 'task',
  taskId,
  status: 'working',
});
const created = (taskId: unknown) => ({ answer: taskAnswer(taskId) });

describe('the answer to a call', () => {
  it('is its result where it is no task', async () => {
    const { calls, transport } = await open();
    assert.deepEqual(await calls.finish({ answer: result }), result);
    assert.deepEqual(transport.requests('tasks/get'), []);
  });

  it('is followed where it is a task, which is announced first', async () => {
    const { calls } = await open();
    const tasks: TaskHandle[] = [];
    const ended = await calls.finish(created('t1'), { onTask: (task) => tasks.push(task) });
    assert.deepEqual(ended, result);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['t1'],
    );
  });

  it('is refused where it is the task of another call', async () => {
    const { calls } = await open();
    await calls.finish(created('t1'));
    await assert.rejects(calls.finish(created('t1')), /with the task of another one/);
    const later = calls.follow({ id: 't2', startedAt: Date.now() });
    await assert.rejects(calls.finish(created('t2')), /with the task of another one/);
    await later;
  });

  for (const [what, id] of [
    ['no id', undefined],
    ['a number for an id', 7],
    ['an empty id', ''],
    ['an endless id', 'x'.repeat(maxTaskIdLength + 1)],
  ] as const)
    it(`is refused where it is a task with ${what}`, async () => {
      const { calls } = await open();
      await assert.rejects(calls.finish(created(id)), /has no usable id/);
    });

  it('is known by its id among the last ten thousand', async () => {
    const { calls } = await open();
    for (let index = 0; index <= maxKnownTasks; index += 1)
      await calls.finish(created(`t${index}`), {});
    await assert.rejects(calls.finish(created(`t${maxKnownTasks}`)), /of another one/);
    assert.deepEqual(await calls.finish(created('t0')), result);
  });

  it('may be a task for a call alone', async () => {
    const { session } = await open({
      scripts: { 'tools/call': () => taskAnswer('t1'), 'prompts/get': () => taskAnswer('t1') },
    });
    const call = await session.request('tools/call', {}, { acceptsTask: true });
    assert.equal(call['taskId'], 't1');
    await assert.rejects(session.request('prompts/get', {}), /unknown type "task"/);
  });
});
