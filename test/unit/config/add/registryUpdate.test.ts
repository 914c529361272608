import assert from 'node:assert/strict';
import { AdmittedServers } from '../../../../src/config/add/admission';
import { type ImportedServer, inputsIn } from '../../../../src/config/add/importedServer';
import { updatedEntry, waysLike } from '../../../../src/config/add/registryUpdate';
import { define } from '../../mcp/testServers';

const run = (version: string, more: readonly string[] = [], env?: object): ImportedServer => ({
  name: 'w',
  server: {
    type: 'stdio',
    command: 'npx',
    args: ['-y', `@x/w@${version}`, ...more],
    ...(env && { env }),
  },
});
const reach = (url: string, headers: object): ImportedServer => ({
  name: 'w',
  server: { type: 'http', url, headers },
});
const key = { KEY: '${input:w-KEY}' };
const asked = { id: 'w-KEY', type: 'promptString', description: 'Your key', password: true };

/** What the user has, what the registry had and has, what becomes of it, and the arguments that are replaced. */
type Case = readonly [
  title: string,
  entry: ImportedServer['server'],
  base: ImportedServer | undefined,
  newer: ImportedServer,
  updated: object,
  replaced?: readonly string[],
];

const cases: readonly Case[] = [
  ['a version', run('1').server, run('1'), run('2'), run('2').server],
  [
    'a version among arguments of the user',
    { ...run('1').server, args: ['-y', '--quiet', '@x/w@1', '/data'] },
    run('1'),
    run('2'),
    { ...run('2').server, args: ['-y', '--quiet', '@x/w@2', '/data'] },
  ],
  [
    'new arguments before those that the user added at the end',
    run('1', ['/data']).server,
    run('1'),
    run('2', ['--stdio']),
    run('2', ['--stdio', '/data']).server,
  ],
  [
    'all arguments where those of the user cannot be told apart, and names these',
    { ...run('1').server, args: ['/data', '@x/w@1'] },
    run('1'),
    run('2', ['--stdio']),
    run('2', ['--stdio']).server,
    ['/data', '@x/w@1'],
  ],
  [
    'all arguments where the registry no longer has the version, and names these',
    run('1', ['/data']).server,
    undefined,
    run('2'),
    run('2').server,
    ['-y', '@x/w@1', '/data'],
  ],
  [
    'a default that the user left as it was, but none that they changed',
    run('1', [], { MODE: 'a', LEVEL: 'loud' }).server,
    run('1', [], { MODE: 'a', LEVEL: 'low' }),
    run('2', [], { MODE: 'b', LEVEL: 'high' }),
    run('2', [], { MODE: 'b', LEVEL: 'loud' }).server,
  ],
  [
    'no variable of the user, and drops what the registry no longer has',
    run('1', [], { OLD: '1', MINE: 'x' }).server,
    run('1', [], { OLD: '1' }),
    run('2'),
    run('2', [], { MINE: 'x' }).server,
  ],
  [
    'no variable at all where the registry no longer has the version',
    run('1', [], { OLD: '1' }).server,
    undefined,
    run('2', [], { NEW: '2' }),
    run('2', [], { NEW: '2', OLD: '1' }).server,
    ['-y', '@x/w@1'],
  ],
  [
    'nothing that does not say how it is launched',
    { ...run('1').server, disabledTools: ['drop'], timeouts: { start: 5 }, cwd: '/x' },
    run('1'),
    run('2'),
    { ...run('2').server, disabledTools: ['drop'], timeouts: { start: 5 }, cwd: '/x' },
  ],
  [
    'the id of an input to the one that it has',
    run('1', [], { KEY: '${input:w-KEY-2}' }).server,
    run('1', [], key),
    run('2', [], key),
    run('2', [], { KEY: '${input:w-KEY-2}' }).server,
  ],
  [
    'an address and its headers, but none that the user has changed',
    { ...reach('https://b.example/mcp', { A: '1', MINE: 'x' }).server },
    reach('https://b.example/mcp', { A: '1' }),
    reach('https://c.example/mcp', { A: '2' }),
    reach('https://c.example/mcp', { A: '2', MINE: 'x' }).server,
  ],
  [
    'no address that the user has put in its place',
    { ...reach('https://proxy.example/mcp', {}).server },
    reach('https://b.example/mcp', {}),
    reach('https://c.example/mcp', {}),
    { type: 'http', url: 'https://proxy.example/mcp' },
  ],
  [
    'the kind of launch, with nothing of the one before',
    { ...run('1', ['/data'], { A: 'x' }).server, disabledTools: ['drop'] },
    run('1'),
    reach('https://c.example/mcp', { H: '1' }),
    { ...reach('https://c.example/mcp', { H: '1' }).server, disabledTools: ['drop'] },
  ],
];

/** A configured server, beside another one in the same place. */
const there = {
  definition: define(undefined, { name: 'w' }),
  layer: {
    scope: 'user',
    label: 'User Settings',
    entries: [
      { name: 'other', value: { ...run('1').server, env: { T: '${input:github-token}' } } },
      { name: 'w', value: run('1', [], key).server },
    ],
    inputs: [],
    problems: [],
  },
} as const;

describe('an update of a server', () => {
  for (const [title, entry, base, newer, updated, replaced = []] of cases)
    it(`changes ${title}`, () => {
      const { found, ...rest } = updatedEntry('mine', entry, newer, base);
      assert.deepEqual(found, { name: 'mine', server: updated });
      assert.deepEqual(rest, { replaced });
    });

  it('brings the inputs that are new, and those alone', () => {
    const newer = { ...run('2', ['${input:w-PATH}'], key), inputs: [asked, { id: 'w-PATH' }] };
    const { found } = updatedEntry('w', run('1', [], key).server, newer, run('1', [], key));
    assert.deepEqual(found.inputs, [{ id: 'w-PATH' }]);
    const { servers, inputs } = AdmittedServers.replace(there, [found], ['w-KEY', 'w-PATH']);
    assert.deepEqual(inputs, [{ id: 'w-PATH-2' }]);
    assert.deepEqual(servers[0]?.server, {
      ...run('2', ['${input:w-PATH-2}'], key).server,
    });
  });

  it('gets no value of another server, whatever input the registry names', () => {
    const newer = run('2', ['${input:github-token}'], key);
    const { found } = updatedEntry('w', run('1', [], key).server, newer, run('1', [], key));
    const taken = ['w-KEY', 'github-token'];
    const { servers, inputs } = AdmittedServers.replace(there, [found], taken);
    assert.deepEqual(
      inputs.map(({ id }) => id),
      ['w-github-token'],
    );
    assert.deepEqual(servers[0]?.server['args'], ['-y', '@x/w@2', '${input:w-github-token}']);
  });

  it('keeps no more than what its entry uses, whatever the new one says', () => {
    const found = run('2', ['${input:github-token}'], key);
    const admitted = AdmittedServers.replace(there, [found], ['w-KEY', 'github-token']);
    assert.deepEqual(inputsIn(admitted.servers[0]?.server), ['w-github-token', 'w-KEY']);
    // @ts-expect-error -- what is admitted to a place keeps nothing that is taken there, and nobody can say otherwise.
    const added = AdmittedServers.admit([found], ['github-token'], inputsIn(found.server));
    assert.deepEqual(inputsIn(added.servers[0]?.server), ['w-github-token', 'w-w-KEY']);
  });

  it('takes the way of launch that the entry has, and asks where there is none like it', () => {
    const image = { ...run('1'), server: { type: 'stdio', command: 'docker', args: ['run'] } };
    const ways = [image, run('2'), reach('https://c.example/mcp', {})];
    assert.deepEqual(waysLike(run('1').server, ways), [run('2')]);
    assert.deepEqual(waysLike({ type: 'stdio', command: 'uvx' }, ways), ways);
  });
});
