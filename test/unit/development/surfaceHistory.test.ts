import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import { SurfaceHistory } from '../../../src/development/surface/surfaceHistory';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

describe('the history of what a server says of itself', () => {
  const oldTools = [tool({ name: 'a' })];
  const newTools = [tool({ name: 'a', description: 'new' }), tool({ name: 'b' })];

  function follow(isCompared = () => true) {
    const server = fakeServer({ tools: oldTools });
    const history = new SurfaceHistory(isCompared, inEnglish);
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

  it('has what is different after a restart, and nothing after one without a change', async () => {
    const { restart, kinds, starts } = follow();
    assert.equal(await restart(newTools), true);
    assert.deepEqual(kinds(), ['changed a', 'new b']);
    await restart();
    assert.deepEqual(kinds(), []);
    assert.equal(starts(), 3);
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
    const { restart, kinds, starts } = follow(() => false);
    await restart(newTools);
    assert.deepEqual(kinds(), []);
    assert.equal(starts(), 2);
  });
});
