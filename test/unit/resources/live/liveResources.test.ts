import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import { once } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import { LiveResources } from '../../../../src/resources/live/liveResources';
import { ResourceStore } from '../../../../src/resources/documents/resourceStore';
import type { ResourceRef } from '../../../../src/ui/resourceUri';
import { FakeServer, FakeServers, text } from '../../../support/fakes/fakeServer';

const a: ResourceRef = { serverId: 'one', uri: 'x://a' };
const b: ResourceRef = { serverId: 'one', uri: 'x://b' };

describe('live resources', () => {
  let server: FakeServer;
  let servers: FakeServers;
  let store: ResourceStore;
  let live: LiveResources;

  beforeEach(() => {
    server = new FakeServer({ id: 'one' });
    servers = new FakeServers(server);
    store = new ResourceStore(servers);
    live = new LiveResources(servers, store, silentLogger);
  });

  afterEach(() => {
    live.dispose();
    store.dispose();
  });

  const answer = (value: string) => {
    server.answer = (uri) => Promise.resolve(text(uri, value));
  };

  it('are subscribed while they are watched, each once', () => {
    live.watch([a, a, b]);
    assert.deepEqual(server.subscribed, ['x://a', 'x://b']);
    live.watch([b]);
    assert.deepEqual(server.subscribed, ['x://b']);
    live.watch([]);
    assert.deepEqual(server.subscribed, []);
  });

  it('are read again when their server says that they changed', async () => {
    live.watch([a]);
    await store.read(a);
    answer('new');
    const marked = once(live.onDidChangeMark);
    server.update('x://a');
    server.update('x://a');
    assert.deepEqual(await marked, a);
    assert.equal(server.calls.length, 2);
    assert.ok(live.isChanged(a));
    assert.deepEqual(live.changed, [a]);
    assert.ok(store.peek(a)?.previous);
  });

  it('are read while their server does not stop saying that they changed', async () => {
    live.watch([a]);
    await store.read(a);
    answer('new');
    const marked = once(live.onDidChangeMark);
    const storm = setInterval(() => server.update('x://a'), 20);
    await marked;
    clearInterval(storm);
  });

  it('are read again when something below them changed', async () => {
    live.watch([a]);
    await store.read(a);
    answer('new');
    const marked = once(live.onDidChangeMark);
    server.update('x://a/deep/file');
    await marked;
  });

  it('leave alone what only begins alike', async () => {
    live.watch([a]);
    await store.read(a);
    server.update('x://abc');
    const read = once(store.onDidRead, ({ uri }) => uri === 'x://b');
    await store.read(b);
    await read;
    assert.equal(server.calls.length, 2);
  });

  it('lose their mark when it was looked at or they are no longer watched', async () => {
    live.watch([a]);
    await store.read(a);
    answer('new');
    const marked = once(live.onDidChangeMark);
    server.update('x://a');
    await marked;
    live.clear(a);
    assert.equal(live.isChanged(a), false);
    answer('newer');
    const again = once(live.onDidChangeMark);
    server.update('x://a');
    await again;
    live.watch([]);
    assert.deepEqual(live.changed, []);
  });

  it('are read again when their server comes back', async () => {
    live.watch([a]);
    await store.read(a);
    server.become('stopped');
    answer('changed meanwhile');
    const marked = once(live.onDidChangeMark);
    server.become('running');
    assert.deepEqual(await marked, a);
  });

  it('follow their server when it is replaced', () => {
    live.watch([a]);
    const next = new FakeServer({ id: 'one' });
    servers.replace(next);
    assert.deepEqual([server.subscribed, next.subscribed], [[], ['x://a']]);
    servers.replace();
    assert.deepEqual(next.subscribed, []);
  });

  it('without subscriptions are read again on request', async () => {
    server.canSubscribe = false;
    live.watch([a]);
    await store.read(a);
    answer('new');
    const marked = once(live.onDidChangeMark);
    live.refreshUnsubscribed();
    assert.deepEqual(await marked, a);
  });

  it('with subscriptions are not', async () => {
    live.watch([a]);
    await store.read(a);
    live.refreshUnsubscribed();
    await store.read(b);
    assert.deepEqual(
      server.calls.map(({ uri }) => uri),
      ['x://a', 'x://b'],
    );
  });

  it('keep what they show when the new content cannot be read', async () => {
    live.watch([a]);
    const before = await store.read(a);
    const tried = deferred<void>();
    server.answer = () => {
      tried.resolve();
      return Promise.reject(new Error('gone'));
    };
    server.update('x://a');
    await tried.promise;
    assert.equal(store.peek(a), before);
    assert.equal(live.isChanged(a), false);
  });
});
