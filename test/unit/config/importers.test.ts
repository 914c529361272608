import assert from 'node:assert/strict';
import type { Machine } from '../../../src/config/importers/importSource';
import { importSources } from '../../../src/config/importers/importSources';

const json = (key: string) => `{
  // written by the application
  "theme": "dark",
  "${key}": {
    "files": { "command": "npx", "args": ["-y", "files"], "env": { "A": "1" }, "disabled": false },
    "web": { "type": "http", "url": "https://example.com/mcp", "headers": { "X": "y" } },
    "broken": { "note": "no command" },
  }
}`;
const files = {
  name: 'files',
  server: { type: 'stdio', command: 'npx', args: ['-y', 'files'], env: { A: '1' } },
};
const web = {
  name: 'web',
  server: { type: 'http', url: 'https://example.com/mcp', headers: { X: 'y' } },
};

/** A realistic file of each application, and the servers in it. */
const samples: Readonly<Record<string, readonly [text: string, expected: readonly unknown[]]>> = {
  'VS Code': [
    `{ "servers": { "files": ${JSON.stringify(files.server)}, "git": {
         "type": "http", "url": "https://example.com/mcp", "headers": { "K": "\${input:key}" } } },
       "inputs": [{ "id": "key", "type": "promptString", "password": true }, { "id": "unused" }] }`,
    [
      files,
      {
        name: 'git',
        server: { type: 'http', url: 'https://example.com/mcp', headers: { K: '${input:key}' } },
        inputs: [{ id: 'key', type: 'promptString', password: true }],
      },
    ],
  ],
  'Claude Desktop': [json('mcpServers'), [files, web]],
  'Claude Code': [
    `{ "mcpServers": { "files": ${JSON.stringify(files.server)} }, "numStartups": 3,
       "projects": { "/work": { "allowedTools": [], "mcpServers": { "web": ${JSON.stringify(web.server)} } } } }`,
    [files, web],
  ],
  Cursor: [json('mcpServers'), [files, web]],
  Windsurf: [
    '{ "mcpServers": { "web": { "serverUrl": "https://example.com/mcp", "headers": { "X": "y" } } } }',
    [web],
  ],
  Cline: [json('mcpServers'), [files, web]],
  'Roo Code': [json('mcpServers'), [files, web]],
  Continue: [
    `name: My Config
mcpServers:
  - name: files
    command: npx
    args: ["-y", files]
    env: { A: "1" }
  - name: web
    type: streamable-http
    url: https://example.com/mcp
    requestOptions: { headers: { X: y } }
  - name: keyed
    command: npx
    args: [keyed]
    env: { KEY: "\${{ secrets.MY_KEY }}" }
`,
    [
      files,
      web,
      {
        name: 'keyed',
        server: { type: 'stdio', command: 'npx', args: ['keyed'], env: { KEY: '${env:MY_KEY}' } },
      },
    ],
  ],
  Zed: [
    `{ "theme": "One Dark", "context_servers": {
         "old": { "source": "custom", "command": { "path": "npx", "args": ["-y", "files"], "env": { "A": "1" } } },
         "files": { "source": "custom", "enabled": true, "command": "npx", "args": ["-y", "files"], "env": { "A": "1" } },
         "web": { "url": "https://example.com/mcp", "headers": { "X": "y" } },
         "mcp-server-github": { "source": "extension", "settings": {} } } }`,
    [{ ...files, name: 'old' }, files, web],
  ],
  'Gemini CLI': [
    '{ "mcpServers": { "web": { "httpUrl": "https://example.com/mcp", "headers": { "X": "y" }, "trust": false } } }',
    [web],
  ],
  Codex: [
    `model = "x"
[mcp_servers.files]
command = "npx"
args = ["-y", "files"]
[mcp_servers.files.env]
A = "1"
[mcp_servers.web]
url = "https://example.com/mcp"
http_headers = { X = "y" }
[mcp_servers.bearer]
url = "https://example.com/mcp"
bearer_token_env_var = "MY_TOKEN"
env_http_headers = { "X-Org" = "MY_ORG" }
`,
    [
      files,
      web,
      {
        name: 'bearer',
        server: {
          type: 'http',
          url: 'https://example.com/mcp',
          headers: { 'X-Org': '${env:MY_ORG}', Authorization: 'Bearer ${env:MY_TOKEN}' },
        },
      },
    ],
  ],
  goose: [
    `GOOSE_MODEL: x
extensions:
  developer: { type: builtin, name: developer, enabled: true }
  files: { type: stdio, cmd: npx, args: ["-y", files], envs: { A: "1" }, enabled: true }
  web: { type: streamable_http, uri: https://example.com/mcp, headers: { X: y } }
  old: { type: sse, uri: https://example.com/sse }
`,
    [files, web, { name: 'old', server: { type: 'sse', url: 'https://example.com/sse' } }],
  ],
};

const machines: readonly Machine[] = [
  { platform: 'linux', home: '/home/me', settings: '/home/me/.config', folders: ['/work'] },
  {
    platform: 'darwin',
    home: '/Users/me',
    settings: '/Users/me/Library/Application Support',
    folders: [],
  },
  { platform: 'win32', home: 'C:/Users/me', settings: 'C:/Users/me/AppData/Roaming', folders: [] },
];

describe('servers of other applications', () => {
  for (const { label, files: paths, read } of importSources) {
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

  it('are looked for where the applications keep them', () => {
    const [linux, mac, windows] = machines;
    const where = (label: string, machine: Machine | undefined) =>
      machine && importSources.find((one) => one.label === label)?.files(machine)[0];
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
  });
});
