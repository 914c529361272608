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
const off = { ...files, server: { ...files.server, disabled: true } };
const web = {
  name: 'web',
  server: { type: 'http', url: 'https://example.com/mcp', headers: { X: 'y' } },
};

/** A realistic file of each application, and the servers that it configures. */
export const samples: Readonly<
  Record<string, readonly [text: string, expected: readonly unknown[]]>
> = {
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
  'Copilot CLI': [
    `{ "mcpServers": { "files": { "type": "local", "command": "npx", "args": ["-y", "files"], "env": { "A": "1" },
         "tools": ["read"], "excludeTools": ["write"] },
       "web": { "type": "http", "url": "https://example.com/mcp", "headers": { "X": "y" }, "tools": ["*"] } } }`,
    [{ ...files, server: { ...files.server, tools: ['read'], disabledTools: ['write'] } }, web],
  ],
  Cursor: [json('mcpServers'), [files, web]],
  Windsurf: [
    '{ "mcpServers": { "web": { "serverUrl": "https://example.com/mcp", "headers": { "X": "y" } } } }',
    [web],
  ],
  Cline: [json('mcpServers').replace('"disabled": false', '"disabled": true'), [off, web]],
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
  off: { type: stdio, cmd: npx, args: [off], envs: {}, env_keys: [KEY], enabled: false }
  web: { type: streamable_http, uri: https://example.com/mcp, headers: { X: y } }
  old: { type: sse, uri: https://example.com/sse }
`,
    [
      files,
      {
        name: 'off',
        server: {
          type: 'stdio',
          command: 'npx',
          args: ['off'],
          env: { KEY: '${env:KEY}' },
          disabled: true,
        },
      },
      web,
      { name: 'old', server: { type: 'sse', url: 'https://example.com/sse' } },
    ],
  ],
};
