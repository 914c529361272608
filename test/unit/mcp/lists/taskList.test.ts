import assert from 'node:assert/strict';
import { listTasks, maxListedTasks } from '../../../../src/mcp/lists/taskList';
import type { Script } from '../../../support/fakes/scriptedTransport';
import { legacyServer, modernServer, openScripted } from '../scriptedSession';

const capabilities = { tasks: { list: {} } };
const open = (list: Script) =>
  openScripted(legacyServer({ capabilities, scripts: { 'tasks/list': list } }));

describe('the list of the tasks of a server', () => {
  it('has all of its pages, and what can be told of each', async () => {
    const session = await open(({ cursor }) =>
      cursor === 'b'
        ? { tasks: [{ taskId: 't2', status: 'completed' }] }
        : {
            tasks: [
              {
                taskId: 't1',
                status: 'working',
                statusMessage: 'half',
                createdAt: '2025-11-25T00:00:00Z',
              },
            ],
            nextCursor: 'b',
          },
    );
    const { items, problems } = await listTasks(session);
    assert.deepEqual(items[0], {
      handle: { id: 't1', startedAt: Date.parse('2025-11-25T00:00:00Z'), isCore: true },
      status: 'working',
      message: 'half',
      createdAt: Date.parse('2025-11-25T00:00:00Z'),
    });
    assert.equal(items[1]?.status, 'completed');
    assert.deepEqual(problems, []);
  });

  it('leaves out what is no task, with a sentence', async () => {
    const good = { taskId: 't1', status: 'paused' };
    const session = await open(() => ({
      tasks: [null, {}, { taskId: '' }, { taskId: 'x'.repeat(5000) }, { taskId: 'a' }, good, good],
    }));
    const { items, problems } = await listTasks(session);
    assert.deepEqual(
      items.map(({ handle }) => handle.id),
      ['t1'],
    );
    assert.equal(problems.length, 6);
  });

  it('is cut after a thousand', async () => {
    const tasks = Array.from({ length: maxListedTasks + 1 }, (_, index) => ({
      taskId: `t${index}`,
      status: 'working',
    }));
    const session = await open(() => ({ tasks }));
    assert.equal((await listTasks(session)).items.length, maxListedTasks);
  });

  it('is not asked for where there is none', async () => {
    for (const transport of [legacyServer({}), modernServer({ capabilities })]) {
      const session = await openScripted(transport);
      await assert.rejects(listTasks(session), /does not list them/);
      assert.deepEqual(transport.requests('tasks/list'), []);
    }
  });
});
