import assert from 'node:assert/strict';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { inEnglish } from '../../../../src/base/translate';
import { listsOf, readManifest, serverOfBundle } from '../../../../src/config/bundles/readBundle';
import {
  listZip,
  maxBundleBytes,
  maxBundleEntries,
  maxUnpackedBytes,
  readZipEntry,
} from '../../../../src/config/bundles/zip';

const place = { folder: '/store/bundles/b-1', home: '/home/me', separator: '/' };
const manifest = (server: object, more: object = {}) => ({
  manifest_version: '0.3',
  name: 'notes',
  version: '1.0.0',
  description: 'd',
  author: { name: 'a' },
  server,
  ...more,
});
const node = { type: 'node', entry_point: 'server/index.js' };
const read = (value: unknown, system = 'linux') =>
  readManifest(typeof value === 'string' ? value : JSON.stringify(value), system, inEnglish);
const serverOf = (
  value: unknown,
  lists = new Map<string, readonly string[]>(),
  system = 'linux',
) => {
  const found = read(value, system);
  assert.ok(!('problem' in found), JSON.stringify(found));
  return structuredClone(serverOfBundle(found, place, lists));
};
const cwd = place.folder;

describe('the manifest of a bundle', () => {
  const launches: readonly [title: string, server: object, expected: object][] = [
    [
      'a command line with its folder',
      {
        ...node,
        mcp_config: { command: 'node', args: ['${__dirname}/server/index.js', '${HOME}${/}x'] },
      },
      { command: 'node', args: [`${cwd}/server/index.js`, '/home/me/x'] },
    ],
    [
      'one of Node without a command line',
      node,
      { command: 'node', args: [`${cwd}/server/index.js`] },
    ],
    [
      'one of Python',
      {
        type: 'python',
        entry_point: 'main.py',
        mcp_config: { command: 'python3', env: { PYTHONPATH: '${__dirname}/lib' } },
      },
      { command: 'python3', args: [`${cwd}/main.py`], env: { PYTHONPATH: `${cwd}/lib` } },
    ],
    [
      'one for uv',
      { type: 'uv', entry_point: 'src/server.py' },
      { command: 'uv', args: ['run', '--directory', cwd, 'src/server.py'] },
    ],
    [
      'a program by a relative path',
      {
        type: 'binary',
        entry_point: 'server/run',
        mcp_config: { command: 'server/run', args: ['--config', 'c.json'] },
      },
      { command: `${cwd}/server/run`, args: ['--config', 'c.json'] },
    ],
    [
      'what is different on this system',
      {
        ...node,
        mcp_config: {
          command: 'a',
          args: ['1'],
          env: { A: '1' },
          platform_overrides: { linux: { command: 'b', env: { B: '2' } } },
        },
      },
      { command: 'b', args: ['1'], env: { A: '1', B: '2' } },
    ],
  ];
  for (const [title, server, expected] of launches)
    it(`is started as it says: ${title}`, () =>
      assert.deepEqual(serverOf(manifest(server)), {
        name: 'notes',
        server: { type: 'stdio', ...expected, cwd },
      }));

  for (const version of ['0.1', '0.2', '0.3', '0.4'])
    it(`is read in version ${version}`, () => {
      const { manifest_version: _, ...rest } = manifest(node);
      assert.equal(
        serverOf({ ...rest, [version === '0.1' ? 'dxt_version' : 'manifest_version']: version })
          ?.name,
        'notes',
      );
    });

  it('makes inputs of what a user configures, secrets hidden and without their default', () => {
    const { server, inputs } =
      serverOf(
        manifest(
          {
            ...node,
            mcp_config: {
              command: 'node',
              args: [
                'a.js',
                '--dir=${user_config.dir}',
                '${user_config.folders}',
                '${user_config.unknown}',
              ],
              env: { KEY: '${user_config.key}', RO: '${user_config.ro}' },
            },
          },
          {
            display_name: 'My Notes',
            user_config: {
              key: {
                type: 'string',
                title: 'Key',
                description: 'of the API',
                sensitive: true,
                default: 'x',
              },
              dir: { type: 'directory', title: 'Folder', default: '${HOME}/n' },
              ro: { type: 'boolean', title: 'Read only', default: true },
              folders: {
                type: 'directory',
                title: 'Folders',
                multiple: true,
                default: ['${DESKTOP}'],
              },
            },
          },
        ),
        new Map([['folders', ['/a', '/b']]]),
      ) ?? assert.fail();
    assert.deepEqual(server['args'], [
      'a.js',
      '--dir=${input:My-Notes-dir}',
      '/a',
      '/b',
      '${user_config.unknown}',
    ]);
    assert.deepEqual(server['env'], { KEY: '${input:My-Notes-key}', RO: '${input:My-Notes-ro}' });
    assert.deepEqual(
      inputs?.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      [
        {
          id: 'My-Notes-dir',
          description: 'Folder',
          default: '/home/me/n',
          type: 'promptString',
          password: false,
        },
        {
          id: 'My-Notes-key',
          description: 'Key: of the API',
          type: 'promptString',
          password: true,
        },
        {
          id: 'My-Notes-ro',
          description: 'Read only',
          default: 'true',
          type: 'pickString',
          options: ['true', 'false'],
        },
      ],
    );
  });

  it('asks for lists one by one, with what they begin with', () => {
    const found = read(
      manifest(node, {
        user_config: {
          f: { type: 'directory', multiple: true, default: ['${HOME}/d'] },
          one: { type: 'string' },
        },
      }),
    );
    assert.ok(!('problem' in found));
    assert.deepEqual(listsOf(found, place), [
      { key: 'f', title: 'f', description: '', initial: ['/home/me/d'] },
    ]);
  });

  const broken: readonly [title: string, value: unknown, problem: RegExp][] = [
    ['no JSON', '{', /cannot be read/],
    ['no object', '[]', /cannot be read/],
    [
      'what is nested without end',
      `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      /cannot be read/,
    ],
    [
      'an unknown version',
      { ...manifest(node), manifest_version: '9.9' },
      /unknown version "9\.9"/,
    ],
    ['no version', { name: 'a', server: node }, /unknown version/],
    ['no server', manifest({}), /lacks a name or a server/],
    ['an unknown kind of server', manifest({ type: 'wasm' }), /lacks a name or a server/],
    [
      'another system',
      manifest(node, { compatibility: { platforms: ['darwin', 'win32'] } }),
      /runs on darwin, win32/,
    ],
  ];
  for (const [title, value, problem] of broken)
    it(`gets one sentence: ${title}`, () => {
      const found = read(value);
      assert.ok('problem' in found);
      assert.match(found.problem, problem);
      assert.match(found.problem, /^[A-Z][^\n]{1,120}$/);
    });
});

describe('a bundle', () => {
  const list = (bytes: Uint8Array) => listZip(bytes, inEnglish);
  const problemOf = (bytes: Uint8Array) => {
    const found = list(bytes);
    return 'problem' in found ? found.problem : assert.fail('It was taken.');
  };
  const unix = (mode: number, content = 'x') =>
    [strToU8(content), { os: 3, attrs: (mode << 16) >>> 0 }] as const;

  it('is unpacked as it was packed, by one method or the other', async () => {
    const long = 'long '.repeat(50_000);
    const bytes = zipSync({
      'manifest.json': strToU8('{}'),
      'server/': new Uint8Array(),
      'server/a.js': strToU8(long),
      'server/run': [...unix(0o100_755)] as Zippable[string],
      stored: [strToU8('s'), { level: 0 }],
    });
    const signed = new Uint8Array([...bytes, ...strToU8('MCPB_SIG_V1 and more')]);
    for (const archive of [bytes, signed]) {
      const entries = list(archive);
      assert.ok(!('problem' in entries));
      const contents = await Promise.all(
        entries.map(
          async (entry) =>
            [entry.path, new TextDecoder().decode(await readZipEntry(archive, entry))] as const,
        ),
      );
      assert.deepEqual(Object.fromEntries(contents), {
        'manifest.json': '{}',
        'server/a.js': long,
        'server/run': 'x',
        stored: 's',
      });
      assert.deepEqual(
        entries.filter(({ isExecutable }) => isExecutable).map(({ path }) => path),
        ['server/run'],
      );
    }
  });

  const outside = [
    '../a',
    'a/../../b',
    '/etc/a',
    'C:/a',
    'a\\..\\b',
    'a//b',
    './a',
    'a/b.',
    'a/b ',
    'a\u202Eb',
    'a:b',
    `${'d/'.repeat(300)}a`,
  ];
  for (const path of outside)
    it(`is refused with a path that leads out of it or means another elsewhere: ${JSON.stringify(path.slice(0, 20))}`, () =>
      assert.match(problemOf(zipSync({ [path]: strToU8('x') })), /leads out of it/));

  for (const [kind, mode] of [
    ['link', 0o120_777],
    ['device', 0o020_666],
    ['pipe', 0o010_666],
  ] as const)
    it(`is refused with a ${kind} in it`, () =>
      assert.match(
        problemOf(zipSync({ a: [...unix(mode, '/etc/passwd')] as Zippable[string] })),
        /link or a special file: a\./,
      ));

  it('is refused with a note of its own that says whose folder it is', () =>
    assert.match(
      problemOf(zipSync({ '.MCP-workbench-owner.json': strToU8('{}') })),
      /link or a special file/,
    ));

  it('is refused with two files that are one on some systems', () =>
    assert.match(problemOf(zipSync({ 'a/B': strToU8('1'), 'A/b': strToU8('2') })), /damaged/));

  it('is refused when it is no archive, or cut off', () => {
    const whole = zipSync({ a: strToU8('x'.repeat(100)) });
    for (const bytes of [
      new Uint8Array(),
      strToU8('PK'),
      strToU8('x'.repeat(5000)),
      whole.subarray(0, whole.length - 30),
    ])
      assert.match(problemOf(bytes), /damaged or not a ZIP/);
    for (let at = 0; at < whole.length; at += 1) {
      const bent = whole.slice();
      bent[at] = 0xff;
      // It returns a sentence or files, but never throws.
      list(bent);
    }
  });

  it('is refused above a size of its own', () =>
    assert.match(problemOf(new Uint8Array(maxBundleBytes + 1)), /larger than 100 MB/));

  it('is refused above a size of its files, whatever that is packed into', () => {
    const bytes = zipSync({ a: strToU8('x'), b: strToU8('y') });
    const view = new DataView(bytes.buffer);
    const at = bytes.findLastIndex(
      (_, index) => index + 4 <= bytes.length && view.getUint32(index, true) === 0x02014b50,
    );
    view.setUint32(at + 24, maxUnpackedBytes, true);
    assert.match(problemOf(bytes), /unpack to more than 400 MB/);
  });

  it('is refused with more files than a bound', () => {
    const many = Object.fromEntries(
      Array.from({ length: maxBundleEntries + 1 }, (_, index) => [`f${index}`, new Uint8Array()]),
    );
    assert.match(problemOf(zipSync(many, { level: 0 })), /more than 20000 files/);
  });

  it('whose file is longer than it says is not unpacked', async () => {
    const bytes = zipSync({ bomb: new Uint8Array(5_000_000) });
    const entries = list(bytes);
    assert.ok(!('problem' in entries) && entries[0]);
    assert.equal(await readZipEntry(bytes, { ...entries[0], size: 10 }), undefined);
    assert.equal(await readZipEntry(bytes, { ...entries[0], size: 5_000_001 }), undefined);
    assert.equal((await readZipEntry(bytes, entries[0]))?.length, 5_000_000);
  });
});
