import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import type { Machine } from '../../../../src/config/applications/application';
import {
  findPlugins,
  maxPlugins,
  type PluginReader,
} from '../../../../src/config/applications/plugins/findPlugins';

const home = '/home/me';
const linux: Machine = {
  platform: 'linux',
  home,
  settings: `${home}/.config`,
  folders: ['/work'],
  env: {},
};

type Files = Readonly<Record<string, unknown>>;

/** Creates a reader for a few files, each a text or a JSON value; `links` are the paths that lead outside. */
function readerOf(files: Files, links: readonly string[] = []): PluginReader {
  const paths = Object.keys(files);
  return {
    text: (path) => {
      const value = files[path];
      return Promise.resolve(
        value === undefined || typeof value === 'string' ? value : JSON.stringify(value),
      );
    },
    folders: (path) => {
      const below = paths.filter((one) => one.startsWith(`${path}/`));
      const names = below.map((one) => one.slice(path.length + 1).split('/'));
      return Promise.resolve([
        ...new Set(names.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : []))),
      ]);
    },
    escapes: (root, segments) => Promise.resolve(links.includes([root, ...segments].join('/'))),
  };
}

async function find(files: Files, machine: Machine = linux, links: readonly string[] = []) {
  const found = await findPlugins(machine, readerOf(files, links), inEnglish);
  return structuredClone(found);
}

const root = `${home}/.agents/plugins/tools`;
const version = (of: string, number = '1.0.0') =>
  `https://agent-plugins.org/schemas/${number}/${of}.schema.json`;
const manifest = { $schema: version('plugin'), name: 'tools' };
const agent = (mcpServers: object, schema = version('mcp')) => ({
  [`${root}/plugin.json`]: manifest,
  [`${root}/mcp.json`]: { $schema: schema, mcpServers },
});
const installed = (key: string, installPath: string, more: object = {}) => ({
  [`${home}/.claude/plugins/installed_plugins.json`]: {
    version: 2,
    plugins: { [key]: [{ scope: 'user', installPath, version: '1', ...more }] },
  },
});
const claudeRoot = `${home}/.claude/plugins/cache/market/db/1`;
const copilotRoot = `${home}/.copilot/installed-plugins/market/db`;
const node = { command: 'node', args: ['a.js'] };
const stdio = { type: 'stdio', ...node };

describe('an agent plugin', () => {
  it('of Agent Plugins 1.0 has its servers in mcp.json, with its folders filled in', async () => {
    const servers = {
      own: {
        type: 'stdio',
        command: './bin/server',
        args: ['--data', '${PLUGIN_DATA}/x'],
        env: { CONFIG: '${PLUGIN_ROOT}/c.json' },
        cwd: './work',
      },
      bare: stdio,
      web: { type: 'streamable-http', url: 'https://example.com/mcp', headers: { X: 'y' } },
      old: { type: 'sse', url: 'http://localhost:1/sse' },
    };
    const data = `${home}/.agents/plugins/data/tools`;
    const folders = { PLUGIN_ROOT: root, PLUGIN_DATA: data };
    assert.deepEqual(await find(agent(servers)), [
      {
        root,
        data,
        problems: [],
        isRead: true,
        file: `${root}/mcp.json`,
        servers: [
          {
            name: 'own',
            server: {
              type: 'stdio',
              command: `${root}/bin/server`,
              args: ['--data', `${data}/x`],
              env: { CONFIG: `${root}/c.json`, ...folders },
              cwd: `${root}/work`,
            },
          },
          { name: 'bare', server: { ...stdio, env: folders, cwd: root } },
          {
            name: 'web',
            server: { type: 'http', url: 'https://example.com/mcp', headers: { X: 'y' } },
          },
          { name: 'old', server: { type: 'sse', url: 'http://localhost:1/sse' } },
        ],
      },
    ]);
  });

  for (const [title, entry] of [
    ['no type', node],
    ['a type that nobody knows', { ...stdio, type: 'ws' }],
    ['a field that nobody knows', { ...stdio, shell: true }],
    ['a field of the other kind', { ...stdio, url: 'https://example.com' }],
    ['a command outside', { ...stdio, command: '../evil' }],
    ['a command that leads out', { ...stdio, command: './a/../../evil' }],
    ['an absolute command', { ...stdio, command: '/bin/sh' }],
    ['a variable as its command', { ...stdio, command: '${PLUGIN_ROOT}' }],
    ['a folder outside', { ...stdio, cwd: '${PLUGIN_DATA}/../x' }],
    ['a folder by name', { ...stdio, cwd: 'data' }],
    ['a variable of ours', { ...stdio, args: ['${env:GITHUB_TOKEN}'] }],
    ['a variable in a header', { type: 'sse', url: 'https://x.y', headers: { A: '${input:k}' } }],
    ['a reserved variable', { ...stdio, env: { PLUGIN_ROOT: '/' } }],
    ['an address in the open', { type: 'sse', url: 'http://example.com' }],
    ['a password in its address', { type: 'sse', url: 'https://a:b@example.com' }],
  ] as const)
    it(`leaves out a server with ${title}, says so, and keeps the others`, async () => {
      const [found] = await find(agent({ odd: entry, good: stdio }));
      assert.deepEqual(
        found?.servers.map(({ name }) => name),
        ['good'],
      );
      assert.deepEqual(found.problems, ['Its server "odd" cannot be used.']);
    });

  it('has no servers where its files are of two versions', async () => {
    const [found] = await find(agent({ good: stdio }, version('mcp', '2.0.0')));
    assert.deepEqual(found?.servers, []);
    assert.match(
      found.problems.join(),
      /^Its mcp\.json and its plugin\.json name different versions/,
    );
  });

  it('is no reason for the others not to be found where it is broken', async () => {
    const files = { ...agent({ good: stdio }), [`${home}/.agents/plugins/bad/plugin.json`]: '{' };
    const found = await find(files);
    const told = found.map(({ servers, problems }) => [servers.length, problems].join(': '));
    assert.deepEqual(new Set(told), new Set(['0: The file is not valid JSON.', '1: ']));
  });

  for (const [title, files, file] of [
    ['its manifest', { 'plugin.json': '[' }, 'plugin.json'],
    ['its manifest, a list', { 'plugin.json': '[]' }, 'plugin.json'],
    ['its mcp.json', { 'plugin.json': manifest, 'mcp.json': '{' }, 'mcp.json'],
    ['an entry of its .mcp.json', { '.mcp.json': { odd: {} } }, '.mcp.json'],
    [
      'the first of the files that its manifest names',
      { 'plugin.json': { mcpServers: ['./a.json', './b.json'] }, 'a.json': '{', 'b.json': {} },
      'a.json',
    ],
  ] as const)
    it(`names the file that has what cannot be used: ${title}`, async () => {
      const own = Object.entries(files).map(([path, value]) => [`${root}/${path}`, value]);
      const [found] = await find(Object.fromEntries(own) as Files);
      assert.equal(found?.file, `${root}/${file}`);
    });

  for (const path of ['mcp.json', 'bin/server'])
    it(`is not read or run through a link that leads out of it: ${path}`, async () => {
      const own = { type: 'stdio', command: './bin/server' };
      const found = await find(agent({ own }), linux, [`${root}/${path}`]);
      assert.deepEqual(
        found.flatMap(({ servers }) => servers),
        [],
      );
    });

  it('leaves out those of a repository whose folder for data is a link out of it', async () => {
    const below = '/work/.agents/plugins/tools';
    const other = { type: 'sse', url: 'https://example.com/mcp' };
    const files = {
      [`${below}/plugin.json`]: manifest,
      [`${below}/mcp.json`]: {
        $schema: version('mcp'),
        mcpServers: { own: { type: 'stdio', command: 'node' }, other },
      },
    };
    const names = async (links: readonly string[]) =>
      (await find(files, linux, links)).flatMap(({ servers }) => servers.map(({ name }) => name));
    assert.deepEqual(await names([]), ['own', 'other']);
    assert.deepEqual(await names(['/work/.agents/plugins/data/tools']), ['other']);
  });

  for (const [title, files] of [
    [
      'in its .mcp.json',
      { '.claude-plugin/plugin.json': { name: 'db' }, '.mcp.json': { mcpServers: { a: node } } },
    ],
    ['in an .mcp.json of servers alone', { '.mcp.json': { a: node } }],
    ['in its manifest', { '.claude-plugin/plugin.json': { name: 'db', mcpServers: { a: node } } }],
    [
      'in the file that its manifest names',
      {
        '.plugin/plugin.json': { name: 'db', mcpServers: './conf/m.json' },
        'conf/m.json': { a: node },
      },
    ],
    [
      'in its manifest before its .mcp.json',
      {
        'plugin.json': { name: 'db', mcpServers: { a: node } },
        '.mcp.json': { a: { command: 'other' } },
      },
    ],
  ] as const)
    for (const [label, at, place] of [
      ['Claude Code', claudeRoot, installed('db@market', claudeRoot)],
      ['the Copilot CLI', copilotRoot, {}],
      ['the Copilot CLI without a marketplace', `${home}/.copilot/installed-plugins/db`, {}],
    ] as const)
      it(`of ${label} has servers ${title}`, async () => {
        const own = Object.entries(files).map(([path, value]) => [`${at}/${path}`, value]);
        const found = await find({ ...place, ...Object.fromEntries(own) });
        assert.deepEqual(
          found.map((one) => [one.root, one.servers]),
          [[at, [{ name: 'a', server: stdio }]]],
        );
      });

  it('has its folders, its settings and the project filled in', async () => {
    const server = {
      command: '${CLAUDE_PLUGIN_ROOT}/bin/db',
      args: ['${CLAUDE_PLUGIN_DATA}', '${CLAUDE_PROJECT_DIR}', '${DB:-x}'],
      env: { KEY: '${user_config.api_key}' },
    };
    const userConfig = { api_key: { title: 'The key', sensitive: true } };
    const [found] = await find({
      ...installed('db@market', claudeRoot),
      [`${claudeRoot}/.claude-plugin/plugin.json`]: { name: 'db', userConfig },
      [`${claudeRoot}/.mcp.json`]: { mcpServers: { a: server } },
    });
    assert.deepEqual(found?.servers, [
      {
        name: 'a',
        server: {
          type: 'stdio',
          command: `${claudeRoot}/bin/db`,
          args: [`${home}/.claude/plugins/data/db-market`, '${workspaceFolder}', '${DB:-x}'],
          env: { KEY: '${input:db-api_key}' },
        },
        inputs: [
          { id: 'db-api_key', type: 'promptString', description: 'The key', password: true },
        ],
      },
    ]);
  });

  const claudeFiles = {
    ...installed('db@market', claudeRoot),
    [`${claudeRoot}/.mcp.json`]: { a: node },
  };
  const copilotFiles = { [`${copilotRoot}/.mcp.json`]: { a: node } };
  for (const [title, files, isOff] of [
    ['Claude Code', claudeFiles, undefined],
    [
      'Claude Code, where it is on',
      {
        ...claudeFiles,
        [`${home}/.claude/settings.json`]: { enabledPlugins: { 'db@market': true } },
      },
      undefined,
    ],
    [
      'Claude Code, where it is off',
      {
        ...claudeFiles,
        [`${home}/.claude/settings.json`]: { enabledPlugins: { 'db@market': false } },
      },
      true,
    ],
    [
      'the Copilot CLI, where it is off',
      {
        ...copilotFiles,
        [`${home}/.copilot/settings.json`]: { enabledPlugins: { 'db@market': false } },
      },
      true,
    ],
    [
      'the Copilot CLI, where its list says that it is off',
      {
        ...copilotFiles,
        [`${home}/.copilot/config.json`]: {
          installed_plugins: [{ name: 'db', marketplace: 'market', enabled: false }],
        },
      },
      true,
    ],
  ] as const)
    it(`is as its user has it in ${title}`, async () => {
      const [found] = await find(files);
      assert.equal(found?.servers[0]?.server['disabled'], isOff);
    });

  it('of another project is none of this window', async () => {
    const project = (projectPath: string) => ({
      ...installed('db@market', claudeRoot, { scope: 'project', projectPath }),
      [`${claudeRoot}/.mcp.json`]: { a: node },
    });
    assert.equal((await find(project('/work'))).length, 1);
    assert.equal((await find(project('/elsewhere'))).length, 0);
  });

  for (const folder of ['c:/Work/app', 'C:/work/APP'])
    it(`of a project of Windows is that of this window, open as ${folder}`, async () => {
      const machine = { ...linux, platform: 'win32' as const, folders: [folder] };
      const files = {
        ...installed('db@market', claudeRoot, { scope: 'project', projectPath: 'C:\\Work\\app\\' }),
        [`${claudeRoot}/.mcp.json`]: { a: node },
      };
      assert.equal((await find(files, machine)).length, 1);
    });

  it('is looked for where the variables of its application say', async () => {
    const machine = { ...linux, env: { CLAUDE_CONFIG_DIR: '/c', COPILOT_HOME: '/d' } };
    const files = {
      '/c/plugins/installed_plugins.json': { plugins: { 'a@m': { installPath: '/p/a' } } },
      '/p/a/.mcp.json': { a: node },
      '/d/installed-plugins/m/b/.mcp.json': { b: node },
    };
    const roots = (await find(files, machine)).map((one) => one.root);
    assert.deepEqual(roots, ['/p/a', '/d/installed-plugins/m/b']);
  });

  it('is found among the first two hundred at most', async () => {
    const names = Array.from({ length: maxPlugins + 5 }, (_, index) => `p${index}`);
    const files = names.map((name) => [`${home}/.agents/plugins/${name}/.mcp.json`, { a: node }]);
    assert.equal((await find(Object.fromEntries(files) as Files)).length, maxPlugins);
  });
});
