import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event';
import type { Readiness } from '../../../src/config/launch/prepare';
import { autostart } from '../../../src/servers/autostart';
import type { StartPolicy } from '../../../src/servers/startPolicy';
import type { Logs } from '../../../src/ui/logs';
import { FakeServer, fakeServers, noHolds } from '../../support/fakes/fakeServer';

/** A server that starts by itself where its readiness lets it, and how often that was. */
function automatic(readiness: () => Readiness, restricted = noHolds().restricted) {
  const server = new FakeServer({ id: 'one' });
  let started = 0;
  const start = server.start.bind(server);
  server.start = () => {
    started += 1;
    return start();
  };
  const watch = autostart({
    servers: fakeServers(server),
    policy: { isAutomatic: () => true } as unknown as StartPolicy,
    readiness: () => Promise.resolve(readiness()),
    restricted,
    logs: {} as Logs,
  });
  const settled = async () => {
    await Promise.resolve();
    await Promise.resolve();
    return started;
  };
  return { settled, [Symbol.dispose]: () => watch.dispose() };
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
});
