import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import {
  readServerUrl,
  readCopied,
  readPackage,
  readSnippet,
} from '../../../../src/config/add/snippet';
import { isFromFolder } from '../../../../src/config/add/text/commandStart';
import { splitLine } from '../../../../src/config/add/text/commandLine';

const npx = { type: 'stdio', command: 'npx', args: ['-y', '@scope/server-files@1.0.0'] };
const bare = '{ "command": "npx", "args": ["-y", "@scope/server-files@1.0.0"] }';

describe('a command line with quotes that never end', () => {
  for (const part of ['"{\\', '"{\\"', '"{', '\'"'])
    it(`is looked at once: ${part}`, () => {
      // Each of these quotes used to be searched for to the end of the text.
      const words = splitLine(`claude mcp add ${part.repeat(200_000)}`);
      assert.deepEqual(words.slice(0, 3), ['claude', 'mcp', 'add']);
    });
});

describe('JSON that was copied with a mistake', () => {
  const broken = '{\n  "mcpServers": { "a": { "command": "npx", "args": ["-y", "foo" }';
  for (const [title, text] of [
    ['alone', broken],
    ['in a code block', `Add this:\n\`\`\`json\n${broken}\n\`\`\``],
  ] as const)
    it(`is told where it is: ${title}`, () => {
      const { servers, problem } = readCopied(text, inEnglish);
      assert.deepEqual(servers, []);
      assert.match(problem ?? '', /^Line 2 is not valid JSON: a comma is missing/);
    });

  it('is none of ours where it configures no server', () =>
    assert.deepEqual(readCopied('{ "password": ', inEnglish), { servers: [] }));
});

describe('what is copied from a README', () => {
  it('is read at once, however deep its blocks are nested', () => {
    const rules = Array.from({ length: 40 }, (_, depth) => '`'.repeat(3 + depth));
    const text = [...rules.toReversed(), 'x', ...rules].join('\n');
    assert.deepEqual(readSnippet(text, inEnglish).servers, []);
  });

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
    ...[
      '[Install](LINK)',
      '[![Install](https://a.b/c.svg)](LINK)',
      '<a href="LINK">x</a>',
      '`LINK`',
    ].map(
      (written) =>
        [
          `the badge of an install link: ${written}`,
          `# Files\n\n[Docs](https://a.b) ${written} and more`.replace(
            'LINK',
            `https://vscode.dev/redirect/mcp/install?name=l&config=${encodeURIComponent(bare)}`,
          ),
          [['l', npx]],
        ] as const,
    ),
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
    [
      'a command line with variables',
      `A_KEY=abc B="b c" npx -y @scope/server-files@1.0.0`,
      [['files', { ...npx, env: { A_KEY: 'abc', B: 'b c' } }]],
    ],
    ['a command line', 'npx -y @scope/server-files@1.0.0', [['files', npx]]],
    [
      'a command line with quotes',
      `node "my server.js" 'a b'`,
      [['my server', { type: 'stdio', command: 'node', args: ['my server.js', 'a b'] }]],
    ],
    [
      'a code block of a README, whatever its other blocks install',
      `# Files\n\n\`\`\`sh\nnpm install files\n\`\`\`\n\n\`\`\`json\n{ "mcpServers": { "files": ${bare} } }\n\`\`\`\n\nThen…`,
      [['files', npx]],
    ],
    [
      'a command in a code block',
      '```sh\n$ npx -y @scope/server-files@1.0.0\n```',
      [['files', npx]],
    ],
    [
      'a code block that is not closed',
      `\`\`\`json\n{ "mcpServers": { "files": ${bare} } }`,
      [['files', npx]],
    ],
    [
      'the command for Claude Code',
      'claude mcp add --scope user mine -e KEY="a b" OTHER=c -- npx -y @scope/server-files@1.0.0',
      [['mine', { ...npx, env: { KEY: 'a b', OTHER: 'c' } }]],
    ],
    [
      'the command for Claude Code over several lines',
      '$ claude mcp add mine \\\n  --env=KEY=1 \\\n  -- node server.js --port 3 -e x',
      [
        [
          'mine',
          {
            type: 'stdio',
            command: 'node',
            args: ['server.js', '--port', '3', '-e', 'x'],
            env: { KEY: '1' },
          },
        ],
      ],
    ],
    [
      'the command for Claude Code with an address',
      'claude mcp add -t sse mine https://a.b/sse --header "X-Key: 1"',
      [['mine', { type: 'sse', url: 'https://a.b/sse', headers: { 'X-Key': '1' } }]],
    ],
    [
      'the command for Claude Code with headers before its name',
      'claude mcp add --transport http --header "X-Key: 1" mine https://a.b/mcp',
      [['mine', { type: 'http', url: 'https://a.b/mcp', headers: { 'X-Key': '1' } }]],
    ],
    [
      'the command for Claude Code with JSON',
      `claude mcp add-json mine '${bare}'`,
      [['mine', npx]],
    ],
    ['the command for Claude Code without a program', 'claude mcp add mine', []],
    [
      'the command for VS Code',
      `code --add-mcp '{"name":"mine","command":"npx","args":["-y","@scope/server-files@1.0.0"]}'`,
      [['mine', npx]],
    ],
    [
      'the command for VS Code in a shell of Windows',
      String.raw`code --add-mcp "{\"name\":\"mine\",\"url\":\"https://a.b/mcp\"}"`,
      [['mine', { type: 'http', url: 'https://a.b/mcp' }]],
    ],
    ['the command for VS Code with something else', `code --add-mcp 'hush'`, []],
    ['nothing', '', []],
    ['prose over lines', 'Hello,\nworld', []],
    ['JSON that is no server', '{ "name": "x", "version": 1 }', []],
    ['a server without a command', '{ "mcpServers": { "a": { "args": [] } } }', []],
  ] as const)
    it(`is understood: ${title}`, () =>
      assert.deepEqual(
        structuredClone(readSnippet(text, inEnglish)).servers.map(({ name, server }) => [
          name,
          server,
        ]),
        expected,
      ));

  for (const [line, name] of [
    ['docker run -i --rm -e TOKEN mcp/fetch:latest', 'fetch'],
    ['docker run -i --memory 512m --add-host a:1 mcp/fetch:latest --verbose', 'fetch'],
    ['docker --context far container run -i mcp/fetch', 'fetch'],
    ['docker mcp gateway run', 'mcp'],
    ['podman run --env-file .env ghcr.io/github/github-mcp-server', 'github-mcp-server'],
    ['docker run -i --rm --volume /home/me:/data mcp/files /data', 'files'],
    ['uv run --with mcp weather.py', 'weather'],
    ['uv --directory /srv/weather run main.py', 'weather'],
    ['uvx --from git+https://git.example/notes notes start', 'notes'],
    ['uvx mcp-server-git --repository /srv', 'git'],
    ['npm exec @scope/server-files@1.0.0', 'files'],
    ['pnpm dlx @scope/notes-mcp', 'notes-mcp'],
    ['node /srv/server-memory/dist/index.js', 'memory'],
    ['node C:\\srv\\tickets\\build\\main.js', 'tickets'],
    ['node dist/index.js', 'index'],
    ['node server.js', 'server'],
    ['node --import tsx src/notes.ts', 'notes'],
    ['node -r ts-node/register servers/weather/src/index.ts', 'weather'],
    ['npx -y tsx notes.ts', 'notes'],
    ['bun run --preload ./setup.ts tickets.ts', 'tickets'],
    ['npx tsx watch src/weather.ts', 'weather'],
    ['npx tsx', 'tsx'],
  ] as const)
    it(`is named for what it launches: ${line}`, () =>
      assert.deepEqual(
        readSnippet(line, inEnglish).servers.map((found) => found.name),
        [name],
      ));

  for (const [line, isFrom] of [
    ['node --import tsx src/notes.ts', true],
    ['./notes --stdio', true],
    ['python ..\\\\tools\\\\notes.py', true],
    ['node ${workspaceFolder}/notes', true],
    ['node /srv/notes.js', false],
    ['node C:\\srv\\notes.js', false],
    ['npx -y @scope/notes@1.0.0', false],
    ['docker run -i ghcr.io/a/notes:1', false],
    ['uvx --from git+https://git.example/notes.py notes', false],
  ] as const)
    it(`is ${isFrom ? '' : 'not '}found only from a folder of the workspace: ${line}`, () => {
      const [found] = readSnippet(line, inEnglish).servers;
      assert.equal(isFromFolder({ ...found?.server }), isFrom);
    });

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
        structuredClone(readSnippet(text, inEnglish)).servers.map((found) => found.inputs),
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
    'claude mcp add',
    '```\nhunter2\n```',
    'me@example.com',
    'example.com',
    'src/index.ts',
    'go home',
    'go run home',
    'node is down again',
    'docker password: hunter2',
    'python hunter2',
    'npm install server-files',
    'java beans',
    '/hunter2',
    '/9j4AAQSkZJRgABAQ/4Rg==',
    '~/notes',
    'C:\\hunter2',
    '"C:\\my notes\\passwords.txt" hunter2',
    '"C:\\my server',
    '@hunter2',
    '@correct/Horse-Battery',
    '> go home',
    '```\ngo home\n```',
  ];
  for (const text of others)
    it(`is no server: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readCopied(text, inEnglish), { servers: [] }));

  const servers = [
    'npx -y @scope/server-files@1.0.0',
    '@scope/server-files',
    'uvx mcp-server-git',
    'npx.cmd -y @scope/files',
    'npm exec @scope/server-files',
    'pnpm dlx @scope/notes-mcp',
    'uv --directory /srv/weather run main.py',
    'uv run --with mcp weather.py',
    'docker run -i --rm -e TOKEN mcp/fetch:latest',
    'podman run --env-file .env ghcr.io/github/github-mcp-server',
    'deno run -A server.ts',
    'bun x files',
    'go run ./cmd/files',
    'dotnet run --project Files',
    'java -jar files.jar',
    'node "my server.js" a',
    'node C:\\srv\\tickets\\build\\main.js',
    'python3 -m server',
    './server.js --stdio',
    '/usr/local/bin/github-mcp-server stdio',
    '@modelcontextprotocol/files@1.0.0',
    'C:\\tools\\server.exe',
    '"C:\\tools\\server.exe"',
    '"C:\\Program Files\\nodejs\\node.exe" C:\\srv\\main.js',
    '"Z:\\my tools\\my server.cmd" "a b" x&y 100% ^caret',
    "'/srv/my files/server.py' --stdio",
    'KEY=a "\\\\host\\my share\\notes.exe"',
    'https://example.com/mcp',
    bare,
  ];
  for (const text of servers)
    it(`is a server: ${text}`, () => {
      assert.equal(readCopied(text, inEnglish).servers.length, 1);
      assert.deepEqual(readCopied(text, inEnglish), readSnippet(text, inEnglish));
    });
});

describe('the name of a server', () => {
  for (const [what, text, isNamed] of [
    ['a configuration', `{ "mcpServers": { "files": ${bare} } }`, true],
    ['one in Markdown', `# Files\n\n\`\`\`json\n{ "servers": { "f": ${bare} } }\n\`\`\``, true],
    ['a server with its name', bare.replace('{', '{ "name": "files",'), true],
    ['the command for Claude Code', 'claude mcp add mine -- npx -y @scope/server-files', true],
    ['the command for Claude Code with JSON', `claude mcp add-json mine '${bare}'`, true],
    [
      'the command for VS Code',
      `code --add-mcp '${JSON.stringify({ name: 'mine', command: 'npx' })}'`,
      true,
    ],
    ['the command for VS Code without a name', `code --add-mcp '${bare}'`, undefined],
    ['the command for Claude Code without a program', 'claude mcp add mine', undefined],
    ['a bare server', bare, undefined],
    ['a command line', 'npx -y @scope/server-files', undefined],
    [
      'a link',
      `vscode:mcp/install?${encodeURIComponent('{"name":"l","command":"npx"}')}`,
      undefined,
    ],
  ] as const)
    it(`${isNamed ? 'is taken from' : 'is asked for with'} ${what}`, () =>
      assert.equal(readCopied(text, inEnglish).isNamed, isNamed));
});

describe('commands that add servers, one below another', () => {
  const claude = 'claude mcp add one -- npx -y foo';
  const code = `code --add-mcp '{"name":"two","command":"npx","args":["-y","bar"]}'`;
  const one = ['one', { type: 'stdio', command: 'npx', args: ['-y', 'foo'] }];
  const two = ['two', { type: 'stdio', command: 'npx', args: ['-y', 'bar'] }];
  const json = `claude mcp add-json two '{\n  "command": "npx",\n\n  "args": ["-y", "bar"]\n}'`;
  for (const [title, text, expected] of [
    ['without anything between them', `${claude}\n${code}`, [one, two]],
    ['with line ends of Windows', `${claude}\r\n${code}\r\n`, [one, two]],
    ['with a blank line', `${claude}\n\n${code}`, [one, two]],
    ['with a comment', `# Claude Code\n${claude}\n# VS Code\n${code}`, [one, two]],
    ['with headings', `**Claude Code**\n\n${claude}\n\nVS Code:\n\n${code}\n`, [one, two]],
    ['with prompts of a terminal', `$ ${claude}\n$ ${code}`, [one, two]],
    ['in one code block', `\`\`\`sh\n${claude}\n${code}\n\`\`\``, [one, two]],
    ['over several lines', `claude mcp add one \\\n  -- npx \\\n  -y foo\n${code}`, [one, two]],
    ['with options below', `claude mcp add one\n  -- npx -y foo\n${code}`, [one, two]],
    ['with JSON over several lines', `${claude}\n${json}\nDone.`, [one, two]],
    ['JSON over several lines first', `${json}\n${claude}`, [two, one]],
    [
      'with a quote that is never closed',
      `claude mcp add one -- npx -y foo "\n${code}`,
      [['one', { type: 'stdio', command: 'npx', args: ['-y', 'foo', '"'] }], two],
    ],
    ['one that lacks its program', `claude mcp add\n${code}`, [two]],
    [
      'the same for two applications',
      `${code}\n${claude.replace('foo', 'bar')}`,
      [['one', two[1]]],
    ],
    ['prose below', `${claude}\nThen start it again.`, [one]],
  ] as const)
    it(`are all found: ${title}`, () => {
      const { servers, isNamed } = readCopied(text, inEnglish);
      const found = servers.map(({ name, server }) => [name, server]);
      assert.deepEqual(structuredClone(found), expected);
      assert.equal(isNamed, true);
    });
});

describe('the address of a web page', () => {
  const npm = (name: string) => ({ type: 'stdio', command: 'npx', args: ['-y', name] });
  const uvx = (name: string) => ({ type: 'stdio', command: 'uvx', args: [name] });
  const docker = (image: string) => ({
    type: 'stdio',
    command: 'docker',
    args: ['run', '-i', '--rm', image],
  });
  for (const [text, name, server] of [
    [
      'https://www.npmjs.com/package/@modelcontextprotocol/server-memory',
      'memory',
      npm('@modelcontextprotocol/server-memory'),
    ],
    ['https://npmjs.com/package/files-mcp?activeTab=readme', 'files-mcp', npm('files-mcp')],
    ['https://www.npmjs.com/package/%40scope/server-files/v/1.0.0#usage', 'files', npx],
    ['www.npmjs.com/package/files-mcp', 'files-mcp', npm('files-mcp')],
    ['https://pypi.org/project/mcp-server-git/', 'git', uvx('mcp-server-git')],
    ['https://pypi.org/project/mcp-server-git/2025.1/', 'git', uvx('mcp-server-git@2025.1')],
    ['https://hub.docker.com/r/mcp/fetch', 'fetch', docker('mcp/fetch')],
    [
      'https://hub.docker.com/r/acme/server-files/tags?page=1',
      'files',
      docker('acme/server-files'),
    ],
    ['https://hub.docker.com/mcp/server/fetch/overview', 'fetch', docker('mcp/fetch')],
    ['hub.docker.com/mcp/server/fetch', 'fetch', docker('mcp/fetch')],
  ] as const)
    it(`is that of a package: ${text}`, () => {
      for (const read of [readCopied, readServerUrl, readPackage])
        assert.deepEqual(structuredClone(read(text, inEnglish)), { servers: [{ name, server }] });
    });

  for (const text of [
    'https://github.com/github/github-mcp-server',
    'https://github.com/awslabs/mcp/',
    'https://github.com/modelcontextprotocol/servers/tree/main/src/memory',
    'https://github.com/github/github-mcp-server.git#readme',
    'https://github.com/mcp/github/github-mcp-server',
    'github.com/github/github-mcp-server',
  ])
    it(`is told from a server, with where the command stands: ${text}`, () => {
      for (const read of [readCopied, readServerUrl, readPackage]) {
        const { servers, problem } = read(text, inEnglish);
        assert.deepEqual(servers, []);
        assert.match(problem ?? '', /^This is the web page of a repository, .* its README\.$/);
      }
    });

  for (const text of [
    'https://hub.docker.com/_/postgres',
    'https://smithery.ai/server/@owner/name',
    'https://smithery.ai/servers/owner/name',
    'https://www.mcp.so/server/fetch/modelcontextprotocol?tab=tools',
    'https://mcp.so/zh/server/fetch/modelcontextprotocol',
    'https://glama.ai/mcp/servers/@owner/name',
    'https://www.pulsemcp.com/servers/fetch',
    'https://lobehub.com/mcp/owner-name',
    'https://lobehub.com/zh-CN/discover/mcp/owner-name',
    'smithery.ai/server/@owner/name',
  ])
    it(`is told from a server, with what to paste from there: ${text}`, () => {
      for (const read of [readCopied, readServerUrl, readPackage]) {
        const { servers, problem } = read(text, inEnglish);
        assert.deepEqual(servers, []);
        assert.match(problem ?? '', /^This is a web page about a server, .* that it shows\.$/);
      }
    });

  for (const text of [
    'https://api.githubcopilot.com/mcp/',
    'https://server.smithery.ai/@owner/name/mcp',
    'https://glama.ai/endpoints/a1b2c3/mcp',
    'https://mcp.so/mcp',
    'https://github.example.com/owner/repo',
    'https://registry.npmjs.org/package/mcp',
    'https://github.com/owner/repo/mcp',
  ])
    it(`may be that of a server: ${text}`, () =>
      assert.equal(readCopied(text, inEnglish).servers[0]?.server['url'], text));

  for (const page of ['https://github.com/a/b', 'https://smithery.ai/server/@a/b'])
    it(`stands against nothing that a README has beside it: ${page}`, () => {
      const text = `\`\`\`\n${page}\n\`\`\`\n\`\`\`json\n${bare}\n\`\`\``;
      assert.deepEqual(structuredClone(readCopied(text, inEnglish)), {
        servers: [{ name: 'files', server: npx }],
      });
    });
});

describe('an address', () => {
  for (const [text, url] of [
    ['example.com/mcp', 'https://example.com/mcp'],
    ['mcp.example.com:8443/mcp?a=1', 'https://mcp.example.com:8443/mcp?a=1'],
    ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
    ['https://example.com/mcp', 'https://example.com/mcp'],
  ] as const)
    it(`may lack its scheme, copied or typed: ${text}`, () => {
      for (const read of [readCopied, readServerUrl])
        assert.deepEqual(read(text, inEnglish).servers[0]?.server, { type: 'http', url });
    });

  for (const text of ['node server.js', '', 'ftp://a.b/c', 'two words.com/mcp'])
    it(`is not read from: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readServerUrl(text, inEnglish).servers, []));
});

describe('a text for the name of a package', () => {
  for (const text of ['foo', 'npx -y foo', 'npx --yes foo', 'npm install foo', 'npm i -g foo'])
    it(`names foo: ${text}`, () => {
      const [found] = readPackage(text, inEnglish).servers;
      assert.equal(found?.name, 'foo');
      assert.equal(found.server['command'], 'npx');
      assert.equal((found.server['args'] as string[]).at(-1), 'foo');
    });

  for (const text of ['', 'two words', '-y'])
    it(`names no package: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readPackage(text, inEnglish).servers, []));
});
