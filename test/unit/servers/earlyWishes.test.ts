import assert from 'node:assert/strict';
import { deferred, nextTurn } from '../../../src/base/async';
import type { Servers } from '../../../src/mcp/server';
import { parseRunRequest } from '../../../src/prompts/runRequest';
import { toTargets } from '../../../src/resources/targets';
import { toResourceUri } from '../../../src/ui/resourceUri';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';

const ref = { serverId: 'one', uri: 'x://a' };

/** Each finds the server of something that the user asks for. */
const wishes: Readonly<Record<string, (servers: Servers) => Promise<unknown>>> = {
  'a prompt of a keybinding': async (servers) =>
    (await parseRunRequest({ server: 'one', prompt: 'x' }, servers))?.entry.server.id,
  'a resource of a keybinding': async (servers) =>
    (await toTargets(servers, ref, undefined))[0]?.server.id,
  'the resource of a tab': async (servers) =>
    (await toTargets(servers, toResourceUri(ref), undefined))[0]?.server.id,
};

describe('what is asked for while the configuration is still read', () => {
  for (const [what, ask] of Object.entries(wishes))
    it(`waits for it: ${what}`, async () => {
      const servers = new FakeServers();
      const ready = deferred<void>();
      servers.ready = ready.promise;
      const asked = ask(servers);
      await nextTurn();
      servers.replace(new FakeServer({ id: 'one' }));
      ready.resolve();
      assert.equal(await asked, 'one');
    });
});
