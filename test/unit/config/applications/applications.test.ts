import assert from 'node:assert/strict';
import type { Machine } from '../../../../src/config/applications/application';
import { applications } from '../../../../src/config/applications/applications';
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
      const leftOut: string[] = [];
      const found = await read(broken[label] ?? json, (name) => leftOut.push(name));
      assert.deepEqual([found.map(({ name }) => name), leftOut], [['fine'], ['odd']]);
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
