import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import {
  type Baseline,
  type Comparison,
  SurfaceHistory,
} from '../../../src/development/surface/surfaceHistory';
import { deferred, nextTurn } from '../../../src/base/async';
import { surfaceOf } from '../../../src/development/surface/compareSurfaces';
import { sessionInfo, type ServerInfo } from '../../../src/mcp/serverState';
import type { Server } from '../../../src/mcp/server';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

function sessionOf({ state }: Server): ServerInfo {
  const info = sessionInfo(state);
  assert.ok(info);
  return info;
}

describe('the history of what a server says of itself', () => {
  const oldTools = [tool({ name: 'a' })];
  const newTools = [tool({ name: 'a', description: 'new' }), tool({ name: 'b' })];

  function follow(comparison: () => Comparison = () => 'previous') {
    const server = fakeServer({ tools: oldTools });
    const history = new SurfaceHistory(comparison, inEnglish);
    let starts = 0;
    history.onDidStart(() => (starts += 1));
    const following = history.follow(server);
    const restart = async (tools = server.tools.items) => {
      await history.compared;
      server.become('stopped');
      server.tools.set(tools, 'loaded');
      server.become('running');
      return history.compared;
    };
    const kinds = () => history.changes.map(({ kind, name }) => `${kind} ${name}`);
    return { server, history, following, restart, kinds, starts: () => starts };
  }

  it('has what is different after a restart, and keeps it until it is dismissed or undone', async () => {
    const { server, history, restart, kinds, starts } = follow();
    assert.equal(await restart(newTools), true);
    assert.deepEqual(kinds(), ['changed a', 'new b']);
    await restart();
    assert.deepEqual(kinds(), ['changed a', 'new b']);
    await restart(oldTools);
    assert.deepEqual(kinds(), []);
    await restart(newTools);
    await history.compareWith(undefined, server);
    assert.deepEqual(kinds(), []);
    await restart();
    assert.deepEqual(kinds(), []);
    await restart(oldTools);
    assert.deepEqual(kinds(), ['changed a', 'gone b']);
    assert.equal(starts(), 7);
  });

  it('keeps what was not dismissed where nothing is compared any more', async () => {
    let comparison: Comparison = 'previous';
    const { restart, kinds } = follow(() => comparison);
    await restart(newTools);
    comparison = 'undismissed';
    await restart();
    assert.deepEqual(kinds(), ['changed a', 'new b']);
  });

  it('shows what a start alone changes where that is wanted, and keeps the rest if it fails', async () => {
    let comparison: Comparison = 'previous';
    const { server, restart, kinds } = follow(() => comparison);
    await restart(newTools);
    comparison = 'anew';
    server.become('stopped');
    server.become({ kind: 'failed', message: 'syntax error' });
    assert.deepEqual(kinds(), ['changed a', 'new b']);
    await restart(newTools.slice(0, 1));
    assert.deepEqual(kinds(), ['gone b']);
    comparison = 'previous';
    await restart();
    assert.deepEqual(kinds(), ['gone b']);
    comparison = 'anew';
    await restart();
    assert.deepEqual(kinds(), []);
  });

  const baseline: Baseline = {
    label: 'v1',
    surface: surfaceOf(fakeServer({ tools: oldTools }), sessionOf(fakeServer())),
  };

  it('compares with a baseline at once and after each start, wanted or not, until it is dismissed', async () => {
    const { server, history, restart, kinds } = follow(() => 'undismissed');
    await restart(newTools);
    await history.compareWith(baseline, server);
    assert.deepEqual(kinds(), ['changed a', 'new b']);
    await restart(oldTools);
    assert.deepEqual(kinds(), []);
    await restart(newTools);
    assert.deepEqual(kinds(), ['changed a', 'new b']);
    await history.compareWith(undefined, server);
    await restart();
    assert.deepEqual([kinds(), history.baseline], [[], undefined]);
  });

  it('compares with the baseline that was kept, unless the user said otherwise meanwhile', async () => {
    for (const [comparison, isDismissed] of [
      ['undismissed', false],
      ['undismissed', true],
      ['anew', false],
    ] as const) {
      const kept = deferred<Baseline | undefined>();
      const server = fakeServer({ tools: newTools });
      const history = new SurfaceHistory(
        () => comparison,
        inEnglish,
        () => kept.promise,
      );
      history.follow(server);
      await nextTurn();
      if (isDismissed) await history.compareWith(undefined, server);
      kept.resolve(baseline);
      await history.compared;
      assert.equal(history.changes.length, isDismissed ? 0 : 2);
    }
  });

  for (const endsBefore of [true, false])
    it(`compares no other server with one that was removed, whose session ends ${endsBefore ? 'before' : 'after'}`, async () => {
      const { history, following, kinds } = follow();
      await history.compared;
      if (endsBefore) following.dispose();
      await history.forget();
      following.dispose();
      history.follow(fakeServer({ tools: newTools }));
      assert.equal(await history.compared, false);
      assert.deepEqual(kinds(), []);
    });

  it('has nothing to compare the first start with', async () => {
    const { history, kinds } = follow();
    assert.equal(await history.compared, false);
    assert.deepEqual(kinds(), []);
  });

  it('compares with the last session that came up, whatever failed between', async () => {
    const { server, history, kinds } = follow();
    await history.compared;
    server.become({ kind: 'failed', message: 'syntax error' });
    server.become({ kind: 'starting' });
    server.become({ kind: 'failed', message: 'syntax error' });
    server.tools.set(newTools, 'loaded');
    server.become('running');
    await history.compared;
    assert.deepEqual(kinds(), ['changed a', 'new b']);
  });

  it('compares with the last session whose lists came in, not with one that ended before', async () => {
    const { server, history, kinds } = follow();
    await history.compared;
    server.become('stopped');
    server.tools.set(newTools, 'loaded');
    server.become('running');
    server.become('stopped');
    server.become('running');
    await history.compared;
    assert.deepEqual(kinds(), ['changed a', 'new b']);
  });

  it('compares with the lists as they were last, not with those of the start', async () => {
    const { server, history, restart, kinds } = follow();
    await history.compared;
    server.tools.set(newTools, 'loaded');
    await restart(newTools);
    assert.deepEqual(kinds(), []);
  });

  it('takes another state of the same session for no start', async () => {
    const { server, history, starts } = follow();
    await history.compared;
    server.become('running');
    await history.compared;
    assert.equal(starts(), 1);
  });

  it('goes on where the server is configured otherwise', async () => {
    const { history, following, kinds } = follow();
    await history.compared;
    following.dispose();
    history.follow(fakeServer({ tools: newTools }));
    await history.compared;
    assert.deepEqual(kinds(), ['changed a', 'new b']);
  });

  it('compares nothing where that is not wanted, and tells of the start all the same', async () => {
    const { restart, kinds, starts } = follow(() => 'undismissed');
    await restart(newTools);
    assert.deepEqual(kinds(), []);
    assert.equal(starts(), 2);
  });
});
