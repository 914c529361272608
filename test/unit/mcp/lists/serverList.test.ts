import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import { listSpecs } from '../../../../src/mcp/lists/listSpecs';
import { ServerList } from '../../../../src/mcp/lists/serverList';
import type { Tool } from '../../../../src/mcp/protocol/types';
import { settled, useFakeClock } from '../../../support/fakes/fakeClock';

const tool = (name: string): Tool => ({ name, inputSchema: { type: 'object' } });

/** Creates a list and a server for it whose answers a test can delay, fail or change. */
function open() {
  const list = new ServerList(listSpecs.tools);
  const server = {
    requests: 0,
    tools: [tool('one')] as readonly unknown[],
    error: undefined as Error | undefined,
    ttlMs: undefined as number | undefined,
    hold: undefined as Promise<void> | undefined,
  };
  const request = async () => {
    server.requests += 1;
    const { tools, error, ttlMs } = server;
    await server.hold;
    if (error) throw error;
    return { tools, ttlMs };
  };
  const seen: string[] = [];
  list.onDidChange(() => seen.push(`${list.status} ${list.items.length}`));
  return { list, server, request, seen, names: () => list.items.map(({ name }) => name) };
}

describe('a list of a server', () => {
  const clock = useFakeClock();

  it('is empty at first', () => {
    const { list } = open();
    assert.deepEqual([list.status, list.items, list.problems], ['empty', [], []]);
    assert.equal(list.error, undefined);
  });

  it('announces that it loads and that it is there', async () => {
    const { list, request, seen, names } = open();
    list.attach(request);
    await list.refresh();
    assert.deepEqual(names(), ['one']);
    assert.deepEqual(seen, ['loading 0', 'loaded 1']);
  });

  for (const [kind, seen] of [
    ['resources', ['loading 0', 'loading 1', 'loaded 3']],
    ['resourceTemplates', ['loading 0', 'loaded 3']],
  ] as const)
    it(`of ${kind} announces ${seen.join(', ')} while its pages arrive`, async () => {
      const list = new ServerList<unknown>(listSpecs[kind]);
      const announced: string[] = [];
      list.onDidChange(() => announced.push(`${list.status} ${list.items.length}`));
      list.attach(async (_method, { cursor = 0 }) => {
        // The first page takes long enough to be shown; the second comes too soon after it.
        await clock.tick(cursor === 0 ? 100 : 99);
        const entry = { name: 'x', uri: `x://${String(cursor)}`, uriTemplate: 'x://{y}' };
        const next = Number(cursor) + 1;
        return { [listSpecs[kind].field]: [entry], ...(next < 3 && { nextCursor: String(next) }) };
      });
      await list.refresh();
      assert.deepEqual(announced, seen);
    });

  it('that grew is empty again when a page fails', async () => {
    const list = new ServerList(listSpecs.resources);
    list.attach(async (_method, { cursor }) => {
      await clock.tick(100);
      if (cursor) throw new Error('the second page');
      return { resources: [{ uri: 'x://1', name: 'x' }], nextCursor: 'y' };
    });
    await list.refresh();
    assert.deepEqual([list.status, list.items, list.error], ['failed', [], 'the second page']);
  });

  it('tells what was dropped on the way', async () => {
    const { list, server, request } = open();
    server.tools = [tool('one'), null];
    list.attach(request);
    await list.refresh();
    assert.equal(list.problems.length, 1);
    server.tools = [tool('one')];
    await list.refresh();
    assert.deepEqual(list.problems, []);
  });

  it('is asked for once by all who refresh at the same time, and once more afterwards', async () => {
    const { list, server, request } = open();
    const gate = deferred<void>();
    server.hold = gate.promise;
    list.attach(request);
    const all = [list.refresh(), list.refresh(), list.refresh()];
    server.tools = [tool('newer')];
    gate.resolve();
    await Promise.all(all);
    assert.equal(server.requests, 1);
    await clock.tick(50);
    assert.equal(server.requests, 2);
    assert.deepEqual(
      list.items.map(({ name }) => name),
      ['newer'],
    );
    await clock.tick(10_000);
    assert.equal(server.requests, 2);
  });

  it('is asked for once after 1,000 notifications at once', async () => {
    const { list, server, request } = open();
    list.attach(request);
    await list.refresh();
    for (let count = 0; count < 1000; count += 1) list.invalidate();
    await clock.tick(10_000);
    assert.equal(server.requests, 2);
  });

  it('is asked for once after 1,000 notifications in one second', async () => {
    const { list, server, request } = open();
    list.attach(request);
    await list.refresh();
    for (let count = 0; count < 1000; count += 1) {
      list.invalidate();
      await clock.tick(1);
    }
    await clock.tick(10_000);
    assert.equal(server.requests, 2);
  });

  it('still follows a storm that never ends, every two seconds or so', async () => {
    const { list, server, request } = open();
    list.attach(request);
    await list.refresh();
    for (let count = 0; count < 2000; count += 1) {
      list.invalidate();
      await clock.tick(10);
    }
    assert.ok(server.requests >= 8 && server.requests <= 12, `${server.requests} requests in 20 s`);
  });

  it('is asked for ever less often by a server that announces a change with each answer', async () => {
    const { list, server, request } = open();
    list.attach(async () => {
      const answer = await request();
      list.invalidate();
      return answer;
    });
    await list.refresh();
    for (let ms = 0; ms < 60_000; ms += 50) await clock.tick(50);
    assert.ok(server.requests >= 30 && server.requests <= 36, `${server.requests} in a minute`);
    server.requests = 0;
    list.attach(request);
    await clock.tick(5000);
    list.invalidate();
    await clock.tick(50);
    assert.equal(server.requests, 1);
  });

  it('takes up a notification that comes while it loads', async () => {
    const { list, server, request, names } = open();
    const gate = deferred<void>();
    server.hold = gate.promise;
    list.attach(request);
    const first = list.refresh();
    list.invalidate();
    await clock.tick(50);
    server.tools = [tool('newer')];
    gate.resolve();
    await first;
    await clock.tick(50);
    assert.deepEqual(names(), ['newer']);
  });

  it('keeps its last good entries when a refresh fails, and says why', async () => {
    const { list, server, request, names, seen } = open();
    list.attach(request);
    await list.refresh();
    server.error = new Error('The database is away');
    await list.refresh();
    assert.deepEqual(names(), ['one']);
    assert.equal(list.status, 'stale');
    assert.equal(list.error, 'The database is away');
    assert.equal(seen.at(-1), 'stale 1');
    server.error = undefined;
    await list.refresh();
    assert.equal(list.status, 'loaded');
    assert.equal(list.error, undefined);
  });

  it('has failed, and says why, when the first load fails', async () => {
    const { list, server, request } = open();
    server.error = new Error('The database is away');
    list.attach(request);
    await list.refresh();
    assert.deepEqual([list.status, list.error], ['failed', 'The database is away']);
  });

  it('shows what was known before until the server was asked', async () => {
    const { list, request, names, seen } = open();
    list.restore([tool('old'), tool('older')]);
    assert.deepEqual([list.status, names()], ['cached', ['old', 'older']]);
    list.attach(request);
    await list.refresh();
    assert.deepEqual([list.status, names()], ['loaded', ['one']]);
    assert.deepEqual(seen, ['cached 2', 'loading 2', 'loaded 1']);
  });

  it('does not go back to what was known before once it was loaded', async () => {
    const { list, request, names } = open();
    list.attach(request);
    await list.refresh();
    list.restore([tool('old')]);
    assert.deepEqual(names(), ['one']);
  });

  it('stays as it was when the session ends, and asks nobody', async () => {
    const { list, server, request, names } = open();
    list.attach(request);
    await list.refresh();
    list.invalidate();
    list.attach(undefined);
    await clock.tick(10_000);
    await list.refresh();
    list.invalidate();
    await clock.tick(10_000);
    assert.equal(server.requests, 1);
    assert.deepEqual([list.status, names()], ['cached', ['one']]);
  });

  it('drops the answer of a session that ended meanwhile', async () => {
    const { list, server, request, names } = open();
    list.attach(request);
    await list.refresh();
    const gate = deferred<void>();
    server.hold = gate.promise;
    server.tools = [tool('of the old session')];
    const late = list.refresh();
    await settled();
    list.attach(undefined);
    gate.resolve();
    await late;
    assert.deepEqual([list.status, names()], ['cached', ['one']]);
  });

  it('drops the failure of a session that ended meanwhile', async () => {
    const { list, server, request } = open();
    list.attach(request);
    await list.refresh();
    const gate = deferred<void>();
    server.hold = gate.promise;
    server.error = new Error('closed');
    const late = list.refresh();
    await settled();
    list.attach(undefined);
    gate.resolve();
    await late;
    assert.deepEqual([list.status, list.error], ['cached', undefined]);
  });

  it('loads from the new session at once, though the old one has not answered', async () => {
    const { list, server, request, names } = open();
    const gate = deferred<void>();
    server.hold = gate.promise;
    server.tools = [tool('of the old session')];
    list.attach(request);
    const late = list.refresh();
    await settled();
    list.attach(undefined);
    server.hold = undefined;
    server.tools = [tool('of the new session')];
    list.attach(() => request());
    await list.refresh();
    assert.deepEqual([list.status, names()], ['loaded', ['of the new session']]);
    gate.resolve();
    await late;
    await clock.tick(10_000);
    assert.deepEqual(names(), ['of the new session']);
  });

  it('is no more when the server says that it has none', async () => {
    const { list, request } = open();
    list.restore([tool('old')]);
    list.attach(request);
    list.clear();
    assert.deepEqual([list.status, list.items], ['empty', []]);
  });

  it('refreshes only after its time is over', async () => {
    const { list, server, request } = open();
    server.ttlMs = 5000;
    list.attach(request);
    await list.refresh();
    await clock.tick(4999);
    list.refreshExpired();
    await settled();
    assert.equal(server.requests, 1);
    await clock.tick(1);
    list.refreshExpired();
    await settled();
    assert.equal(server.requests, 2);
  });

  it('never expires without a time', async () => {
    const { list, server, request } = open();
    list.attach(request);
    await list.refresh();
    await clock.tick(1e12);
    list.refreshExpired();
    await settled();
    assert.equal(server.requests, 1);
  });

  it('leaves no timer behind when it is disposed', async () => {
    const { list, server, request } = open();
    list.attach(request);
    await list.refresh();
    list.invalidate();
    list.dispose();
    await clock.tick(10_000);
    assert.equal(server.requests, 1);
  });
});
