import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  chmod,
  mkdtemp,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readOptions } from '../../../cli/options';
import { searchedFolders, withGiven } from '../../../cli/launch';
import { splitCommand } from '../../../cli/terminal';
import { maxSurfaceBytes } from '../../../src/development/surface/compareSurfaces';
import { ScriptedHttpServer } from '../../support/fakes/scriptedHttpServer';
import { packCommand } from '../../../tools/build/packCommand';
import { createCensus } from '../../support/processes/processCensus';
import { thisSystem } from '../../../src/mcp/node/system';
import { hasHidden } from '../../../src/base/text/text';
import { built } from '../../support/paths';
import { execute } from '../../support/run/execute';

const command = built('command', 'mcp-workbench.js');
const everything = join(
  dirname(
    createRequire(__filename).resolve('@modelcontextprotocol/server-everything/package.json'),
  ),
  'dist/index.js',
);

/** A server in plain Node with predictable answers. */
const plainServer = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'plain', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' } }, { name: 'other', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { a, b } }) => ({ content: [{ type: 'text', text: JSON.stringify({ sum: a + b, note: '<&"\\u0007' }) }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'no ' + method } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;

describe('the command mcp-workbench', function () {
  this.timeout(60_000);
  const census = createCensus();
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-command-'));
    await writeFile(join(folder, 'server.js'), plainServer);
  });
  afterEach(async () => {
    assert.deepEqual(await census.commands(), []);
    await rm(folder, { recursive: true, force: true });
  });

  const env = { ...process.env, ...census.env };
  const run = (...args: string[]) =>
    execute(process.execPath, [command, ...args], { cwd: folder, env });
  const write = async (name: string, value: object) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(value));
  };
  const from = { command: process.execPath, args: ['server.js'] };
  const adds = (sum: number) => ({
    name: `adds to ${sum}`,
    call: 'add',
    arguments: { a: 1, b: 2 },
    expect: { json: { sum } },
  });

  it('runs what it finds below its folder, and ends with 0 where all is as expected', async () => {
    await write('a/one.mcp-calls.jsonc', {
      from: { ...from, args: ['../server.js'] },
      steps: [adds(3)],
    });
    await write('node_modules/x/two.mcp-calls.jsonc', { from, steps: [adds(4)] });
    const { code, output } = await run('test');
    assert.equal(code, 0, output);
    assert.match(output, /^\.\n1 passed \(\d/);
  });

  const evil = 'a\u001B[31mb\u202Ec\u009B2J##vso[x]';
  const shown = 'ab⟨U+202E⟩c⟨U+009B⟩2J';
  const sayings: Readonly<Record<string, readonly string[]>> = {
    'an option that there is not': ['test', `--${evil}`],
    'a file that there is not': ['test', `${evil}.mcp-calls.jsonc`],
    'a recording that there is not': ['serve', `${evil}.mcp-recording.jsonc`],
    'an answer of a server': [
      'send',
      '--server',
      `it="${process.execPath}" server.js`,
      `own/${evil}`,
    ],
    'a report': ['test', 'steps.mcp-calls.jsonc'],
    'a report as JSON': ['test', '--reporter', 'json', 'steps.mcp-calls.jsonc'],
    'a report for others': ['test', '--reporter', 'junit', 'steps.mcp-calls.jsonc'],
    'the surface of a server': ['surface', '--server', `it="${process.execPath}" hostile.js`],
  };
  for (const [what, args] of Object.entries(sayings))
    it(`leaves nothing in the terminal to act on: ${what}`, async () => {
      const hostile = plainServer.replaceAll("'add'", JSON.stringify(evil));
      await writeFile(join(folder, 'hostile.js'), hostile);
      await write('steps.mcp-calls.jsonc', { from, steps: [{ ...adds(4), name: evil }] });
      const { output } = await run(...args);
      const escaped = String.raw`a\u001b[31mb\u202ec\u009b2J`;
      const inXml = 'a⟨U+001B⟩[31mb⟨U+202E⟩c⟨U+009B⟩2J';
      assert.ok(
        [shown, escaped, inXml].some((one) => output.includes(one)),
        output,
      );
      assert.ok(!hasHidden(output), output);
      assert.ok(!output.includes('##vso['), output);
    });

  it('answers what the server asks, as the file says, and tells it of nothing else', async () => {
    const server = plainServer
      .replace(
        "require('node:readline')",
        `
let waiting;
answers.initialize = ({ protocolVersion, capabilities }) => (asks = Object.keys(capabilities), { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'asks', version: '1' } });
const ask = (method, params) => console.log(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
let asks = [];
require('node:readline')`,
      )
      .replace(
        'if (id === undefined) return;',
        `if (id === undefined) return;
  if (method === 'tools/call') {
    waiting = { id, said: [asks] };
    ask('roots/list');
    return ask('sampling/createMessage', { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 5 });
  }
  if (method === undefined) {
    const { result } = JSON.parse(line);
    waiting.said.push(result.roots ? result.roots[0].name : result.content.text);
    if (waiting.said.length === 3) console.log(JSON.stringify({ jsonrpc: '2.0', id: waiting.id, result: { content: [], structuredContent: { said: waiting.said.flat().toSorted() } } }));
    return;
  }`,
      );
    await writeFile(join(folder, 'server.js'), server);
    await write('one.mcp-calls.jsonc', {
      from,
      answers: { sampling: ['Hello'], roots: [{ uri: '.', name: 'here' }] },
      steps: [
        {
          call: 'ask',
          expect: {
            json: { said: ['Hello', 'here', 'roots', 'sampling', 'tasks'] },
            asked: [{ method: 'sampling/createMessage', params: { maxTokens: 5 } }],
          },
        },
      ],
    });
    const { code, output } = await run('test');
    assert.equal(code, 0, output);
  });

  describe('behind a proxy', () => {
    const ends: (() => Promise<unknown>)[] = [];
    let asked: string[] = [];
    let proxy = '';
    let http: ScriptedHttpServer;

    beforeEach(async () => {
      asked = [];
      http = new ScriptedHttpServer({
        initialize: ({ protocolVersion }) => ({
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'far', version: '1' },
        }),
        'tools/list': () => ({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] }),
        'tools/call': () => ({ content: [{ type: 'text', text: '{"sum":3}' }] }),
      });
      await http.start();
      ends.push(() => http.stop());
      const server = createServer((request, response) => {
        asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
        const { pathname } = new URL(request.url ?? '');
        const { port } = http;
        const options = { port, path: pathname, method: request.method, headers: request.headers };
        request.pipe(
          sendRequest(options, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers);
            answer.pipe(response);
          }).on('error', () => response.destroy()),
        );
      });
      server.on('connect', ({ url }, socket: Duplex) => {
        asked.push(`CONNECT ${url}`);
        socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n');
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      proxy = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      ends.push(() => new Promise((done) => server.close(done).closeAllConnections()));
    });

    afterEach(async () => {
      for (const end of ends.splice(0).toReversed()) await end();
    });

    /** Runs a call of a server at an address, with variables and none of those of this machine. */
    const runAt = async (url: string, variables: Readonly<Record<string, string>>) => {
      const own = Object.entries(env).filter(([name]) => !/_proxy$/i.test(name));
      await write('one.mcp-calls.jsonc', { from: { type: 'http', url }, steps: [adds(3)] });
      return execute(process.execPath, [command, 'test'], {
        cwd: folder,
        env: { ...Object.fromEntries(own), ...variables },
      });
    };
    const far = 'http://mcp.test/mcp';

    for (const [title, variables] of [
      ['HTTP_PROXY', () => ({ HTTP_PROXY: `http://${proxy}` })],
      [
        'http_proxy, which wins',
        () => ({ http_proxy: `http://${proxy}/`, HTTP_PROXY: 'http://127.0.0.1:1' }),
      ],
      ['ALL_PROXY', () => ({ ALL_PROXY: `http://${proxy}`, HTTPS_PROXY: 'http://127.0.0.1:1' })],
      ['HTTP_PROXY without a scheme', () => ({ HTTP_PROXY: proxy })],
      [
        'HTTP_PROXY, and NO_PROXY for others',
        () => ({ HTTP_PROXY: `http://${proxy}`, NO_PROXY: 'other.test,.example' }),
      ],
    ] as const)
      it(`reaches a server by ${title}`, async function () {
        // Windows takes both for the same variable.
        if (process.platform === 'win32' && title.includes('http_proxy')) this.skip();
        const { code, output } = await runAt(far, variables());
        assert.equal(code, 0, output);
        assert.ok(
          asked.length > 2 && asked.every((one) => one.includes(` ${far} `)),
          asked.join('\n'),
        );
      });

    it('sends the user and the password of the proxy to it', async () => {
      const { code, output } = await runAt(far, { HTTP_PROXY: `http://me:s%20ecret@${proxy}` });
      assert.equal(code, 0, output);
      const basic = `Basic ${Buffer.from('me:s ecret').toString('base64')}`;
      assert.ok(
        asked.every((one) => one.endsWith(basic)),
        asked.join('\n'),
      );
    });

    for (const name of ['HTTPS_PROXY', 'https_proxy', 'all_proxy'])
      it(`asks for a tunnel to an encrypted server by ${name}, and says what became of it`, async () => {
        const { code, output } = await runAt('https://mcp.test/mcp', { [name]: `http://${proxy}` });
        assert.equal(code, 2, output);
        assert.ok(
          asked.length > 0 && asked.every((one) => one === 'CONNECT mcp.test:443'),
          asked.join('\n'),
        );
        assert.match(output, /Could not reach https:\/\/mcp\.test\/mcp: .*403/);
      });

    for (const [title, url, variables] of [
      [
        'is named by NO_PROXY',
        far,
        () => ({ HTTP_PROXY: `http://${proxy}`, NO_PROXY: 'mcp.test' }),
      ],
      ['is named by no_proxy', far, () => ({ HTTP_PROXY: `http://${proxy}`, no_proxy: '.test' })],
      [
        'is one of all that NO_PROXY names',
        far,
        () => ({ HTTP_PROXY: `http://${proxy}`, NO_PROXY: '*' }),
      ],
      [
        'is plain, where there is a proxy for encrypted ones alone',
        far,
        () => ({ HTTPS_PROXY: `http://${proxy}` }),
      ],
    ] as const)
      it(`reaches a server directly that ${title}`, async () => {
        const { code } = await runAt(url, variables());
        assert.deepEqual([code, asked], [2, []]);
      });

    it('reaches a server of this machine directly', async () => {
      const { code, output } = await runAt(`http://127.0.0.1:${http.port}/mcp`, {
        HTTP_PROXY: `http://${proxy}`,
      });
      assert.deepEqual([code, asked], [0, []], output);
    });

    it('says that it is the proxy that cannot be reached', async () => {
      const { code, output } = await runAt(far, { HTTP_PROXY: 'http://me:secret@127.0.0.1:1' });
      assert.equal(code, 2);
      assert.match(output, /The proxy 127\.0\.0\.1:1 cannot be reached\./);
    });

    it('says which variable is no URL, and nothing of what is in it', async () => {
      const { code, output } = await runAt(far, { HTTP_PROXY: 'http://me:secret@:x' });
      assert.deepEqual([code, output.trim()], [2, 'The proxy in HTTP_PROXY is not a URL.']);
    });

    it('is said in the help', async () => assert.match((await run('--help')).output, /HTTP_PROXY/));
  });

  it('ends with 1 where a step fails, and says what came instead', async () => {
    await write('one.mcp-calls.jsonc', { from, steps: [adds(3), adds(4)] });
    const { code, output } = await run('test');
    assert.equal(code, 1, output);
    assert.match(output, /^\.F\nfailed {3}one\.mcp-calls\.jsonc:1 adds to 4\n.*expected 4, got 3/s);
  });

  const broken: readonly [what: string, file: object, output: RegExp][] = [
    ['a file cannot be used', { from, steps: [{}] }, /one\.mcp-calls\.jsonc:1: A step has exactly/],
    ['a server is not known', { from: 'demo', steps: [adds(3)] }, /No server is called "demo"/],
    [
      'a server does not start',
      {
        from: {
          command: process.execPath,
          args: ['-e', 'console.error("no way"); process.exit(3)'],
        },
        steps: [adds(3)],
      },
      /exited with code 3.*no way/s,
    ],
  ];
  for (const [what, file, expected] of broken)
    it(`ends with 2 where ${what}`, async () => {
      await write('one.mcp-calls.jsonc', file);
      const { code, output } = await run('test');
      assert.equal(code, 2, output);
      assert.match(output, expected);
    });

  for (const args of [
    ['tset'],
    ['test', '--reporter', 'x'],
    ['test', '--server', 'x'],
    ['test', '--nope'],
  ])
    it(`ends with 2 for ${args.join(' ')}`, async () => {
      const { code } = await run(...args);
      assert.equal(code, 2);
    });

  it('ends with 2 where there is nothing to run', async () => {
    const { code, output } = await run('test');
    assert.equal(code, 2);
    assert.match(output, /No saved calls found/);
  });

  it('finds a server of the workspace, with its variables and inputs', async () => {
    const config = {
      ...from,
      args: ['${workspaceFolder}/server.js', '${input:a-key}', '${env:PATH}'],
    };
    await write('.vscode/mcp.json', { servers: { plain: config } });
    await write('deep/one.mcp-calls.jsonc', { from: 'plain', steps: [adds(3)] });
    const missing = await run('test');
    assert.match(missing.output, /set the environment variable MCP_INPUT_A_KEY/);
    const args = [command, 'test'];
    const given = { ...env, MCP_INPUT_A_KEY: 'x' };
    const { code, output } = await execute(process.execPath, args, { cwd: folder, env: given });
    assert.equal(code, 0, output);
  });

  it('finds a server in the file that it is told, and nowhere else', async () => {
    const named = { ...from, args: ['${workspaceFolder}/server.js'] };
    await write('config/desktop.json', { mcpServers: { plain: named } });
    await write('.mcp.json', { mcpServers: { other: named, plain: { command: 'not-there' } } });
    await write('deep/one.mcp-calls.jsonc', { from: 'plain', steps: [adds(3)] });
    const config = ['--config', 'config/desktop.json'];
    const deep = await run('test', ...config);
    assert.equal(deep.code, 0, deep.output);
    const found = await run('send', 'tools/list', '--server', 'plain', ...config);
    assert.equal(found.code, 0, found.output);
    for (const [args, message] of [
      [
        ['--server', 'other', ...config],
        /^No server is called "other" in config\/desktop\.json\.$/m,
      ],
      [['--server', 'plain', '--config', 'none.json'], /none\.json/],
      [['--server', 'plain=node x.js', ...config], /^--config is for --server NAME, without/],
    ] as const) {
      const { code, output } = await run('send', 'tools/list', ...args);
      assert.equal(code, 2);
      assert.match(output, message);
    }
  });

  for (const [what, prepare, expected] of [
    ['in a folder above', async () => {}, undefined],
    [
      'above the root of the repository',
      () => mkdir(join(folder, 'project/.git'), { recursive: true }),
      /No server is called "plain": it is in no .* here or above, up to the root of the repository\. Add it, or pass --server plain="command"\./,
    ],
    [
      'where every account can write',
      () => chmod(folder, 0o1777),
      /\.mcp\.json was not read: Every account of this machine can write to .*\. Move it to a folder of your own, or pass --server plain="command"\./,
    ],
  ] as const)
    it(`${expected ? 'does not launch' : 'launches'} what a configuration names ${what}`, async function () {
      if (thisSystem() === 'win32' && what === 'where every account can write') this.skip();
      await write('.mcp.json', { mcpServers: { plain: { ...from, args: ['server.js'] } } });
      await write('project/deep/one.mcp-calls.jsonc', { from: 'plain', steps: [adds(3)] });
      await prepare();
      const { code, output } = await run('test');
      if (expected) assert.match(output.replaceAll(/\s+/g, ' '), expected);
      else assert.equal(code, 0, output);
    });

  it('launches what the command line names in place of that', async () => {
    await write('one.mcp-calls.jsonc', { from: 'demo', steps: [adds(3)] });
    const { code, output } = await run('test', '--server', `demo="${process.execPath}" server.js`);
    assert.equal(code, 0, output);
  });

  it('launches a process where headers are given, which are for the servers at a URL', async () => {
    await write('one.mcp-calls.jsonc', { from: 'demo', steps: [adds(3)] });
    const line = `demo="${process.execPath}" server.js`;
    const { code, output } = await run('test', '--server', line, '--header', 'X-Key: 1');
    assert.equal(code, 0, output);
  });

  it('runs on with values of earlier steps, and skips where one is missing', async () => {
    const step = { call: 'add', arguments: { a: 1, b: '${sum}' } };
    const saves = { ...adds(3), save: { sum: '$.sum' } };
    const steps = [
      saves,
      { ...step, name: 'more', expect: { json: { sum: 4 } } },
      { ...step, name: 'less', arguments: { a: '${none}' } },
    ];
    await write('one.mcp-calls.jsonc', { from, steps });
    const { code, output } = await run('test');
    assert.equal(code, 1, output);
    assert.match(output, /^\.\.s\nskipped {2}.* less\n.*\$\{none\} has no value/s);
  });

  it('writes snapshots when asked to, and holds against them', async () => {
    const step = { ...adds(3), expect: { snapshot: 'snapshots/add.json' } };
    await write('one.mcp-calls.jsonc', { from, steps: [step] });
    assert.equal((await run('test')).code, 1);
    assert.equal((await run('test', '--update')).code, 0);
    assert.equal((await run('test')).code, 0);
    assert.match(await readFile(join(folder, 'snapshots/add.json'), 'utf8'), /"content"/);
  });

  const linked: readonly [what: string, link: string, args: readonly string[], problem: RegExp][] =
    [
      ['a snapshot', 'snapshots', ['--update'], /snapshots is a link that leads out of the folder/],
      ['a snapshot', 'snapshots/add.json', ['--update'], /add\.json is a link that leads out/],
      [
        'a snapshot that is held against',
        'snapshots/add.json',
        [],
        /Nothing was read: .* is a link/,
      ],
      ['a report', 'r.xml', ['--reporter', 'junit', '--output', 'r.xml'], /r\.xml is a link that/],
      ['a summary', 's.md', ['--summary', 's.md'], /s\.md is a link that leads out/],
    ];
  for (const [what, link, args, problem] of linked)
    it(`follows no link out of its folder for ${what}: ${link}`, async () => {
      const outside = await mkdtemp(join(tmpdir(), 'mcp-workbench-outside-'));
      try {
        const step = { ...adds(3), expect: { snapshot: 'snapshots/add.json' } };
        await write('one.mcp-calls.jsonc', { from, steps: [step] });
        const target = join(outside, 'target');
        if (link === 'snapshots') await mkdir(target);
        else await writeFile(target, '{}');
        await mkdir(dirname(join(folder, link)), { recursive: true });
        await symlink(target, join(folder, link));
        const { code, output } = await run('test', ...args);
        assert.notEqual(code, 0);
        assert.match(output, problem);
        if (link === 'snapshots') assert.deepEqual(await readdir(target), []);
        else assert.equal(await readFile(target, 'utf8'), '{}');
      } finally {
        await rm(outside, { recursive: true });
      }
    });

  it('follows no link out of a repository for a snapshot where the working folder holds more', async () => {
    const step = { ...adds(3), expect: { snapshot: 'snapshots/settings.json' } };
    const there = { command: process.execPath, args: ['../server.js'] };
    await write('repository/one.mcp-calls.jsonc', { from: there, steps: [step] });
    const settings = join(folder, 'settings');
    await mkdir(settings);
    await symlink(settings, join(folder, 'repository', 'snapshots'));
    const { code, output } = await run('test', '--update');
    assert.equal(code, 1, output);
    assert.match(output, /snapshots is a link that leads out of the folder/);
    assert.deepEqual(await readdir(settings), []);
  });

  it('writes a report where its caller says from the root of all folders, too', async () => {
    await write('one.mcp-calls.jsonc', { from, steps: [adds(3)] });
    await symlink(join(folder, 'real.xml'), join(folder, 'r.xml'));
    const calls = join(folder, 'one.mcp-calls.jsonc');
    const args = ['test', calls, '--reporter', 'junit', '--output', join(folder, 'r.xml')];
    const { output } = await execute(process.execPath, [command, ...args], { cwd: '/', env });
    assert.match(await readFile(join(folder, 'real.xml'), 'utf8'), /<testsuites/, output);
  });

  it('reports as JSON, as JUnit and for a pull request', async () => {
    const wrong = { ...adds(4), name: 'adds <& 4' };
    await write('one.mcp-calls.jsonc', { from, steps: [adds(3), wrong] });
    const json = JSON.parse((await run('test', '--reporter', 'json')).output) as Record<
      string,
      unknown
    >;
    assert.deepEqual(json['totals'], {
      passed: 1,
      failed: 1,
      skipped: 0,
      advice: 0,
      untried: 0,
      warnings: 0,
      broken: 0,
    });
    const { output } = await run(
      'test',
      '--reporter',
      'junit',
      '--output',
      'r.xml',
      '--summary',
      's.md',
    );
    assert.match(output, /^\.F/);
    const xml = await readFile(join(folder, 'r.xml'), 'utf8');
    assert.match(
      xml,
      /<testsuites name="mcp-workbench" tests="2" failures="1" errors="0" skipped="0"/,
    );
    assert.match(
      xml,
      /<failure message="The value differs at sum: expected 4, got 3\.">- expected, \+ actual/,
    );
    assert.match(xml, /name="adds &lt;&amp; 4"/);
    const summary = await readFile(join(folder, 's.md'), 'utf8');
    assert.match(summary, /❌ Saved MCP calls: 1 passed, 1 failed/);
    assert.match(
      summary,
      /```diff\n- expected, \+ actual\n \{\n-  "sum": 4\n\+  "sum": 3\n \}\n```/,
    );
    assert.match(summary, /Tools without a step: `other`/);
  });

  for (const [what, server] of [
    ['an answer', plainServer.replace("'<&\"\\u0007'", 'process.env.OWN')],
    ['what it ends with', "console.error('got ' + process.env.OWN); process.exit(1);"],
  ] as const)
    it(`has nothing of what a server was given in its reports, though it repeats it in ${what}`, async () => {
      await writeFile(join(folder, 'server.js'), server);
      const expect = { text: { equals: 'other' } };
      await write('one.mcp-calls.jsonc', { from: 'it', steps: [{ ...adds(3), expect }] });
      const given = [
        '--server',
        `it="${process.execPath}" server.js`,
        '--env',
        'OWN=hush-hunter2-9',
      ];
      const files = ['--output', 'r.txt', '--summary', 's.md'];
      for (const reporter of ['dot', 'json', 'junit']) {
        const printed = await run('test', ...given, '--reporter', reporter, '--verbose');
        const { output } = await run('test', ...given, '--reporter', reporter, ...files);
        const written = await Promise.all(
          ['r.txt', 's.md'].map((name) => readFile(join(folder, name), 'utf8')),
        );
        for (const text of [printed.output, ...written]) {
          assert.match(text, /‹redacted›/);
          assert.doesNotMatch(text, /hunter2/);
        }
        assert.doesNotMatch(output, /hunter2/);
      }
    });

  it('says the path of a folder as a server says it, also one that the server was given', async () => {
    const told = plainServer.replace(/note: '[^']*'/, 'note: process.env.ROOT');
    await writeFile(join(folder, 'server.js'), told);
    const line = ['--env', `ROOT=${folder}`, '--', process.execPath, 'server.js'];
    const { output } = await run('send', 'tools/call', 'add', ...line);
    assert.ok(output.includes(basename(folder)), output);
  });

  const repeated = async (method: string, ...options: string[]) => {
    const { code, output } = await run('send', method, ...options, '--', 'node', 'server.js');
    const { requests, atOnce, failed, failures, ms } = JSON.parse(output);
    assert.ok(ms.least <= ms.median && ms.median <= ms.p99 && ms.p99 <= ms.most, output);
    return { code, requests, atOnce, failed, failures };
  };

  it('repeats a request, and says how many there were and what failed', async () => {
    await writeFile(
      join(folder, 'server.js'),
      plainServer.replace(
        "  'tools/call'",
        `  'own/fourth': () => { globalThis.count = (globalThis.count ?? 0) + 1; return { isError: count === 4 }; },
  'own/last': () => process.exit(),
  'tools/call'`,
      ),
    );
    const none = { failed: 0, failures: {} };
    const said = 'The tool says that it failed.';
    const refused = '"node" could not send "own/none": no own/none';
    const add = ['add', '--arg', 'a=1', '--arg', 'b=2'];
    assert.deepEqual(
      [
        await repeated('tools/call', ...add, '--repeat', '7'),
        await repeated('tools/call', ...add, '--repeat', '50', '--at-once', '8'),
        await repeated('own/fourth', '--repeat', '10'),
        await repeated('own/none', '--repeat', '3', '--at-once', '2'),
      ],
      [
        { code: 0, requests: 7, atOnce: 1, ...none },
        { code: 0, requests: 50, atOnce: 8, ...none },
        { code: 1, requests: 10, atOnce: 1, failed: 1, failures: { [said]: 1 } },
        { code: 1, requests: 3, atOnce: 2, failed: 3, failures: { [refused]: 3 } },
      ],
    );
    const { code, requests, failed } = await repeated('own/last', '--repeat', '1000');
    assert.deepEqual({ code, requests, failed }, { code: 1, requests: 1, failed: 1 });
  });

  it('repeats a request for a time, and no more often than is wanted', async () => {
    const add = ['add', '--arg', 'a=1', '--arg', 'b=2'];
    const began = performance.now();
    const slow = await repeated(
      'tools/call',
      ...add,
      '--for',
      '1s',
      '--rate',
      '20',
      '--at-once',
      '2',
    );
    assert.ok(slow.requests > 0 && slow.requests <= 20, `${slow.requests} in a second`);
    assert.equal(slow.code, 0);
    const rare = await repeated('tools/call', ...add, '--for', '1s', '--rate', '0.5');
    assert.deepEqual([rare.code, rare.requests], [0, 1]);
    const few = await repeated('tools/call', ...add, '--for', '1h', '--repeat', '3');
    assert.deepEqual([few.code, few.requests], [0, 3]);
    assert.ok(performance.now() - began < 60_000);
    await writeFile(
      join(folder, 'server.js'),
      plainServer.replace("  'tools/call'", "  'own/last': () => process.exit(),\n  'tools/call'"),
    );
    const { code, requests } = await repeated('own/last', '--for', '1h');
    assert.deepEqual([code, requests], [1, 1]);
  });

  it('starts a server in the folder that is named, and gives up one that takes too long', async () => {
    const there = join(folder, 'there');
    await mkdir(there);
    await writeFile(
      join(there, 'here.js'),
      plainServer.replace("name: 'plain'", 'name: process.cwd()'),
    );
    const line = ['send', 'initialize', '--cwd', 'there', '--', 'node', 'here.js'];
    const { code, output } = await run(...line);
    assert.equal(code, 0, output);
    assert.ok(output.includes(JSON.stringify(await realpath(there))), output);
    await write('.mcp.json', { mcpServers: { known: { command: 'node', args: ['here.js'] } } });
    const known = await run('send', 'initialize', '--server', 'known', '--cwd', 'there');
    assert.equal(known.code, 0, known.output);
    const silent = ['--', 'node', '-e', 'setInterval(() => {}, 1000)'];
    for (const [options, message] of [
      [['--cwd', 'nowhere', '--', 'node', 'here.js'], /^--cwd must be a folder: nowhere$/m],
      [
        ['--cwd', 'there', '--', 'http://127.0.0.1:9/mcp'],
        /^--cwd is for servers that are processes/m,
      ],
      [['--connect-timeout', '2', ...silent], /^--connect-timeout must be a time/m],
      [
        ['--connect-timeout', '300ms', ...silent],
        /^The server "node" does not run: .* in time\. .* --connect-timeout sets how long to wait/m,
      ],
    ] as const) {
      const failed = await run('send', 'ping', ...options);
      assert.equal(failed.code, 2, failed.output);
      assert.match(failed.output, message);
    }
  });

  it('sends the requests on its stdin in one session, also after one that fails', async () => {
    await writeFile(
      join(folder, 'server.js'),
      plainServer.replace(
        "  'tools/call'",
        "  'own/count': ({ it }) => ({ count: (globalThis.count = (globalThis.count ?? 0) + 1), it }),\n  'tools/call'",
      ),
    );
    const lines = [
      'own/count',
      '',
      '# a comment',
      'own/none',
      `tools/call add --arg a=1 --arg 'b=2' --raw`,
      'own/count a b c',
      `own/count --params '{"it": "a b"}'`,
      'own/hunter2-9 a',
    ];
    const given = ['--env', 'OWN=hunter2-9', '--', 'node', 'server.js'];
    const child = spawn(process.execPath, [command, 'send', '-', ...given], { cwd: folder, env });
    let [output, said] = ['', ''];
    child.stdout.on('data', (bytes) => (output += String(bytes)));
    child.stderr.on('data', (bytes) => (said += String(bytes)));
    child.stdin.end(lines.join('\n'));
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 2, said);
    assert.match(
      output,
      /^\{\n {2}"count": 1\n\}\n\{"sum":3,.*\}\n\{\n {2}"count": 2,\n {2}"it": "a b"\n\}\n$/,
    );
    assert.match(said, /no own\/none \(-32601\)\nLine 6: send needs one METHOD/);
    assert.match(said, /Line 8: own\/‹redacted› has no NAME/);
    const load = await run('send', '-', '--repeat', '2', '--', 'node', 'server.js');
    assert.match(load.output, /^With "-", leave out --repeat and --for\.\n$/);
    for (const ofLine of [['add'], ['--arg', 'a=1'], ['--task-ttl', '1s']]) {
      const refused = await run('send', '-', ...ofLine, '--', 'node', 'server.js');
      assert.deepEqual(
        [refused.code, /each line has its own NAME/.test(refused.output)],
        [2, true],
      );
    }
  });

  it('calls a tool as a task whose result is kept for a time, where it runs as one', async () => {
    await writeFile(
      join(folder, 'server.js'),
      plainServer
        .replace('{ tools: {} }', '{ tools: {}, tasks: { requests: { tools: { call: {} } } } }')
        .replace("name: 'add'", "name: 'add', execution: { taskSupport: 'optional' }")
        .replace(
          /'tools\/call': .*/,
          `'tools/call': ({ task }) => (globalThis.task = task, { task: { taskId: 't', status: 'working', pollInterval: 1, createdAt: '', lastUpdatedAt: '' } }),
  'tasks/get': () => ({ taskId: 't', status: 'completed' }),
  'tasks/result': () => ({ content: [{ type: 'text', text: JSON.stringify(globalThis.task) }] }),`,
        ),
    );
    const call = (...args: string[]) =>
      run('send', 'tools/call', ...args, '--raw', '--', 'node', 'server.js');
    assert.equal((await call('add', '--task-ttl', '60s')).output, '{"ttl":60000}\n');
    assert.equal((await call('add')).output, '{}\n');
    const other = await call('other', '--task-ttl', '60s');
    assert.deepEqual(
      [other.code, /"other" does not run as a task here/.test(other.output)],
      [2, true],
    );
  });

  it('repeats nothing that makes no sense', async () => {
    for (const [options, message] of [
      [['--repeat', '0'], /^--repeat must be a whole number from 1 to 1000000\.$/m],
      [['--repeat', '1e3'], /^--repeat must be a whole number/m],
      [['--repeat', '9', '--at-once', '1001'], /^--at-once must be .* from 1 to 1000\.$/m],
      [['--at-once', '2'], /^--at-once needs --repeat or --for\.$/m],
      [['--rate', '2'], /^--rate needs --repeat or --for\.$/m],
      [['--for', '5'], /^--for must be a time such as 500ms, 30s or 5m, up to 24h\.$/m],
      [['--for', '25h'], /^--for must be a time/m],
      [['--for', '1s', '--rate', '0'], /^--rate must be a number from 0\.001/m],
      [['--for', '1s', '--rate', '1e3'], /^--rate must be a number/m],
      [['--for', '1s', '--raw'], /leave out --raw\.$/m],
      [['--repeat', '2', '--raw'], /leave out --raw\.$/m],
      [['--task-ttl', '5s'], /^--task-ttl is for tools\/call\.$/m],
    ] as const) {
      const { code, output } = await run('send', 'ping', ...options, '--', 'node', 'server.js');
      assert.equal(code, 2);
      assert.match(output, message);
    }
  });

  const leak = `got ' + (process.env.OWN ?? process.argv[3]) + '`;
  const leaky = plainServer
    .replace(
      'capabilities: { tools: {} }',
      `instructions: '${leak}', capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/skills': {} } }`,
    )
    .replace("name: 'add'", `name: 'add', description: '${leak}'`)
    .replace("'<&\"\\u0007'", `'${leak}'`)
    .replace("'no ' + method", `'no ' + method + '${leak}', data: { at: '${leak}' }`)
    .replace(
      "  'tools/call'",
      `  'skills/list': () => ({ skills: [{ uri: 'skill://a/' + process.env.OWN + '/SKILL.md', frontmatter: { name: process.env.OWN, description: 'x' }, resources: 'dynamic' }] }),
  'tools/call'`,
    )
    .replace('if (id === undefined) return;', `console.error('${leak}'); $&`);
  const walked: readonly [line: string, kept?: string][] = [
    ['test --verbose'],
    ['test --reporter junit --output r.xml', 'r.xml'],
    ['check'],
    ['check --reporter json --call-tools'],
    ['send initialize'],
    ['send tools/list'],
    ['send tools/call add --arg a=1 --arg b=2 --verbose'],
    ['send tools/call add --arg a=1 --arg b=2 --raw'],
    ['send own/method'],
    ['surface'],
    ['surface --output s.json', 's.json'],
    ['surface --against before.json'],
    ['surface --against before.json --reporter json --output r.json', 'r.json'],
    ['skills'],
    ['skills --output k.txt', 'k.txt'],
    ['skills --verify'],
    ['skills --verify --reporter json'],
    ['replay a.jsonc'],
    ['replay a.jsonc --reporter json --summary s.md', 's.md'],
  ];
  it('of all commands is among those that these tests walk over', async () => {
    const { output } = await run('--help');
    const commands = /mcp-workbench (\S+) --help/.exec(output)?.[1]?.split('|') ?? [];
    // What these pass on is not theirs: lines of a server, or what was recorded without secrets.
    const others = commands.filter((one) => one !== 'record' && one !== 'serve');
    const names = new Set(walked.map(([line]) => line.split(' ')[0]));
    assert.deepEqual(names, new Set(['test', ...others]));
  });

  for (const [line, kept] of walked)
    it(`has nothing of what a server was given, which repeats it in everything: ${line}`, async () => {
      const secret = 'hush-hunter2-9';
      await writeFile(join(folder, 'server.js'), leaky);
      const expect = { text: { equals: 'other' } };
      await write('one.mcp-calls.jsonc', { from: 'it', steps: [{ ...adds(3), expect }] });
      const tools = [{ name: 'add', description: 'another', inputSchema: { type: 'object' } }];
      const lists = { tools, prompts: [], resources: [], resourceTemplates: [], skills: [] };
      await write('before.json', { info: { capabilities: {} }, lists });
      const clientInfo = { name: 'a', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      const first = { jsonrpc: '2.0', id: 0 };
      const messages = [
        { from: 'client', at: 0, message: { ...first, method: 'initialize', params } },
        { from: 'server', at: 1, message: { ...first, result: {} } },
      ];
      await write('a.jsonc', { recording: 1, messages });
      const server = `"${process.execPath}" server.js`;
      const given = line.startsWith('replay')
        ? ['--against', `${server} --token ${secret}`]
        : ['--server', `it=${server}`, '--env', `OWN=${secret}`];
      const { output } = await run(...line.split(' '), ...given);
      const texts = [
        output,
        ...(kept === undefined ? [] : [await readFile(join(folder, kept), 'utf8')]),
      ];
      for (const text of texts) assert.doesNotMatch(text, /hunter2/);
      assert.match(texts.join('\n'), /‹redacted›/);
    });

  it('runs on a server of another maker', async () => {
    const steps = [
      { call: 'echo', arguments: { message: 'hi' }, expect: { text: { equals: 'Echo: hi' } } },
      {
        call: 'get-structured-content',
        arguments: { location: 'New York' },
        expect: { schema: true },
      },
      { name: 'refused', call: 'no-such-tool', expect: { isError: true } },
      { list: 'tools', expect: { json: { tools: { $type: 'array' } } } },
      {
        read: 'demo://resource/static/document/architecture.md',
        expect: { text: { contains: '#' } },
      },
      { prompt: 'simple-prompt', expect: { text: { contains: 'prompt' } } },
      {
        complete: { prompt: 'completable-prompt' },
        argument: 'department',
        value: 'E',
        expect: { json: { values: ['Engineering'] } },
      },
    ];
    await write('one.mcp-calls.jsonc', {
      from: { ...from, args: [everything] },
      session: 'file',
      steps,
    });
    const { code, output } = await run('test');
    assert.equal(code, 0, output);
    assert.match(output, /7 passed/);
  });

  // Windows ends a process instead of sending it a signal.
  if (process.platform !== 'win32')
    for (const args of [['test'], ['check']])
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        it(`ends a start on ${signal}, and starts nothing more: ${args.join()}`, async function () {
          this.timeout(20_000);
          const hangs = { from: { ...from, args: ['hang.js'] }, steps: [adds(3)] };
          await writeFile(
            join(folder, 'hang.js'),
            'console.error("it hangs"); process.stdin.resume();',
          );
          await write('one.mcp-calls.jsonc', hangs);
          await write('two.mcp-calls.jsonc', hangs);
          const all = [command, ...args, '--verbose'];
          const child = spawn(process.execPath, all, { cwd: folder, env });
          let said = '';
          child.stdout.resume();
          child.stderr.setEncoding('utf8').on('data', (text: string) => {
            said += text;
            if (said.includes('it hangs') && !child.killed) child.kill(signal);
          });
          const [code] = (await once(child, 'close')) as [number | null];
          assert.equal(code, 2);
          assert.equal(said.split('it hangs').length - 1, 1, said);
        });

  // Windows ends a process instead of sending it a signal.
  if (process.platform !== 'win32')
    for (const kind of ['check', 'test'])
      it(`leaves nothing running after a second interrupt: ${kind}`, async function () {
        this.timeout(20_000);
        const stays = `setInterval(() => {}, 1000); process.stdin.on('end', () => console.error('INTERRUPT'));`;
        const waits = `if (method === 'ping' || method === 'tools/call') return console.error('INTERRUPT');`;
        await writeFile(
          join(folder, 'server.js'),
          `${stays}\n${plainServer.replace('const answer =', () => `${waits} const answer =`)}`,
        );
        await write('one.mcp-calls.jsonc', { from, steps: [adds(3)] });
        const child = spawn(process.execPath, [command, kind, '--verbose'], {
          cwd: folder,
          env,
        });
        child.stdout.resume();
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('INTERRUPT')) process.kill(child.pid ?? 0, 'SIGINT');
        });
        const [code] = (await once(child, 'close')) as [number | null];
        assert.equal(code, 2);
      });

  it('hands variables to the servers of the command line alone, and says what they get', async () => {
    const asks = `console.error('IN ' + process.env.OWN + ' ' + process.env.OTHER);`;
    await writeFile(join(folder, 'says.js'), `${asks}\n${plainServer}`);
    const own = { ...env, OTHER: 'inherited' };
    const args = ['check', '--server', `it="${process.execPath}" says.js`, '--env', 'OWN=given'];
    const { output } = await execute(process.execPath, [command, ...args, '--verbose'], {
      cwd: folder,
      env: own,
    });
    assert.match(output, /IN given undefined/);
    assert.match((await run('check', '--help')).output, /they get only what starts/);
  });

  for (const args of [
    ['check'],
    ['send', 'tools/call', 'add', '--arg', 'a=1', '--arg', 'b=2'],
    ['surface'],
    ['replay', 'own.mcp-recording.jsonc'],
  ])
    it(`launches the words after "--" as they are: ${args.join(' ')}`, async () => {
      await writeFile(
        join(folder, 'a b.js'),
        `if (process.argv[2] === 'say "it"') {${plainServer}}`,
      );
      await write('own.mcp-recording.jsonc', { recording: 1, messages: [] });
      const { code, output } = await run(...args, '--', process.execPath, 'a b.js', 'say "it"');
      assert.notEqual(code, 2, output);
    });

  it('says where the command of a server belongs, and leaves out nothing that it was told of', async () => {
    await write('empty.mcp-recording.jsonc', { recording: 1, messages: [] });
    for (const [args, message] of [
      [['test', '--', 'node'], /^test takes the servers of its files from --server NAME=COMMAND/],
      [['serve', 'a', '--', 'node'], /^serve needs one FILE\.$/m],
      [['surface', '--server', 'it=node', '--', 'node'], /^surface needs one server: /],
      [['send', 'ping'], /or its command after "--"\.$/m],
      [['check', '--server', 'node=a', '--', 'node'], /^Two servers are called "node": /m],
      [['test', '--server', 'a=b', '--server', 'a=c'], /^Two servers are called "a": /m],
      [['check', 'a.mcp-calls.jsonc', '--', 'node'], /^check takes servers or files, not both: /m],
      [
        ['check', 'b', '--server', 'a=b'],
        /^check takes servers or files, not both: "b" is a file/m,
      ],
      [['replay', 'empty.mcp-recording.jsonc', '--against', 'a', '--', 'b'], /^replay needs one/m],
      [
        ['send', 'ping', '--', 'https://h.invalid/mcp', 'more'],
        /may stand behind the URL of a server: options belong before "--"/,
      ],
      [['send', 'ping', '--', ''], /^A server needs a command or a URL\.$/m],
      [['send', 'ping', '--nothing'], /^Unknown option '--nothing'\.?$/m],
      [['check', '--'], /^The command of the server belongs after "--"\.$/m],
    ] as const) {
      const { code, output } = await run(...args);
      assert.equal(code, 2);
      assert.match(output, message);
    }
  });

  for (const [args, code] of [
    [['--strict'], 1],
    [[], 0],
  ] as const)
    it(`checks a server with what it should do, and ends with ${code}: ${args.join()}`, async () => {
      const answers = "'tools/call': () => ({ isError: true, content: [] }), ping: () => ({}),";
      const bare = plainServer.replace(/'tools\/call':.*/, () => answers);
      await writeFile(join(folder, 'bare.js'), bare);
      const ended = await run('check', '--server', `it="${process.execPath}" bare.js`, ...args);
      assert.equal(ended.code, code, ended.output);
      assert.match(
        ended.output,
        code ? /failed {3}check it/ : /advice {3}check it.*worth improving/s,
      );
    });

  it('has its commands, options and methods completed in a shell, as their helps have them', async function () {
    const help = await run('completion');
    assert.match(help.output, /^Usage: mcp-workbench completion bash\|zsh\|fish/);
    assert.equal(
      (await run('completion', 'tcsh')).output,
      'completion needs one of: bash, zsh, fish.\n',
    );
    const { output: fish } = await run('completion', 'fish');
    for (const line of [
      "complete -c mcp-workbench -n '__fish_seen_subcommand_from check' -l strict",
      "complete -c mcp-workbench -n '__fish_seen_subcommand_from surface' -l against -r",
      "complete -c mcp-workbench -n '__fish_seen_subcommand_from send' -l header -x",
      "complete -c mcp-workbench -n '__fish_seen_subcommand_from test' -l with -x -a 'apps sampling elicitation'",
    ])
      assert.ok(fish.split('\n').includes(line), line);
    const { output: zsh } = await run('completion', 'zsh');
    const { output: bash } = await run('completion', 'bash');
    assert.equal(zsh, `autoload -U +X bashcompinit && bashcompinit\n${bash}`);
    if (process.platform === 'win32') this.skip();
    for (const [typed, found] of [
      [['re'], 'record replay'],
      [['send', 'tools/'], 'tools/list tools/call'],
      [['check', '--s'], '--server --sign-in --scope --summary --strict'],
      [['surface', '--protocol-version', '2025-0'], '2025-06-18 2025-03-26'],
      [['skills', '--reporter', ''], 'dot json junit'],
      [['surface', 'a'], ''],
    ] as const) {
      const words = ['mcp-workbench', ...typed].map((one) => `'${one}'`).join(' ');
      const script = `${bash}COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _mcp_workbench; echo "\${COMPREPLY[*]}"`;
      const { output } = await execute('bash', ['-c', script]);
      assert.deepEqual(output.trim().split(' ').toSorted(), found.split(' ').toSorted(), output);
    }
  });

  it('takes options before its command, too', () => {
    const found = readOptions(['--reporter', 'junit', 'check', 'a.mcp-calls.jsonc']);
    assert.ok('check' in found && found.check);
    assert.deepEqual([found.files, found.reporter], [['a.mcp-calls.jsonc'], 'junit']);
    const bare = readOptions(['--reporter', 'json', 'a.mcp-calls.jsonc']);
    assert.deepEqual('check' in bare && [bare.check, bare.files], [false, ['a.mcp-calls.jsonc']]);
  });

  for (const args of [
    ['test', '--strict'],
    ['check', '--update'],
  ])
    it(`says that ${args[0]} has no ${args[1]}`, async () => {
      const { code, output } = await run(...args);
      assert.equal(code, 2);
      assert.equal(output, `${args[0]} has no option ${args[1]}.\n`);
    });

  it('speaks the one revision that it is told to, and no other', async () => {
    const told = plainServer.replace("name: 'plain'", 'name: protocolVersion');
    await writeFile(join(folder, 'server.js'), told);
    const surface = (...args: readonly string[]) =>
      run('surface', '--server', `it="${process.execPath}" server.js`, ...args);
    const { code, output } = await surface('--protocol-version', '2025-03-26');
    assert.equal(code, 0, output);
    assert.match(output, /"name": "2025-03-26"/);
    await writeFile(
      join(folder, 'server.js'),
      plainServer.replace('{ protocolVersion, ', "{ protocolVersion: '2025-06-18', "),
    );
    assert.equal((await surface('--protocol-version', '2025-03-26')).code, 2);
    for (const started of [['surface', '--server', 'it=none'], ['test'], ['check']])
      assert.match(
        (await run(...started, '--protocol-version', '2024')).output,
        /^--protocol-version must be one of: 2024-11-05, .*, 2026-07-28\.\n$/,
      );
  });

  it('is a client without what it is told to lack', async () => {
    const told = plainServer
      .replace('({ protocolVersion })', '({ protocolVersion, capabilities: all })')
      .replace("name: 'plain'", "name: 'has ' + Object.keys(all).join(' ')");
    await writeFile(join(folder, 'server.js'), told);
    const server = ['--server', `it="${process.execPath}" server.js`];
    for (const [args, has] of [
      [[], 'has roots'],
      [['--without', 'roots'], 'has '],
      [['--without', 'tasks,roots'], 'has '],
      [['--with', 'apps', '--without', 'roots'], 'has extensions'],
      [['--with', 'sampling,elicitation'], 'has roots sampling elicitation tasks'],
    ] as const)
      for (const started of [['surface'], ['send', 'initialize']]) {
        const { code, output } = await run(...started, ...server, ...args);
        assert.equal(code, 0, output);
        assert.ok(output.includes(`"name": "${has}"`), output);
      }
    for (const started of [['surface', ...server], ['test'], ['check']])
      assert.equal(
        (await run(...started, '--without', 'roots,legs')).output,
        '--without must be one of: roots, sampling, elicitation, tasks, apps, extensions.\n',
      );
    for (const [given, problem] of [
      [['--with', 'roots'], '--with must be one of: apps, sampling, elicitation.\n'],
      [
        ['--with', 'apps', '--without', 'apps'],
        'Leave out one of --with apps and --without apps.\n',
      ],
    ] as const)
      assert.equal((await run('surface', ...server, ...given)).output, problem);
  });

  it('is offered what needs a client with apps, and answers nobody although it says that it could', async () => {
    const asks = `
let waiting, asked = [], has = {};
const ask = (id, method, params) => console.log(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
const app = { name: 'app', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://app' } } };
const answers = {
  initialize: ({ protocolVersion, capabilities }) => (has = capabilities, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'asks', version: '1' } }),
  'tools/list': () => ({ tools: has.extensions?.['io.modelcontextprotocol/ui']?.mimeTypes.includes('text/html;profile=mcp-app') ? [app] : [] }),
  'tools/call': () => undefined,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'tools/call') {
    waiting = id;
    ask('s', 'sampling/createMessage', { messages: [], maxTokens: 1 });
    ask('e', 'elicitation/create', { message: 'Name?', requestedSchema: { type: 'object', properties: {} } });
  }
  if (result || error) asked.push(id + ':' + (result?.action ?? error.code));
  if (asked.length === 2) console.log(JSON.stringify({ jsonrpc: '2.0', id: waiting, result: { content: [{ type: 'text', text: asked.toSorted().join(' ') }] } }));
  if (id === undefined || !method || method === 'tools/call') return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'no' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;
    await writeFile(join(folder, 'server.js'), asks);
    const server = ['--', process.execPath, 'server.js'];
    assert.doesNotMatch((await run('surface', ...server)).output, /ui:\/\/app/);
    assert.match((await run('surface', '--with', 'apps', ...server)).output, /ui:\/\/app/);
    assert.match((await run('check', '--with', 'apps', ...server)).output, /\bapp\b|passed/);
    const declared = ['--with', 'sampling', '--with', 'elicitation'];
    for (const [given, told] of [
      [[], 'e:-32601 s:-32601'],
      [declared, 'e:cancel s:-1'],
    ] as const)
      assert.equal(
        (await run('send', 'tools/call', 'any', '--raw', ...given, ...server)).output,
        `${told}\n`,
      );
  });

  describe('send', () => {
    /** A server with pages, a tool with a schema, and answers that tell what was asked. */
    const telling = `
const pages = { undefined: { things: [1], nextCursor: 'b' }, b: { things: [2], nextCursor: 'c', more: true }, c: { things: [3] } };
const properties = { text: { type: 'string' }, any: {} };
const say = (params) => ({ content: [{ type: 'text', text: JSON.stringify(params) }], own: 'kept' });
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {}, prompts: {} }, serverInfo: { name: 'telling', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'say', inputSchema: { type: 'object', properties } }] }),
  'prompts/list': () => ({ prompts: [] }),
  'tools/call': (params, { progressToken, ...meta } = {}) => params.name === 'bytes' ? { content: [{ type: 'image', data: 'AP+A', mimeType: 'image/png' }] } : { ...say(params.name === 'meta' ? meta : params), ...(params.name === 'fails' && { isError: true }) },
  'things/list': ({ cursor }) => pages[cursor],
  'loops/list': () => ({ things: [1], nextCursor: 'again' }),
  'own/meta': (params, { progressToken, ...meta }) => ({ meta }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params: { _meta, ...params } = {} } = JSON.parse(line);
  if (id === undefined) return method === 'notifications/own' && console.error('heard ' + params.it);
  const isUnknown = method.startsWith('none/') || method === 'server/discover';
  const body = isUnknown
    ? { error: { code: -32601, message: 'no ' + method, data: { known: ['a'] } } }
    : { result: (answers[method] ?? ((given) => ({ method, ...given })))(params, _meta) };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;
    const line = `it="${process.execPath}" telling.js`;
    beforeEach(() => writeFile(join(folder, 'telling.js'), telling));
    const send = async (args: readonly string[], server = line) => {
      const { code, output } = await run('send', ...args, '--server', server);
      return { code, output, value: output.startsWith('{') ? (JSON.parse(output) as object) : {} };
    };
    const said = (value: object) => {
      const [block] = (value as { readonly content: readonly { readonly text: string }[] }).content;
      return JSON.parse(block?.text ?? '{}') as object;
    };

    const calls: readonly [args: readonly string[], params: object][] = [
      [['say'], { name: 'say', arguments: {} }],
      [
        [
          'say',
          '--arg',
          'text=1',
          '--arg',
          'any=1',
          '--arg',
          'more={"a":[true]}',
          '--arg',
          'word=x y',
        ],
        { name: 'say', arguments: { text: '1', any: 1, more: { a: [true] }, word: 'x y' } },
      ],
      [
        ['--params', '{"name": "say", "arguments": {"any": null}}'],
        { name: 'say', arguments: { any: null } },
      ],
      [['unlisted', '--arg', 'a==b'], { name: 'unlisted', arguments: { a: '=b' } }],
      [
        ['meta', '--meta', 'a.b/c=1', '--meta', 'd=x y', '--params', '{"_meta": {"e": [true]}}'],
        { e: [true], 'a.b/c': 1, d: 'x y' },
      ],
    ];
    for (const [args, params] of calls)
      it(`calls a tool, and prints its result as it came: ${args.join(' ')}`, async () => {
        const { code, output, value } = await send(['tools/call', ...args]);
        assert.equal(code, 0, output);
        assert.deepEqual(said(value), params);
        assert.match(output, /"own": "kept"/);
      });

    const requests: readonly [args: readonly string[], result: object][] = [
      [
        ['prompts/get', 'greet', '--arg', 'age=3'],
        { method: 'prompts/get', name: 'greet', arguments: { age: '3' } },
      ],
      [['resources/read', 'note://1'], { method: 'resources/read', uri: 'note://1' }],
      [['logging/setLevel', 'debug'], { method: 'logging/setLevel', level: 'debug' }],
      [
        ['own/method', '--arg', 'a=1', '--params', '{"b": 2}'],
        { method: 'own/method', a: 1, b: 2 },
      ],
      [
        ['completion/complete', 'greet', '--arg', 'city=Rome', '--arg', 'name=A'],
        {
          method: 'completion/complete',
          ref: { type: 'ref/prompt', name: 'greet' },
          argument: { name: 'name', value: 'A' },
          context: { arguments: { city: 'Rome' } },
        },
      ],
      [
        ['completion/complete', 'note://{id}', '--arg', 'id=1'],
        {
          method: 'completion/complete',
          ref: { type: 'ref/resource', uri: 'note://{id}' },
          argument: { name: 'id', value: '1' },
        },
      ],
      [['things/list'], { things: [1, 2, 3], more: true }],
      [['own/meta', '--meta', 'a=null'], { meta: { a: null } }],
      [
        ['things/list', '--params', '{"cursor": "b"}'],
        { things: [2], nextCursor: 'c', more: true },
      ],
    ];
    for (const [args, result] of requests)
      it(`sends any request: ${args.join(' ')}`, async () => {
        const { code, output, value } = await send(args);
        assert.equal(code, 0, output);
        assert.deepEqual(value, result);
      });

    it('says what the server said of itself at its start', async () => {
      const { output } = await send(['initialize']);
      assert.match(output, /"protocolVersion": "2025-11-25"/);
      assert.match(output, /"serverInfo": \{\n\s+"name": "telling"/);
    });

    const refusals: readonly [args: readonly string[], code: number, output: RegExp][] = [
      [['tools/call', 'fails'], 1, /"isError": true/],
      [['none/such'], 1, /no none\/such \(-32601\)\n\{\n {2}"data": \{\n {4}"known"/],
      [['loops/list'], 0, /The list does not end: cut after 2 pages\./],
      [['tools/call'], 2, /^tools\/call needs a NAME\.\n$/],
      [
        ['own/method', 'name'],
        2,
        /^own\/method has no NAME: write its parameters with --params\.\n$/,
      ],
      [['ping', 'a', 'b'], 2, /one METHOD/],
      [['ping', '--params', '[]'], 2, /^--params must be a JSON object\.\n$/],
      [['ping', '--params', '{"a": 12345678901234567890}'], 2, /cannot be sent exactly/],
      [['ping', '--arg', 'a=12345678901234567890'], 2, /cannot be sent exactly/],
      [['ping', '--meta', 'secret'], 2, /^--meta needs NAME=VALUE\.\n$/],
      [
        ['ping', '--meta', 'progressToken=1'],
        2,
        /^"progressToken" in "_meta" is written by this client\. Remove it\.\n$/,
      ],
      [['ping', '--arg', 'secret'], 2, /^--arg needs NAME=VALUE\.\n$/],
      [['ping', '--env', 'secret'], 2, /^--env needs NAME=VALUE\.\n$/],
      [
        ['ping', '--header', 'X: 1'],
        2,
        /^--header is for servers at a URL, and "it" is a process\.\n$/,
      ],
      [['ping', '--header', 'X y: secret'], 2, /^--header needs "NAME: VALUE"\.\n$/],
      [['tools/call', 'bytes', '--raw', '--against', 'x'], 2, /--against/],
    ];
    for (const [args, expected, told] of refusals)
      it(`ends with ${expected}, and says why: ${args.join(' ')}`, async () => {
        const { code, output } = await send(args);
        assert.equal(code, expected, output);
        assert.match(output, told);
      });

    it('prints texts and bytes as they are where they are wanted raw', async () => {
      const { output } = await send(['tools/call', 'say', '--raw']);
      assert.match(output, /^\{"name":"say","arguments":\{\}.*\}\n$/);
      const bytes = await send(['tools/call', 'bytes', '--raw']);
      assert.equal(bytes.output, Buffer.from('AP+A', 'base64').toString());
      const neither = await send(['own/method', '--raw']);
      assert.deepEqual([neither.code, /texts alone/.test(neither.output)], [2, true]);
    });

    it('does not wait for an answer to a notification', async () => {
      const { code, output } = await send(['notifications/own', '--arg', 'it=7', '--verbose']);
      assert.equal(code, 0, output);
      assert.match(output, /heard 7/);
    });

    it('asks a server of the configuration by its name alone, with what it is given here', async () => {
      const told = { ...from, args: ['-e', `console.error('IN ' + process.env.OWN);${telling}`] };
      await write('.mcp.json', { mcpServers: { known: told } });
      const { code, output } = await send(['own/it', '--env', 'OWN=given', '--verbose'], 'known');
      assert.equal(code, 0, output);
      assert.match(output, /IN given/);
      for (const others of [['surface'], ['check']])
        assert.match((await run(...others, '--server', 'known')).output, /telling|check known/);
      assert.match((await send(['ping'], 'other')).output, /No server is called "other"/);
    });

    it('sends headers to a server at a URL, and says what to do where it wants a sign-in', async () => {
      const server = new ScriptedHttpServer({
        initialize: () => ({
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'there', version: '1' },
        }),
        ping: () => ({}),
      });
      server.intercept = ({ headers }, response) => {
        if (headers['x-key'] === 'a: b') return false;
        response.writeHead(401).end();
        return true;
      };
      const url = await server.start();
      try {
        const { code, output } = await send(['ping', '--header', 'X-Key: a: b'], `there=${url}`);
        assert.equal(code, 0, output);
        const refused = await send(['ping'], `there=${url}`);
        assert.equal(refused.code, 2);
        assert.match(refused.output, /--sign-in, or pass a token with --header "Authorization/);
      } finally {
        await server.stop();
      }
    });
  });

  describe('surface', () => {
    it('compares with what comes through a pipe, and with no more of it than with a file', async function () {
      if (process.platform === 'win32') this.skip();
      const pipe = join(folder, 'pipe');
      await execute('mkfifo', [pipe]);
      const line = `it="${process.execPath}" server.js`;
      const { output } = await run('surface', '--server', line);
      const compare = async (text: string) => {
        const compared = run('surface', '--server', line, '--against', 'pipe');
        // It is closed in the middle where it is too long.
        await writeFile(pipe, text).catch(() => {});
        return compared;
      };
      assert.match((await compare(output)).output, /^\n1 passed /);
      const long = await compare(' '.repeat(maxSurfaceBytes + 1));
      assert.deepEqual([long.code, long.output], [2, 'pipe is larger than 50 MB.\n']);
    });

    const server = `it="${process.execPath}" server.js`;
    const tool = "{ name: 'other', inputSchema: { type: 'object' } }";
    const changes: readonly [what: string, tools: string, code: number, told: RegExp][] = [
      ['nothing', tool, 0, /^\n1 passed/],
      [
        'a tool that is new',
        `${tool}, { name: 'more', inputSchema: {} }`,
        0,
        /tools more\n +It is new\./,
      ],
      ['a tool that is gone', '', 1, /^failed .* tools other\n +It is gone\.$/m],
      [
        'an argument that is required now',
        tool.replace("'object'", () => "'object', required: ['a'], properties: { a: {} }"),
        1,
        /"a" is required now.*\n(?:.*\n)*? +\+ +"required": \[/,
      ],
    ];
    for (const [what, tools, code, told] of changes)
      it(`compares a server with what was written down of it: ${what}`, async () => {
        const written = await run('surface', '--server', server, '--output', 'surface.json');
        assert.equal(written.code, 0, written.output);
        const before = await readFile(join(folder, 'surface.json'), 'utf8');
        await writeFile(
          join(folder, 'server.js'),
          plainServer.replace(tool, () => tools),
        );
        const compared = await run('surface', '--server', server, '--against', 'surface.json');
        assert.equal(compared.code, code, compared.output);
        assert.match(compared.output, told);
        assert.equal(await readFile(join(folder, 'surface.json'), 'utf8'), before);
      });

    for (const option of ['--output', '--summary'])
      it(`writes nothing over what it compares with: ${option}`, async () => {
        await run('surface', '--server', server, '--output', 'surface.json');
        const before = await readFile(join(folder, 'surface.json'), 'utf8');
        const args = ['--server', server, '--against', 'surface.json', option, './surface.json'];
        const { code, output } = await run('surface', ...args);
        assert.equal(code, 2, output);
        assert.equal(output, `${option} must not be the file of --against.\n`);
        assert.equal(await readFile(join(folder, 'surface.json'), 'utf8'), before);
      });

    it('has one case in JUnit where nothing changed', async () => {
      await run('surface', '--server', server, '--output', 'surface.json');
      const args = ['--against', 'surface.json', '--reporter', 'junit'];
      const { output } = await run('surface', '--server', server, ...args);
      assert.match(output, /tests="1" failures="0"/);
    });

    for (const args of [
      ['--output', 'new.json'],
      ['--against', 'surface.json'],
    ])
      it(`takes no list that was not loaded for an empty one: ${args[0]}`, async () => {
        await run('surface', '--server', server, '--output', 'surface.json');
        await writeFile(
          join(folder, 'server.js'),
          plainServer
            .replace(/'tools\/list':.*/, () => '')
            .replace('-32601', () => "method === 'tools/list' ? -32603 : -32601"),
        );
        const { code, output } = await run('surface', '--server', server, ...args);
        assert.equal(code, 2, output);
        assert.match(output, /^The list of tools was not read: .*no tools\/list/);
        assert.ok(!(await readdir(folder)).includes('new.json'));
      });

    for (const [what, text, told] of [
      ['no JSON', '{', /is no surface of a server/],
      ['something else', '{}', /no "info"/],
      ['no list', '{"info":{"capabilities":{}},"lists":{}}', /no list "tools"/],
      [
        'a tool without a name',
        '{"info":{"capabilities":{}},"lists":{"tools":[{}]}}',
        /is no surface of a server/,
      ],
      ['too much', undefined, /is larger than 50 MB/],
    ] as const)
      it(`compares with no file that is ${what}, and starts nothing`, async () => {
        const file = await open(join(folder, 'surface.json'), 'w');
        if (text === undefined) await file.truncate(maxSurfaceBytes + 1);
        else await file.write(text);
        await file.close();
        const { code, output } = await run(
          'surface',
          '--server',
          'it=none',
          '--against',
          'surface.json',
        );
        assert.equal(code, 2, output);
        assert.match(output, told);
      });
  });

  it('is a small package of its own', async () => {
    const packed = await packCommand();
    const { size } = await stat(join(packed, 'mcp-workbench.js'));
    assert.ok(size <= 450_000, `${size} bytes`);
    const text = await readFile(join(packed, 'mcp-workbench.js'), 'utf8');
    const chunks = Array.from(
      text.matchAll(/require\("\.\/([\w-]+\.js)"\)/g),
      ([, name = '']) => name,
    );
    assert.ok(chunks.includes('tldts.js'), chunks.join());
    for (const chunk of chunks) await stat(join(packed, chunk));
    const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8')) as {
      readonly bin: Readonly<Record<string, string>>;
    };
    assert.deepEqual(manifest.bin, { 'mcp-workbench': 'mcp-workbench.js' });
    const { output } = await execute(process.execPath, [
      join(packed, 'mcp-workbench.js'),
      '--help',
    ]);
    assert.match(output, /^Usage: mcp-workbench test/);
  });
});

describe('a command line', () => {
  const lines: readonly [line: string, words: readonly string[]][] = [
    ['node server.js', ['node', 'server.js']],
    [`"a b" 'c "d' e\\ f --x="y z"`, ['a b', 'c "d', 'e f', '--x=y z']],
    ['  ', []],
    [`a ''`, ['a', '']],
  ];
  for (const [line, words] of lines)
    it(`is taken apart: ${line}`, () => assert.deepEqual(splitCommand(line, 'linux'), words));

  const windowsLines: typeof lines = [
    ['node dist\\server.js', ['node', 'dist\\server.js']],
    [
      '"C:\\Program Files\\nodejs\\node.exe" C:\\a\\b.js',
      ['C:\\Program Files\\nodejs\\node.exe', 'C:\\a\\b.js'],
    ],
    ['\\\\host\\share\\a.exe x\\', ['\\\\host\\share\\a.exe', 'x\\']],
    [`a "say \\"hi\\" \\n" \\"b 'c d'`, ['a', 'say "hi" \\n', '"b', 'c d']],
    [`a ""`, ['a', '']],
  ];
  for (const [line, words] of windowsLines)
    it(`is taken apart on Windows: ${line}`, () =>
      assert.deepEqual(splitCommand(line, 'win32'), words));
});

describe('what the command line gives a server', () => {
  const given = { env: { A: '1' }, headers: { 'x-key': 'new' }, oauth: {} };

  it('replaces headers of a URL, whatever case their names are in', () => {
    const config = { type: 'http', url: 'http://a.example/', headers: { 'X-Key': 'old', b: '2' } };
    assert.deepEqual(withGiven({ ...config, type: 'http' }, given), {
      ...config,
      headers: { b: '2', 'x-key': 'new' },
    });
  });

  it('is the client that a server is signed in to as, in place of that of its configuration', () => {
    const oauth = { clientId: 'a', scopes: 'b' };
    const config = { type: 'http', url: 'http://a.example/', headers: {}, oauth } as const;
    const found = withGiven(config, { env: {}, headers: {}, oauth: { clientId: 'c' } });
    assert.deepEqual(found, { ...config, oauth: { clientId: 'c', scopes: 'b' } });
  });

  it('is variables alone where it is a process', () => {
    const config = { type: 'stdio', command: 'x', args: [], env: { A: '0', B: '2' } } as const;
    assert.deepEqual(withGiven(config, given), { ...config, env: { A: '1', B: '2' } });
  });
});

describe('the folders that are searched for a configuration', () => {
  const rows: readonly [
    system: 'linux' | 'win32',
    start: string,
    repository: string | undefined,
    folders: readonly string[],
  ][] = [
    ['linux', '/w/repo/deep', '/w/repo', ['/w/repo/deep', '/w/repo']],
    ['linux', '/tmp/a', undefined, ['/tmp/a', '?/tmp', '?/']],
    ['linux', '/home/me/a/b', undefined, ['/home/me/a/b', '?/home/me/a', '?/home/me']],
    ['linux', '/home/me', undefined, ['/home/me']],
    ['win32', 'c:\\users\\Me\\a', undefined, ['c:\\users\\Me\\a', '?c:\\users\\Me']],
    ['win32', 'D:\\repo\\a', 'D:\\repo', ['D:\\repo\\a', 'D:\\repo']],
    ['win32', 'D:\\a\\b', undefined, ['D:\\a\\b']],
    ['win32', '\\\\host\\share\\a', undefined, ['\\\\host\\share\\a']],
  ];
  for (const [system, start, repository, expected] of rows)
    it(`are of the project, or (?) above it: ${start} (${system}, ${repository ?? 'no repository'})`, () => {
      const home = system === 'win32' ? 'C:\\Users\\me' : '/home/me';
      const found = searchedFolders(start, home, (folder) => folder === repository, system);
      assert.deepEqual(
        found.map(({ folder, isOfProject }) => `${isOfProject ? '' : '?'}${folder}`),
        expected,
      );
    });
});
