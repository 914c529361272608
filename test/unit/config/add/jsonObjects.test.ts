import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { readCopied, readSnippet } from '../../../../src/config/add/snippet';
import { jsonObjects } from '../../../../src/config/add/text/jsonObjects';

const memory = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] };
const stdio = { type: 'stdio', ...memory };
const desktop = JSON.stringify({ mcpServers: { memory } });
const pretty = JSON.stringify({ mcpServers: { memory } }, undefined, 2);
const editor = JSON.stringify({ mcp: { servers: { memory } } });
const fetcher = { command: 'uvx', args: ['mcp-server-fetch'] };
const intro = 'Add this to your claude_desktop_config.json:';

describe('a passage of a page that shows JSON, without fences', () => {
  const one = [['memory', stdio]];
  for (const [title, text, expected] of [
    ['on one line', `${intro}\n\n${desktop}\n\nUsage with VS Code`, one],
    ['over lines', `${intro}\n\n${pretty}\n\nUsage with VS Code`, one],
    ['with line ends of Windows', `${intro}\n\n${pretty}\n\nThen…`.replaceAll('\n', '\r\n'), one],
    ['indented in a list', `1. Add to config:\n\n${pretty.replaceAll(/^/gm, '   ')}\n2. Go`, one],
    ['below the command that installs it', `npm install -g foo-mcp\n${desktop}`, one],
    ['below one line', `settings.json\n${editor}`, one],
    ['without its braces', `${intro}\n\n${pretty.slice(1, -1)}\n\nThen…`, one],
    ['a member of it', `${intro}\n"memory": ${JSON.stringify(memory)},\nThen…`, one],
    [
      'members with a list before them',
      `${intro}\n"inputs": [{ "id": "a" }],\n"servers": ${JSON.stringify({ memory })}\nThen…`,
      one,
    ],
    ['first', `${desktop}\n\nUsage with VS Code`, one],
    [
      'with braces in its texts',
      `Try:\n{ "a": { "command": "x", "args": ["}{"] } }\nor not.`,
      [['a', { type: 'stdio', command: 'x', args: ['}{'] }]],
    ],
    ['with a comment', `Try:\n{ // a } for you\n${pretty.slice(1)}\nor not.`, one],
    ['for each application', `Claude:\n${pretty}\n\nVS Code:\n${editor}\n`, one],
    [
      'for each application, in another way',
      `Docker:\n{"mcpServers":{"memory":{"command":"docker","args":["run","-i","a"]}}}\nnpx:\n${desktop}`,
      [['memory', { type: 'stdio', command: 'docker', args: ['run', '-i', 'a'] }]],
    ],
    [
      'with several servers',
      `One:\n${desktop}\nTwo:\n${JSON.stringify({ servers: { fetch: fetcher } })}`,
      [...one, ['fetch', { type: 'stdio', ...fetcher }]],
    ],
    ['beside what a tool takes', `Call:\n{ "url": "https://a.b" }\n${intro}\n${desktop}`, one],
    ['in a block behind a line', `\`\`\`\n.vscode/mcp.json\n${pretty}\n\`\`\``, one],
  ] as const)
    it(`is read: ${title}`, () => {
      for (const read of [readCopied, readSnippet]) {
        const { servers, isNamed } = structuredClone(read(text, inEnglish));
        const found = servers.map(({ name, server }) => [name, server]);
        assert.deepEqual(found, expected);
        assert.equal(isNamed, true);
      }
    });

  it('leaves a name to be asked for where the server has none', () => {
    const { servers, isNamed } = readCopied(`Run:\n${JSON.stringify(memory)}\nDone.`, inEnglish);
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['memory'],
    );
    assert.equal(isNamed, undefined);
  });

  it('leaves the choice among the ways of an entry of the registry', () => {
    const entry = {
      name: 'io.github.a/b',
      description: 'b',
      version: '1.0.0',
      packages: [
        { registryType: 'npm', identifier: 'b', version: '1.0.0', transport: { type: 'stdio' } },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://a.b/mcp' }],
    };
    const text = `server.json:\n${JSON.stringify(entry, undefined, 2)}\nThat is it.`;
    const found = readCopied(text, inEnglish);
    assert.equal(found.isChoice, true);
    assert.equal(found.servers.length, 2);
  });
});

describe('braces in a text', () => {
  const add = 'claude mcp add mine -- npx -y foo';
  const link = `https://vscode.dev/redirect/mcp/install?name=mine&config=${encodeURIComponent('{"command":"npx","args":["-y","foo"]}')}`;
  const braces = [
    'Hello,\n{ world }\nand more',
    'function f()\n{\n  return "}";\n}',
    'POST /login\n{ "password": "hush" }\nDone.',
    'Never closed:\n{ "mcpServers": {\n"a": { "command": "npx" }',
    `Closed too early:\n{ "mcpServers": { "a": { "command": "npx" } } },\n"b": { "command": "npx" } }`,
    `Closed too often:\n${desktop} }`,
  ];
  for (const text of braces) {
    it(`are no server: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readCopied(text, inEnglish), { servers: [] }));

    it(`hide nothing beside them: ${JSON.stringify(text)}`, () => {
      for (const other of [add, `[Install](${link})`, `\`\`\`\nnpx -y foo\n\`\`\``])
        for (const both of [`${text}\n\n${other}`, `${other}\n\n${text}`])
          assert.deepEqual(
            readCopied(both, inEnglish).servers.map(({ server }) => server['args']),
            [['-y', 'foo']],
            both,
          );
    });
  }

  it('are looked at once, however many there are', () => {
    for (const part of ['{', '{\n', '{}\n/*\n', '"a"\n', '"a": {\n', '{}\n', ' \n'])
      assert.ok(jsonObjects(part.repeat(200_000)).length <= 20, part);
  });
});
