import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { claudeCode } from '../../../../src/config/applications/agents/claudeCode';
import type { Machine, ServerFile } from '../../../../src/config/applications/application';
import { applications } from '../../../../src/config/applications/applications';
import { cursor } from '../../../../src/config/applications/editors/cursor';
import { samples } from './samples';

const machines: readonly Machine[] = [
  {
    platform: 'linux',
    home: '/home/me',
    settings: '/home/me/.config',
    folders: ['/work'],
    env: {},
  },
  {
    platform: 'darwin',
    home: '/Users/me',
    settings: '/Users/me/Library/Application Support',
    folders: [],
    env: {},
  },
  {
    platform: 'win32',
    home: 'C:/Users/me',
    settings: 'C:/Users/me/AppData/Roaming',
    folders: [],
    env: {},
  },
];

async function readAndTell(read: ServerFile['read'], text: string) {
  const told: string[] = [];
  const found = await read(text, (problem) => told.push(problem(inEnglish)));
  return { names: found.map(({ name }) => name), told };
}

describe('servers of other applications', () => {
  for (const { label, files: paths, read } of applications) {
    it(`are read from a file of ${label}`, async () => {
      const [text, expected] = samples[label] ?? ['', []];
      assert.deepEqual(structuredClone(await read(text)), expected);
    });

    it(`are looked for at absolute paths of ${label} on every system`, () => {
      for (const machine of machines)
        for (const path of paths(machine))
          assert.match(path, machine.platform === 'win32' ? /^C:\// : /^\//);
    });

    it(`are none in an empty file or one of another kind of ${label}`, async () => {
      assert.deepEqual(await read(''), []);
      await assert.rejects(
        async () => read('{ "a": [1, }\n= : ['),
        `${label} says that the file is broken`,
      );
    });
  }

  const broken: Readonly<Record<string, string>> = {
    Continue: 'mcpServers:\n  - name: odd\n    env: {}\n  - name: fine\n    command: node\n',
    Codex: '[mcp_servers.odd]\nargs = []\n[mcp_servers.fine]\ncommand = "node"\n',
    goose:
      'extensions:\n  odd: { type: stdio }\n  own: { type: builtin }\n  fine: { type: stdio, cmd: node }\n',
  };
  for (const { label, read } of applications)
    it(`are told from entries of ${label} that are none, by name`, async () => {
      const servers = { odd: { note: 'no command' }, fine: { command: 'node' } };
      const keys = ['mcpServers', 'servers', 'context_servers'];
      const json = JSON.stringify(Object.fromEntries(keys.map((key) => [key, servers])));
      const { names, told } = await readAndTell(read, broken[label] ?? json);
      assert.deepEqual([names, told], [['fine'], ['Its server "odd" cannot be used.']]);
    });

  const lists = { Continue: '- 1', goose: '- 1' };
  for (const { label, read } of applications.filter((one) => one.label !== 'Codex'))
    it(`are not looked for in a file of ${label} that is a list`, async () => {
      const text = new Map(Object.entries(lists)).get(label) ?? '[1, 2, 3]';
      await assert.rejects(async () => read(text), /^UserError: The file must be an object\.$/);
    });

  const misshapen: Readonly<Record<string, readonly [text: string, key: string]>> = {
    'VS Code': ['{ "servers": ["a"] }', 'servers'],
    Continue: ['mcpServers: { a: { command: node } }', 'mcpServers'],
    Zed: ['{ "context_servers": "a" }', 'context_servers'],
    Codex: ['[[mcp_servers]]\ncommand = "node"', 'mcp_servers'],
    goose: ['extensions:\n  - type: stdio\n    cmd: node', 'extensions'],
  };
  for (const { label, read } of applications)
    it(`are none, which is told, where what stands for them in the file of ${label} has another shape`, async () => {
      const [text, key] = misshapen[label] ?? ['{ "mcpServers": [] }', 'mcpServers'];
      const shape =
        label === 'Continue' ? 'a list of servers' : 'an object that maps names to servers';
      assert.deepEqual(await readAndTell(read, text), {
        names: [],
        told: [`"${key}" must be ${shape}.`],
      });
    });

  it('are told from a project of Claude Code where those have another shape', async () => {
    const text =
      '{ "projects": { "/a": { "mcpServers": [] }, "/b": { "mcpServers": { "fine": { "command": "node" } } } } }';
    const { names, told } = await readAndTell(claudeCode.read, text);
    assert.deepEqual(names, ['fine']);
    assert.deepEqual(told, ['"mcpServers" must be an object that maps names to servers.']);
  });

  for (const [what, text] of [
    ['other things alone', '{ "theme": "dark" }'],
    ['null', '{ "mcpServers": null }'],
  ] as const)
    it(`are none, and nothing is told, where a file has ${what}`, async () => {
      assert.deepEqual(await readAndTell(cursor.read, text), { names: [], told: [] });
    });

  it('are looked for where the applications keep them', () => {
    const [linux, mac, windows] = machines;
    const where = (label: string, machine: Machine | undefined) =>
      machine && applications.find((one) => one.label === label)?.files(machine)[0];
    assert.equal(
      where('Claude Desktop', mac),
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
    );
    assert.equal(
      where('Claude Desktop', windows),
      'C:/Users/me/AppData/Roaming/Claude/claude_desktop_config.json',
    );
    assert.equal(where('Zed', mac), '/Users/me/.config/zed/settings.json');
    assert.equal(where('Zed', linux), '/home/me/.config/zed/settings.json');
    assert.equal(
      where('goose', windows),
      'C:/Users/me/AppData/Roaming/Block/goose/config/config.yaml',
    );
    assert.equal(where('Codex', linux), '/home/me/.codex/config.toml');
    assert.equal(where('Copilot CLI', linux), '/home/me/.copilot/mcp-config.json');
    const moved = linux && { ...linux, env: { COPILOT_HOME: '/elsewhere' } };
    assert.equal(where('Copilot CLI', moved), '/elsewhere/mcp-config.json');
  });
});
