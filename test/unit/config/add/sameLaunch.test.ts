import assert from 'node:assert/strict';
import { takeSecrets } from '../../../../src/config/add/plainSecrets';
import { askPlaceholders } from '../../../../src/config/add/text/placeholders';
import { sortImports } from '../../../../src/config/add/text/sameLaunch';
import { parseServerConfig } from '../../../../src/mcp/launch/launchKinds';

const key = 'ghp_0123456789abcdef0123456789abcdef0123';
const remote = {
  name: 'remote',
  server: { type: 'http', url: 'https://a.b/mcp', headers: { Authorization: `Bearer ${key}` } },
};
const local = { name: 'local', server: { type: 'stdio', command: 'node', args: ['a.js'] } };

function configOf(server: unknown) {
  const parsed = parseServerConfig(server);
  assert.ok('config' in parsed);
  return parsed.config;
}

describe('the servers of other applications', () => {
  const all = [remote, local].map((found) => ({ found, place: 'one' }));

  it('are all new at first, and each launch is there once with all of its places', () => {
    const again = { found: { ...local, name: 'mine' }, place: 'two' };
    assert.deepEqual(sortImports([...all, again], []), {
      fresh: [
        { found: remote, places: ['one'] },
        { found: local, places: ['one', 'two'] },
      ],
      known: [],
    });
  });

  it('are not offered again once they were imported, their keys moved or not, under whatever name', () => {
    for (const server of [
      remote.server,
      takeSecrets(remote).server,
      takeSecrets({ ...remote, name: 'remote-2' }).server,
    ])
      assert.deepEqual(sortImports(all, [configOf(server)]), {
        fresh: [{ found: local, places: ['one'] }],
        known: ['remote'],
      });
  });

  const open = {
    name: 'open',
    server: {
      type: 'stdio',
      command: 'files',
      args: ['/path/to/files'],
      env: { API_KEY: key, ORG: '<your organization>' },
    },
  };
  for (const [how, server] of [
    ['as they stand there', open.server],
    ['without their keys', takeSecrets(open).server],
    ['with inputs for what a README left open', askPlaceholders(open).server],
    ['with inputs for both', takeSecrets(askPlaceholders(open)).server],
  ] as const)
    it(`are not offered again where they are configured ${how}`, () =>
      assert.deepEqual(sortImports([{ found: open, place: 'one' }], [configOf(server)]), {
        fresh: [],
        known: ['open'],
      }));

  it('are offered where another argument makes another launch', () => {
    const other = { ...local.server, args: ['b.js'] };
    assert.equal(sortImports(all, [configOf(other)]).fresh.length, 2);
  });
});
