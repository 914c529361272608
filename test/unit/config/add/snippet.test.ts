import assert from 'node:assert/strict';
import { readCopied, readSnippet } from '../../../../src/config/add/snippet';

const npx = { type: 'stdio', command: 'npx', args: ['-y', '@scope/server-files@1.0.0'] };
const bare = '{ "command": "npx", "args": ["-y", "@scope/server-files@1.0.0"] }';

describe('what is copied from a README', () => {
  for (const [title, text, expected] of [
    ['mcpServers', `{ "mcpServers": { "files": ${bare} } }`, [['files', npx]]],
    ['servers with comments', `{ // here\n "servers": { "files": ${bare}, } }`, [['files', npx]]],
    ['context_servers', `{ "context_servers": { "files": ${bare} } }`, [['files', npx]]],
    ['the setting mcp', `{ "mcp": { "servers": { "files": ${bare} } } }`, [['files', npx]]],
    ['a part of the file', `"mcpServers": { "files": ${bare} }`, [['files', npx]]],
    ['a named server', `"files": ${bare}`, [['files', npx]]],
    [
      'servers by name',
      `{ "a": ${bare}, "b": ${bare} }`,
      [
        ['a', npx],
        ['b', npx],
      ],
    ],
    ['a bare server', bare, [['files', npx]]],
    [
      'an install link',
      `vscode:mcp/install?${encodeURIComponent(`{"name":"linked","command":"npx"}`)}`,
      [['linked', { type: 'stdio', command: 'npx' }]],
    ],
    [
      'an install link of a web page',
      `https://insiders.vscode.dev/redirect/mcp/install?${encodeURIComponent(`{"name":"l","url":"https://a.b"}`)}`,
      [['l', { type: 'http', url: 'https://a.b' }]],
    ],
    [
      'an install link of a README',
      `https://vscode.dev/redirect/mcp/install?name=l&config=${encodeURIComponent(bare)}`,
      [['l', npx]],
    ],
    [
      'an install link of Cursor',
      `cursor://anysphere.cursor-deeplink/mcp/install?name=l&config=${btoa(bare)}`,
      [['l', npx]],
    ],
    [
      'an install link of a web page of Cursor',
      `https://cursor.com/en/install-mcp?name=l&config=${encodeURIComponent(btoa(bare))}`,
      [['l', npx]],
    ],
    [
      'an address',
      ' https://mcp.example.com/mcp\n',
      [['example.com', { type: 'http', url: 'https://mcp.example.com/mcp' }]],
    ],
    [
      'an address under another key',
      '{ "mcpServers": { "a": { "serverUrl": "https://a.b/sse", "type": "sse" } } }',
      [['a', { type: 'sse', url: 'https://a.b/sse' }]],
    ],
    ['an npm package', '@scope/server-files@1.0.0', [['files', npx]]],
    ['a command line', 'npx -y @scope/server-files@1.0.0', [['files', npx]]],
    [
      'a command line with quotes',
      `node "my server.js" 'a b'`,
      [['my server', { type: 'stdio', command: 'node', args: ['my server.js', 'a b'] }]],
    ],
    ['nothing', '', []],
    ['prose over lines', 'Hello,\nworld', []],
    ['an install link that is broken', 'vscode:mcp/install?%7B', []],
    ['JSON that is no server', '{ "name": "x", "version": 1 }', []],
    ['a server without a command', '{ "mcpServers": { "a": { "args": [] } } }', []],
  ] as const)
    it(`is understood: ${title}`, () =>
      assert.deepEqual(
        structuredClone(readSnippet(text)).map(({ name, server }) => [name, server]),
        expected,
      ));

  it('brings the inputs that its servers use, whether the file or a link defines them', () => {
    const used = { id: 'key', type: 'promptString', password: true };
    const inputs = [used, { id: 'other', type: 'promptString' }, 'odd'];
    const server = { url: 'https://a.b', headers: { Authorization: 'Bearer ${input:key}' } };
    const file = JSON.stringify({ servers: { a: server }, inputs });
    const link = new URLSearchParams({
      name: 'a',
      config: JSON.stringify(server),
      inputs: JSON.stringify(inputs),
    });
    for (const text of [file, `vscode:mcp/install?${link.toString()}`])
      assert.deepEqual(
        structuredClone(readSnippet(text)).map((found) => found.inputs),
        [[used]],
        text,
      );
  });
});

describe('what the clipboard happens to hold', () => {
  const others = [
    'correct horse battery staple',
    'hunter2',
    'ghp_0123456789abcdef0123456789abcdef0123',
    '"a quoted text"',
    '{ "password": "hush" }',
    'nodes are nice',
    'Two lines\nof text',
  ];
  for (const text of others)
    it(`is no server: ${JSON.stringify(text)}`, () => assert.deepEqual(readCopied(text), []));

  const servers = [
    'npx -y @scope/server-files@1.0.0',
    '@scope/server-files',
    'uvx mcp-server-git',
    'python3 -m server',
    './server.js --stdio',
    'C:\\tools\\server.exe',
    'https://example.com/mcp',
    bare,
  ];
  for (const text of servers)
    it(`is a server: ${text}`, () => {
      assert.equal(readCopied(text).length, 1);
      assert.deepEqual(readCopied(text), readSnippet(text));
    });
});
