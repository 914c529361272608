import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors';
import { deferred, nextTurn } from '../../../../src/base/async';
import type { ReadResourceResult } from '../../../../src/mcp/protocol/types';
import { ResourceStore } from '../../../../src/resources/documents/resourceStore';
import type { ResourceRef } from '../../../../src/ui/resourceUri';
import { FakeServer, FakeServers, text } from '../../../support/fakes/fakeServer';

const ref: ResourceRef = { serverId: 'one', uri: 'x://a' };

describe('the store of resources', () => {
  let server: FakeServer;
  let store: ResourceStore;
  let now: number;
  let changes: string[];

  beforeEach(() => {
    now = 1000;
    changes = [];
    server = new FakeServer({ id: 'one' });
    store = new ResourceStore(new FakeServers(server), () => now);
    store.onDidChange(({ uri }) => changes.push(uri));
  });

  afterEach(() => store.dispose());

  const shown = async () =>
    Buffer.from((await store.read(ref)).documents[0]?.bytes ?? []).toString();

  it('waits until the configuration was read', async () => {
    const servers = new FakeServers();
    const ready = deferred<void>();
    servers.ready = ready.promise;
    store = new ResourceStore(servers);
    const reading = store.read(ref);
    await nextTurn();
    servers.replace(server);
    ready.resolve();
    assert.equal((await reading).documents.length, 1);
  });

  it('keeps nothing of a server that is forgotten, not even of what is held', async () => {
    const held = store.hold(ref);
    await store.read(ref);
    store.forgetOf('other');
    assert.ok(store.peek(ref));
    store.forgetOf('one');
    assert.deepEqual([store.peek(ref), store.getFresh(ref)], [undefined, undefined]);
    assert.equal(await shown(), 'text');
    assert.equal(server.calls.length, 2);
    held.dispose();
  });

  it('shares one read between several askers', async () => {
    const answers = await Promise.all([store.read(ref), store.read(ref), store.read(ref)]);
    assert.equal(server.calls.length, 1);
    assert.ok(answers.every((one) => one === answers[0]));
  });

  it('keeps what was read for a moment, and then asks again', async () => {
    await store.read(ref);
    now += 1000;
    await store.read(ref);
    assert.equal(server.calls.length, 1);
    now += 60_000;
    await store.read(ref);
    assert.equal(server.calls.length, 2);
  });

  for (const [ttlMs, later, calls] of [
    [60_000, 59_999, 1],
    [60_000, 60_000, 2],
    [0, 0, 2],
  ] as const)
    it(`asks ${calls} times within ${later} ms of a reading that is good for ${ttlMs} ms`, async () => {
      server.answer = (uri) => Promise.resolve(text(uri, 'x', ttlMs));
      await store.read(ref);
      now += later;
      await store.read(ref);
      assert.equal(server.calls.length, calls);
    });

  it('asks again after it was told that the resource changed', async () => {
    assert.equal(await shown(), 'text');
    server.answer = (uri) => Promise.resolve(text(uri, 'new'));
    store.invalidate(ref);
    assert.equal(await shown(), 'new');
    assert.deepEqual(changes, ['x://a']);
  });

  it('announces no change, and keeps the time of the last one, when the content is the same', async () => {
    const before = await store.read(ref);
    now += 5000;
    store.invalidate(ref);
    const after = await store.read(ref);
    assert.deepEqual(changes, []);
    assert.equal(after.changedAt, before.changedAt);
    assert.ok(after.readAt > before.readAt);
  });

  it('moves the time of change on even within one millisecond', async () => {
    const before = await store.read(ref);
    server.answer = (uri) => Promise.resolve(text(uri, 'new'));
    store.invalidate(ref);
    assert.ok((await store.read(ref)).changedAt > before.changedAt);
  });

  describe('once another server has the id', () => {
    const ofAnother = (uri: string) => Promise.resolve(text(uri, 'other', 60_000));
    let servers: FakeServers;
    let another: FakeServer;

    beforeEach(() => {
      server.answer = (uri) => Promise.resolve(text(uri, 'first', 60_000));
      another = new FakeServer({ id: 'one' });
      another.answer = ofAnother;
      servers = new FakeServers(server);
      store = new ResourceStore(servers, () => now);
    });

    it('asks that one, however long the reading was good for', async () => {
      assert.equal(await shown(), 'first');
      servers.replace(another);
      assert.equal(store.getFresh(ref), undefined);
      assert.equal(await shown(), 'other');
      assert.equal(await shown(), 'other');
      assert.equal(another.calls.length, 1);
    });

    for (const isAskedAgain of [false, true])
      it(`keeps no late answer of the first one${isAskedAgain ? ', which is asked no more' : ''}`, async () => {
        const slow = deferred<ReadResourceResult>();
        server.answer = () => slow.promise;
        const first = store.read(ref);
        await nextTurn();
        servers.replace(another);
        if (isAskedAgain) assert.equal(await shown(), 'other');
        slow.resolve(text(ref.uri, 'first', 60_000));
        assert.equal(Buffer.from((await first).documents[0]?.bytes ?? []).toString(), 'other');
        assert.equal(await shown(), 'other');
        assert.equal(another.calls.length, 1);
      });

    it('asks that one where the first one ends without an answer', async () => {
      const slow = deferred<ReadResourceResult>();
      server.answer = () => slow.promise;
      const first = shown();
      await nextTurn();
      servers.replace(another);
      slow.reject(new UserError('it was stopped before the answer came.'));
      assert.equal(await first, 'other');
      assert.equal(another.calls.length, 1);
    });

    it('says that there is none, where it is gone', async () => {
      await store.read(ref);
      servers.replace();
      await assert.rejects(store.read(ref), /no longer exists/);
    });
  });

  it('does not let an answer that was overtaken replace a newer one', async () => {
    const slow = deferred<ReadResourceResult>();
    server.answer = () => slow.promise;
    const first = store.read(ref);
    store.invalidate(ref);
    server.answer = (uri) => Promise.resolve(text(uri, 'new'));
    assert.equal(await shown(), 'new');
    slow.resolve(text(ref.uri, 'old'));
    await first;
    assert.equal(await shown(), 'new');
  });

  it('shows an answer that was overtaken as long as there is no newer one, and asks again', async () => {
    const slow = deferred<ReadResourceResult>();
    server.answer = () => slow.promise;
    const first = store.read(ref);
    store.invalidate(ref);
    slow.resolve(text(ref.uri, 'old'));
    await first;
    assert.equal(store.peek(ref)?.documents.length, 1);
    assert.equal(store.getFresh(ref), undefined);
    server.answer = (uri) => Promise.resolve(text(uri, 'new'));
    assert.equal(await shown(), 'new');
  });

  it('lets the others have their answer when one no longer waits', async () => {
    const slow = deferred<ReadResourceResult>();
    server.answer = () => slow.promise;
    const leaving = new AbortController();
    const left = store.read(ref, leaving.signal);
    const stays = store.read(ref);
    leaving.abort();
    await assert.rejects(left, { name: 'CancelledError' });
    assert.equal(server.calls[0]?.signal?.aborted, false);
    slow.resolve(text(ref.uri, 'x'));
    assert.equal((await stays).documents.length, 1);
  });

  it('withdraws the request when nobody waits any longer, and asks anew the next time', async () => {
    const slow = deferred<ReadResourceResult>();
    server.answer = () => slow.promise;
    const leaving = new AbortController();
    const left = store.read(ref, leaving.signal);
    leaving.abort();
    await assert.rejects(left, { name: 'CancelledError' });
    assert.equal(server.calls[0]?.signal?.aborted, true);
    server.answer = (uri) => Promise.resolve(text(uri, 'new'));
    assert.equal(await shown(), 'new');
  });

  it('keeps no failure', async () => {
    server.answer = () => Promise.reject(new Error('down'));
    await assert.rejects(store.read(ref), /down/);
    server.answer = (uri) => Promise.resolve(text(uri, 'up'));
    assert.equal(await shown(), 'up');
  });

  it('keeps the previous reading of what is held, and none before that', async () => {
    const hold = store.hold(ref);
    const versions: (string | undefined)[] = [];
    for (const version of ['a', 'b', 'c']) {
      server.answer = (uri) => Promise.resolve(text(uri, version));
      store.invalidate(ref);
      const { previous } = await store.read(ref);
      versions.push(previous && Buffer.from(previous.documents[0]?.bytes ?? []).toString());
      assert.equal(previous?.previous, undefined);
    }
    assert.deepEqual(versions, [undefined, 'a', 'b']);
    hold.dispose();
  });

  it('lets go of what was not used for long, but not of what is held or was read last', async () => {
    const big = 'x'.repeat(20_000_000);
    server.answer = (uri) => Promise.resolve(text(uri, big));
    const held = { serverId: 'one', uri: 'x://held' };
    store.hold(held);
    for (const uri of [held.uri, 'x://1', 'x://2', 'x://3'])
      await store.read({ serverId: 'one', uri });
    assert.deepEqual(
      [held.uri, 'x://1', 'x://2', 'x://3'].map(
        (uri) => store.peek({ serverId: 'one', uri }) !== undefined,
      ),
      [true, false, false, true],
    );
  });

  it('keeps a thousand readings at most, however small they are', async () => {
    const uris = Array.from({ length: 1500 }, (_, number) => `x://${number}`);
    for (const uri of uris) await store.read({ serverId: 'one', uri });
    const kept = uris.filter((uri) => store.peek({ serverId: 'one', uri }));
    assert.deepEqual(kept, uris.slice(-1000));
  });

  it('says which server is missing', () =>
    assert.rejects(store.read({ serverId: 'gone', uri: 'x://a' }), {
      name: 'UserError',
      message: /gone/,
    }));
});
