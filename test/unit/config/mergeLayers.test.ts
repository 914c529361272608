import assert from 'node:assert/strict';
import { mergeLayers } from '../../../src/config/mergeLayers';
import type { Folder, ConfigLayer } from '../../../src/config/configLayer';
import { matchesAny, type ToolPolicy } from '../../../src/gate/decide/policy';
import { defaultLimits } from '../../../src/mcp/serverConfig';

const web: Folder = { uri: 'file:///work/web', name: 'web' };
const api: Folder = { uri: 'file:///work/api', name: 'api' };

function user(servers: Record<string, unknown>): ConfigLayer {
  return place({ scope: 'user', label: 'User Settings' }, servers);
}

function file(
  folder: Folder,
  servers: Record<string, unknown>,
  path = '.vscode/mcp.json',
): ConfigLayer {
  const uri = `${folder.uri}/${path}`;
  return place({ scope: 'folder', label: `${folder.name}/${path}`, uri, folder }, servers);
}

function place(
  base: Pick<ConfigLayer, 'scope' | 'label' | 'uri' | 'folder'>,
  servers: Record<string, unknown>,
): ConfigLayer {
  const entries = Object.entries(servers).map(([name, value], line) => ({
    name,
    value,
    range: { line, character: 0, endLine: line, endCharacter: 1 },
  }));
  return { ...base, entries, inputs: undefined, problems: [] };
}

function ids(layers: readonly ConfigLayer[]): string[] {
  return mergeLayers(layers).servers.map(({ definition }) => definition.id);
}

function run(command: string) {
  return { command };
}

function policyWith(part: Partial<ToolPolicy>): ToolPolicy {
  const none = { servers: {}, deny: [], ask: [], trustReadOnlyHint: [] };
  return { ...none, maxCalls: { minute: 1, answer: 1 }, taint: 'off', ...part };
}

describe('the configuration of all places', () => {
  const watched = { watch: ['a'] };
  const entry = { ...run('node'), dev: watched };
  for (const [title, layer, developed, development, ofEditor] of [
    ['the settings', user({ a: run('node') }), { a: { watch: 'a' } }, watched, undefined],
    ['the entry', user({ a: entry }), {}, watched, undefined],
    ['the settings before the entry', user({ a: entry }), { a: { watch: 'b' } }, { watch: ['b'] }],
    ['the settings that turn it off', user({ a: entry }), { a: {} }, undefined],
    [
      'an entry that the editor reads',
      { ...file(web, { a: entry }), isOfEditor: true },
      {},
      watched,
      true,
    ],
    [
      'an empty one there',
      { ...file(web, { a: { ...entry, dev: {} } }), isOfEditor: true },
      {},
      undefined,
      true,
    ],
    [
      'both there',
      { ...file(web, { a: entry }), isOfEditor: true },
      { a: { watch: 'b' } },
      { watch: ['b'] },
      true,
    ],
    [
      'the settings there',
      { ...file(web, { a: run('node') }), isOfEditor: true },
      { a: watched },
      watched,
    ],
    ['the settings of another', user({ a: run('node') }), { b: watched }, undefined],
  ] as const)
    it(`takes development from ${title}`, () => {
      const [server] = mergeLayers([layer], undefined, () => developed).servers;
      assert.deepEqual(server?.development, development);
      assert.equal(server?.isDevelopedByEditor, ofEditor);
    });

  it('has the debugger of the settings in the launch', () => {
    const developed = { a: { debug: { type: 'node' } } };
    const [server] = mergeLayers([user({ a: run('node') })], undefined, () => developed).servers;
    assert.equal(
      server?.definition.config.type === 'stdio' && server.definition.config.debug,
      'node',
    );
  });

  for (const [title, dev, developed, revision] of [
    ['its entry', { protocolVersion: '2025-03-26' }, {}, '2025-03-26'],
    ['the settings', {}, { a: { protocolVersion: '2026-07-28' } }, '2026-07-28'],
    ['nothing, where it is not spoken', { protocolVersion: '2025-13-01' }, {}, undefined],
    ['nothing', {}, {}, undefined],
  ] as const)
    it(`takes the only revision to speak from ${title}, and no development from it`, () => {
      const layer = user({ a: { ...run('node'), dev } });
      const [server] = mergeLayers([layer], undefined, () => developed).servers;
      assert.equal(server?.definition.revision, revision);
      assert.equal(server?.development, undefined);
    });

  for (const [title, dev, developed, without] of [
    ['its entry', { without: ['sampling'] }, {}, ['sampling']],
    ['the settings', {}, { a: { without: ['tasks', 'roots', 'none'] } }, ['roots', 'tasks']],
    ['nothing, where it is not known', { without: ['none'] }, {}, undefined],
    ['nothing', { without: [] }, {}, undefined],
  ] as const)
    it(`takes what this client shall be without from ${title}`, () => {
      const layer = user({ a: { ...run('node'), dev } });
      const [server] = mergeLayers([layer], undefined, () => developed).servers;
      assert.deepEqual(server?.definition.without, without);
      assert.equal(server?.development, undefined);
    });

  it('takes the server of the closer place when names are the same', () => {
    const { servers } = mergeLayers([user({ a: run('far') }), file(web, { a: run('near') })]);
    assert.equal(servers.length, 1);
    assert.deepEqual(servers[0]?.definition, {
      id: 'a',
      name: 'a',
      config: { type: 'stdio', command: 'near', args: [], env: {} },
      source: {
        label: 'web/.vscode/mcp.json',
        uri: 'file:///work/web/.vscode/mcp.json',
        line: 0,
      },
      folder: web.uri,
      limits: defaultLimits,
    });
  });

  it('keeps servers of the same name in different folders side by side', () => {
    const layers = [file(web, { a: run('one') }), file(api, { a: run('two') })];
    assert.deepEqual(ids(layers), ['a', 'a@api']);
  });

  it('keeps ids unique where a name looks like an id', () => {
    const twice = [
      file(web, { a: run('one'), 'a@api': run('three') }),
      file(api, { a: run('two') }),
    ];
    assert.equal(new Set(ids(twice)).size, 3);
  });

  it('keeps ids when servers come and go around them', () => {
    const before = ids([user({ a: run('1'), b: run('2') }), file(web, { c: run('3') })]);
    const after = ids([user({ b: run('2') }), file(web, { c: run('3'), d: run('4') })]);
    assert.deepEqual(before, ['a', 'b', 'c']);
    assert.deepEqual(after, ['b', 'c', 'd']);
  });

  it('makes one server of the same launch in two places, named as the user named it, and names both places', () => {
    const address = { url: 'https://example.com/mcp' };
    const layers = [user({ far: address }), file(web, { near: address })];
    const { servers, duplicates } = mergeLayers(layers);
    assert.deepEqual(
      servers.map(({ definition }) => [definition.id, definition.name, definition.source.label]),
      [['far', 'far', 'User Settings, web/.vscode/mcp.json']],
    );
    assert.deepEqual(
      duplicates.map(({ server, as }) => [server.definition.name, server.layer.label, as.id]),
      [['near', 'web/.vscode/mcp.json', 'far']],
    );
  });

  it('repeats nothing where two places have the same launch under the same name', () => {
    const address = { url: 'https://example.com/mcp' };
    const layers = [file(web, { a: address }), file(api, { a: address })];
    assert.deepEqual(mergeLayers(layers).duplicates, []);
  });

  it('leaves a command of the user under its name and its rules, whatever a workspace calls it', () => {
    const config = run('x');
    const places = [
      user({ mine: config }),
      file(web, { other: config }),
      file(api, { third: config }),
    ];
    const { servers } = mergeLayers(places);
    assert.deepEqual(
      servers.map(({ definition, layer }) => [definition.id, definition.folder, layer.scope]),
      [['mine', undefined, 'user']],
    );
    const policy = policyWith({ deny: ['mine/*'] });
    assert.ok(servers.every(({ definition }) => matchesAny(policy.deny, definition.id, 'delete')));
  });

  it('keeps equal launches of one place apart, since somebody wrote both', () =>
    assert.deepEqual(ids([user({ a: run('x'), b: run('x') })]), ['a', 'b']));

  it('keeps equal commands of two folders apart, since each runs in its own', () =>
    assert.deepEqual(ids([file(web, { a: run('x') }), file(api, { b: run('x') })]), ['a', 'b']));

  it('leaves out a server that cannot be used, says why, and keeps the others', () => {
    const { servers, problems } = mergeLayers([
      file(web, { good: run('x'), bad: { type: 'websocket' }, empty: { command: '' } }),
    ]);
    assert.deepEqual(
      servers.map(({ definition }) => definition.name),
      ['good'],
    );
    assert.deepEqual(
      problems.map(({ entryName, range }) => [entryName, range?.line]),
      [
        ['bad', 1],
        ['empty', 2],
      ],
    );
    assert.match(problems[0]?.message ?? '', /"websocket" is unknown/);
  });

  it('does not fall back to the server further away when the closer one is broken', () => {
    const { servers } = mergeLayers([user({ a: run('far') }), file(web, { a: {} })]);
    assert.deepEqual(servers, []);
  });

  it('gives problems of whole places ids of their own', () => {
    const broken = { ...file(web, {}), problems: [{ message: 'Broken.' }] };
    const { problems } = mergeLayers([broken, { ...broken, uri: 'file:///other' }]);
    assert.equal(new Set(problems.map(({ id }) => id)).size, 2);
    assert.equal(problems[0]?.name, 'web/.vscode/mcp.json');
  });
});
