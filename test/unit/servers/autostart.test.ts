import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event';
import type { Readiness } from '../../../src/config/launch/prepare';
import { AutomaticStarts } from '../../../src/servers/automaticStarts';
import type { Logs } from '../../../src/ui/logs';
import { FakeServer, fakeServers, noHolds } from '../../support/fakes/fakeServer';

/** Creates a stopped server that starts automatically if its readiness allows it, and counts its starts. */
function automatic(readiness: () => Readiness, restricted = noHolds().restricted) {
  const server = new FakeServer({ id: 'one' });
  server.become('stopped');
  const entered = new Emitter<void>();
  let isAutomatic = true;
  let started = 0;
  const start = server.start.bind(server);
  server.start = () => {
    started += 1;
    return start();
  };
  const watch = new AutomaticStarts({
    servers: fakeServers(server),
    policy: { isAutomatic: () => isAutomatic },
    readiness: () => Promise.resolve(readiness()),
    restricted,
    secrets: { onDidChange: entered.event },
    logs: {} as Logs,
  });
  const settled = async () => {
    await Promise.resolve();
    await Promise.resolve();
    return started;
  };
  const told: boolean[] = [];
  watch.onDidChange((id) => told.push(watch.has(id)));
  return {
    server,
    settled,
    /** For each change, whether the server lacked a value after it. */
    told,
    enterValue: () => entered.fire(),
    startOnUse: () => (isAutomatic = false),
    [Symbol.dispose]: () => watch.dispose(),
  };
}

describe('a server that starts by itself', () => {
  for (const [standing, starts] of [
    ['trusted', 1],
    ['needsValue', 0],
    ['untrusted', 0],
    ['declined', 0],
    ['restricted', 0],
  ] as const)
    it(`asks nothing that nobody caused: ${standing}`, async () => {
      using server = automatic(() => standing);
      assert.equal(await server.settled(), starts);
    });

  it('does so once the workspace is trusted that held it back', async () => {
    const changed = new Emitter<string>();
    let isRestricted = true;
    const restricted = { has: () => isRestricted, onDidChange: changed.event };
    using server = automatic(() => (isRestricted ? 'restricted' : 'trusted'), restricted);
    changed.fire('one');
    assert.equal(await server.settled(), 0);
    isRestricted = false;
    changed.fire('one');
    assert.equal(await server.settled(), 1);
  });

  for (const standing of ['trusted', 'untrusted', 'declined', 'restricted', 'broken'] as const)
    it(`is not said to lack a value: ${standing}`, async () => {
      using server = automatic(() => standing);
      await server.settled();
      assert.deepEqual(server.told, []);
    });

  it('lacks a value until that is entered, which starts it', async () => {
    let isStored = false;
    using server = automatic(() => (isStored ? 'trusted' : 'needsValue'));
    await server.settled();
    server.enterValue();
    assert.equal(await server.settled(), 0);
    assert.deepEqual(server.told, [true]);
    isStored = true;
    server.enterValue();
    assert.equal(await server.settled(), 1);
    assert.deepEqual(server.told, [true, false]);
  });

  it('lacks a value until it is started by hand, and is not said to when it is stopped after that', async () => {
    using server = automatic(() => 'needsValue');
    await server.settled();
    server.server.become({ kind: 'starting' });
    server.server.become('stopped');
    server.enterValue();
    await server.settled();
    assert.deepEqual(server.told, [true, false]);
  });

  it('is not said to lack a value where it was started while that was looked up', async () => {
    using server = automatic(() => 'needsValue');
    server.server.become({ kind: 'starting' });
    await server.settled();
    assert.deepEqual(server.told, []);
  });

  it('neither starts with its value nor lacks it once the settings have it start when it is used', async () => {
    let isStored = false;
    using server = automatic(() => (isStored ? 'trusted' : 'needsValue'));
    await server.settled();
    server.startOnUse();
    isStored = true;
    server.enterValue();
    assert.equal(await server.settled(), 0);
    assert.deepEqual(server.told, [true, false]);
  });
});
