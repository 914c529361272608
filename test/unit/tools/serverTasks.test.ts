import assert from 'node:assert/strict';
import { deferred } from '../../../src/base/async';
import type { ToolOutcome } from '../../../src/contracts/toolCalls';
import { RunningCalls } from '../../../src/gate/send/runningCalls';
import type { ListedTask } from '../../../src/mcp/lists/taskList';
import type { Server } from '../../../src/mcp/server';
import { taskRows } from '../../../src/tools/run/serverTasks';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { schemaCheck } from '../../support/schemaChecks';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { byUser } from '../../../src/ui/questions/question';

const startedAt = Date.now() - 90_000;
const task = (id: string, status: string, message?: string): ListedTask => ({
  handle: { id, startedAt, isCore: true },
  status,
  ...(message !== undefined && { message }),
});

describe('the tasks that a server lists', () => {
  let picks: WatchedPicks;
  let running: RunningCalls;
  let shown: ToolOutcome[];
  let cancelled: string[];

  beforeEach(() => {
    picks = watchPicks();
    shown = [];
    cancelled = [];
    running = new RunningCalls();
  });
  afterEach(() => {
    picks.dispose();
    running.dispose();
  });

  const capabilities = { tasks: { list: {} } };
  const serverWith = (items: readonly ListedTask[], problems: readonly string[] = []): Server => {
    const server = fakeServer();
    server.become({ kind: 'running', info: { protocolVersion: '2025-11-25', capabilities } });
    return Object.assign(server, {
      listTasks: () => Promise.resolve({ items, problems }),
      cancelTask: async ({ id }: ListedTask['handle']) => void cancelled.push(id),
    });
  };
  const open = (...servers: readonly Server[]) =>
    running.show(
      byUser(),
      taskRows(fakeServers(...servers), {
        running,
        schemas: schemaCheck(),
        questions: { stillBy: (action) => action },
        outcomes: { show: async (_call, outcome) => void shown.push(outcome) },
      }),
    );

  it('are a row below what runs, of servers that have a list alone', async () => {
    const done = open(serverWith([]), fakeServer({ name: 'without' }));
    const list = await picks.next(/^Running Tools$/);
    assert.deepEqual(list.labels, ['Run MCP Tool…', 'Tasks of demo…']);
    list.choose('Tasks of demo…');
    const none = await picks.next(/^Tasks of demo$/);
    assert.deepEqual(none.labels, ['The server has no tasks']);
    none.accept();
    await done;
  });

  it('show the result of one that is over', async () => {
    const done = open(serverWith([task('t1', 'completed')], ['A task was left out.']));
    (await picks.next(/^Running Tools$/)).choose('Tasks of demo…');
    const list = await picks.next(/^Tasks of demo$/);
    assert.deepEqual(list.labels, ['t1', 'A task was left out.']);
    assert.match(list.pick.placeholder ?? '', /^Choose a task/);
    assert.match(list.pick.items[0]?.description ?? '', /^completed · \d+ min$/);
    list.choose('t1');
    (await picks.next(/^demo › task t1$/)).choose('Show Result');
    await done;
    assert.deepEqual(
      shown.map(({ kind }) => kind),
      ['result'],
    );
  });

  it('cancel one that runs, whoever it is for', async () => {
    const done = open(serverWith([task('t2', 'working', 'half')]));
    (await picks.next(/^Running Tools$/)).choose('Tasks of demo…');
    (await picks.next(/^Tasks of demo$/)).choose('t2');
    const what = await picks.next(/^demo › task t2$/);
    assert.deepEqual(what.labels, ['Wait for Its Result', 'Cancel Task']);
    what.choose('Cancel Task');
    await done;
    assert.deepEqual(cancelled, ['t2']);
  });

  it('wait for one that runs, which is listed from then on', async () => {
    const ends = deferred<never>();
    const server = Object.assign(serverWith([task('t3', 'working')]), {
      followTask: () => ends.promise,
    });
    const done = open(server);
    (await picks.next(/^Running Tools$/)).choose('Tasks of demo…');
    (await picks.next(/^Tasks of demo$/)).choose('t3');
    (await picks.next(/^demo › task t3$/)).choose('Wait for Its Result');
    await done;
    const again = open(server);
    const list = await picks.next(/^Running Tools$/);
    assert.equal(list.labels[0], 'demo › task t3');
    list.choose('Tasks of demo…');
    await (await picks.next(/^Tasks of demo$/)).leave();
    await again;
  });
});
