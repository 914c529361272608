import assert from 'node:assert/strict';
import { autostart } from '../../../src/servers/autostart';
import type { StartPolicy } from '../../../src/servers/startPolicy';
import type { Logs } from '../../../src/ui/logs';
import { FakeServer, fakeServers } from '../../support/fakes/fakeServer';

describe('a server that starts by itself', () => {
  for (const [standing, starts] of [
    ['trusted', 1],
    ['needsValue', 0],
    ['untrusted', 0],
    ['declined', 0],
  ] as const)
    it(`asks nothing that nobody caused: ${standing}`, async () => {
      const server = new FakeServer({ id: 'one' });
      let started = 0;
      const start = server.start.bind(server);
      server.start = () => {
        started += 1;
        return start();
      };
      const readiness = Promise.resolve(standing);
      const watch = autostart({
        servers: fakeServers(server),
        policy: { isAutomatic: () => true } as unknown as StartPolicy,
        readiness: () => readiness,
        logs: {} as Logs,
      });
      await readiness;
      await Promise.resolve();
      assert.equal(started, starts);
      watch.dispose();
    });
});
