import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { admitLaunch } from '../../../src/config/launch/workspaceParts';
import { rulesOf } from '../../../src/config/launch/kinds/rulesOf';
import { inEnglish } from '../../../src/base/translate';
import { secretsOfArguments } from '../../../src/mcp/launch/commandArguments';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { diagnose } from '../../../src/mcp/diagnose';
import { createTransports, kindOf, parseServerConfig } from '../../../src/mcp/launch/launchKinds';
import { createNodePrograms } from '../../../src/mcp/node/nodePrograms';
import { nativePath, socketFetch } from '../../../src/mcp/node/socketFetch';
import { thisSystem } from '../../../src/mcp/node/system';
import type { HttpServerConfig } from '../../../src/mcp/serverConfig';
import { socketAddress } from '../../../src/mcp/transport/socketAddress';
import { checkLeaks } from '../../support/processes/leakCheck';
import { ScriptedHttpServer } from '../../support/fakes/scriptedHttpServer';
import { define, testDeps } from './testServers';

describe('the address of a socket', () => {
  for (const [url, path, target] of [
    ['unix:///tmp/server.sock', '/tmp/server.sock', 'http://localhost/'],
    ['unix:///tmp/server.sock#/mcp/subpath', '/tmp/server.sock', 'http://localhost/mcp/subpath'],
    ['UNIX:///tmp/a%20b.sock#mcp', '/tmp/a b.sock', 'http://localhost/mcp'],
    ['unix:///tmp/a.sock?x=1#/mcp', '/tmp/a.sock', 'http://localhost/mcp?x=1'],
    ['unix:///tmp/a.sock#/mcp?x=1&y=%20', '/tmp/a.sock', 'http://localhost/mcp?x=1&y= '],
    ['unix:///tmp/a.sock#//evil.example/mcp', '/tmp/a.sock', 'http://localhost//evil.example/mcp'],
    ['unix:///tmp/%zz.sock', '/tmp/%zz.sock', 'http://localhost/'],
    ['pipe:///pipe/named-pipe', '/pipe/named-pipe', 'http://localhost/'],
    ['pipe:////./pipe/a#/mcp', '//./pipe/a', 'http://localhost/mcp'],
  ] as const)
    it(`is read as VS Code does: ${url}`, () => {
      assert.deepEqual(socketAddress(url), { path, url: target });
      assert.equal(new URL(target).host, 'localhost');
      const parsed = parseServerConfig({ url });
      assert.deepEqual(parsed, { config: { type: 'http', url, headers: {} } });
    });

  for (const url of [
    'unix://tmp/server.sock',
    'unix:/tmp/a.sock',
    'unix:///',
    'unix:///#/mcp',
    'pipe://name',
    'npipe:///x',
    'file:///tmp/a.sock',
    'http+unix:///tmp/a.sock',
  ])
    it(`is not ${url}`, () => {
      assert.equal(socketAddress(url), undefined);
      assert.ok('problem' in parseServerConfig({ url }));
    });

  for (const [path, pipe] of [
    ['/pipe/named-pipe', String.raw`\\.\pipe\named-pipe`],
    ['//./pipe/named-pipe', String.raw`\\.\pipe\named-pipe`],
    ['//?/pipe/a/b', String.raw`\\.\pipe\a\b`],
    ['/name', String.raw`\\.\pipe\name`],
    ['/pipeline', String.raw`\\.\pipe\pipeline`],
  ] as const)
    it(`is the pipe ${pipe} on Windows, and a path elsewhere: ${path}`, () => {
      assert.equal(nativePath(path, 'win32'), pipe);
      assert.equal(nativePath(path, 'linux'), path);
    });

  it('has no sign-in, and its secrets hidden', () => {
    const url = 'unix:///tmp/a.sock#/mcp?token=abc';
    const config: HttpServerConfig = { type: 'http', url, headers: {} };
    assert.equal(kindOf(config).signIn(config), 'none');
    assert.equal(kindOf(config).signIn({ ...config, headers: { Authorization: 'x' } }), 'none');
    assert.deepEqual(secretsOfArguments([url], ''), ['abc']);
    assert.equal(kindOf(config).target(config), 'unix:///tmp/a.sock');
    assert.deepEqual(parseServerConfig({ url, oauth: { clientId: 'a' } }), {
      problem: '"oauth" is not for a socket: no browser can sign in there.',
    });
  });
});

describe('a launch over a socket', () => {
  const config = (url: string): HttpServerConfig => ({ type: 'http', url, headers: {} });
  const programs = {
    ...createNodePrograms(() => Promise.resolve({}), 'linux'),
    home: '/home/me',
    realPath: (path: string) => Promise.resolve(path),
  };
  const complete = async (url: string, isTrusted: boolean) => {
    const surroundings = {
      programs,
      inheritance: 'safe',
      isTrusted,
      folders: [{ uri: 'file:///work', name: 'work', path: '/work' }],
    } as const;
    const isOpen = (text: string | undefined) => text?.includes('<') ?? false;
    const rules = rulesOf(config(url));
    const done = await rules.complete(config(url), { surroundings, base: () => '/', isOpen });
    if (isOpen(url)) return done;
    rules.check?.(done, inEnglish);
    return admitLaunch(done, rules.local(done), surroundings);
  };

  it('shows the socket, and warns of one that controls the machine', () => {
    const shown = (url: string) => {
      const rules = rulesOf(config(url));
      const own = { config: {}, written: {} };
      const parts = rules.parts(
        config(url),
        config(url),
        { line: url, own, ofFile: own, markKey: '' },
        inEnglish,
      );
      return [
        parts.find(({ heading }) => heading === 'socket')?.text,
        ...rules.warnings(config(url), inEnglish),
      ];
    };
    const gets = 'whichever program listens there gets what is sent, on this machine.';
    assert.deepEqual(shown('unix:///tmp/a.sock#/mcp'), [`/tmp/a.sock: ${gets}`]);
    assert.deepEqual(shown('https://example.com/mcp'), [undefined]);
    for (const path of ['/var/run/docker.sock', '/run/podman/podman.sock', '/pipe/docker_engine'])
      assert.deepEqual(shown(`unix://${path}#/containers`), [
        `${path}: ${gets}`,
        'Whoever reaches this socket can control containers, and through them this machine.',
      ]);
  });

  it('decides where it leads by the whole path of the socket', () => {
    const decisive = (url: string) =>
      rulesOf(config(url)).decides(config(url))({ key: 'url', text: url });
    assert.equal(decisive('unix:///run/<a>/<b>.sock#/mcp/<c>'), 'unix:///run/<a>/<b>.sock');
    assert.equal(decisive('https://<a>/<b>'), 'https://<a>');
  });

  it('is refused where the socket belongs to a workspace that is not trusted', async () => {
    await assert.rejects(
      complete('unix:///work/a.sock#/mcp', false),
      /workspace that is not trusted/,
    );
    for (const [url, isTrusted] of [
      ['unix:///work/a.sock', true],
      ['unix:///tmp/a.sock', false],
      ['unix:///work/<a>.sock', false],
      ['https://example.com/work', false],
    ] as const)
      assert.deepEqual(await complete(url, isTrusted), config(url));
  });

  for (const url of ['', 'example.com', 'unix://a', 'ftp://x'])
    it(`is refused where its variables make it ${JSON.stringify(url)}`, () =>
      assert.rejects(complete(url, true), {
        name: 'UserError',
        message: /^"url" must be an http/,
      }));
});

describe('over a socket', () => {
  checkLeaks();
  const isWindows = thisSystem() === 'win32';
  let folder: string;
  /** Where the server listens, and the address of that. */
  let path: string;
  let address: string;
  const ends: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-socket-'));
    path = isWindows ? `\\\\.\\pipe\\${basename(folder)} b` : join(folder, 'a b.sock');
    address = isWindows
      ? `pipe:///pipe/${basename(folder)}%20b`
      : `unix://${path.replaceAll(' ', '%20')}`;
  });

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await rm(folder, { recursive: true });
  });

  const listen = (server: net.Server) =>
    new Promise<void>((resolve) => {
      ends.push(() => new Promise((done) => server.close(done)));
      server.listen(path, resolve);
    });

  const answer = (handle: (request: IncomingMessage, response: ServerResponse) => void) =>
    listen(createServer(handle));

  const open = (config: Partial<HttpServerConfig> = {}, deps = testDeps()) => {
    const url = `${address}#/mcp`;
    const server = new ConfiguredServer(
      define({ type: 'http', url, headers: {}, ...config }),
      deps,
    );
    ends.push(async () => {
      await server.stop();
      server.dispose();
    });
    return server;
  };

  for (const kind of ['streamable', 'sse'] as const)
    it(`lists and calls (${kind}), with the headers that are configured`, async () => {
      const http = new ScriptedHttpServer(
        {
          initialize: ({ protocolVersion }) => ({
            protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'socket', version: '1.0.0' },
          }),
          'tools/list': () => ({ tools: [{ name: 'say', inputSchema: { type: 'object' } }] }),
          'tools/call': () => ({ content: [{ type: 'text', text: 'said' }] }),
        },
        kind,
      );
      await http.start();
      const { port } = http;
      ends.push(() => http.stop());
      await listen(
        net.createServer((here) => {
          const there = net.connect(port, '127.0.0.1');
          for (const one of [here, there]) one.on('error', () => {});
          here.pipe(there).pipe(here);
        }),
      );
      const server = open({
        type: kind === 'sse' ? 'sse' : 'http',
        url: `${address}#/mcp`,
        headers: { 'X-Key': 'k' },
      });
      assert.deepEqual(await server.start(), { kind: 'running' });
      const { content } = await server.callTool('say', {});
      assert.deepEqual(content, [{ type: 'text', text: 'said' }]);
      assert.ok(http.requests.length > 2);
      assert.ok(http.requests.every(({ headers }) => headers['x-key'] === 'k'));
      await server.stop();
    });

  it('says that there is none, and what to do, where nothing listens', async () => {
    const server = open();
    const outcome = await server.start();
    assert.deepEqual(outcome, {
      kind: 'failed',
      message: `There is no socket at ${address}. Is the server running there?`,
    });
    const programs = createNodePrograms(() => Promise.resolve(process.env));
    const findings = await diagnose(server, {
      start: () => server.start(),
      programs,
      t: inEnglish,
    });
    assert.ok(
      findings.some(
        ({ title, next }) =>
          title.startsWith('It does not respond (ENOENT)') && /no such socket/.test(next ?? ''),
      ),
      JSON.stringify(findings),
    );
  });

  it('is diagnosed by the status that comes back', async () => {
    await answer((_, response) => response.writeHead(404).end('not here'));
    const server = open();
    const programs = createNodePrograms(() => Promise.resolve(process.env));
    const findings = await diagnose(server, {
      start: () => server.start(),
      programs,
      t: inEnglish,
    });
    assert.ok(
      findings.some(({ title }) => title === 'It responded with HTTP status 404 Not Found'),
    );
  });

  it('asks nobody to sign in, and asks no host for how to', async () => {
    const asked: (string | undefined)[] = [];
    await answer((request, response) => {
      asked.push(request.url);
      response
        .writeHead(401, {
          'www-authenticate': 'Bearer resource_metadata="http://localhost/.well-known/x"',
        })
        .end();
    });
    const outcome = await open().start();
    assert.equal(outcome.kind, 'failed');
    assert.ok(asked.length > 0 && asked.every((url) => url === '/mcp'), asked.join());
  });

  it('follows no redirect to another host', async () => {
    await answer((_, response) =>
      response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
    );
    const outcome = await open().start();
    assert.match('message' in outcome ? outcome.message : '', /redirects to another place/);
  });

  it('is not reached in a window without a machine, which says so', async () => {
    const outcome = await open({}, testDeps({ openTransport: createTransports({}) })).start();
    assert.deepEqual(outcome, {
      kind: 'failed',
      message: 'This window cannot reach sockets of a machine.',
    });
  });

  it('sends and gets what fetch would, bodies and headers of any form', async () => {
    await answer((request, response) => {
      void textOf(request).then((body) =>
        response
          .writeHead(
            200,
            [
              ['Set-Cookie', 'a=1'],
              ['Set-Cookie', 'b=2'],
            ].flat(),
          )
          .end(
            `${request.method} ${request.url} ${request.headers.host} ${request.headers['content-type']} ${body}`,
          ),
      );
    });
    const send = socketFetch(path);
    const response = await send('http://elsewhere.example/x?y=1', {
      method: 'POST',
      body: 'ü'.repeat(3),
      headers: { 'content-type': 'text/plain' },
    });
    assert.equal(await response.text(), 'POST /x?y=1 localhost text/plain üüü');
    assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
    assert.equal(await (await send('http://localhost/z')).text(), 'GET /z localhost undefined ');
  });

  it('ends with the reason of whoever aborts it, before and while the response comes', async () => {
    await answer((_, response) => void response.writeHead(200).write('begun'));
    const send = socketFetch(path);
    const reason = new Error('enough');
    await assert.rejects(send('http://localhost/', { signal: AbortSignal.abort(reason) }), reason);
    const stop = new AbortController();
    const response = await send('http://localhost/', { signal: stop.signal });
    const rest = response.text();
    stop.abort(reason);
    await assert.rejects(rest);
    const other = await send('http://localhost/');
    await other.body?.cancel();
  });

  for (const [title, said] of [
    ['is no HTTP', 'hello\r\n\r\n'],
    ['ends at once', ''],
    ['has a status that nobody knows', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'],
  ] as const)
    it(`fails as fetch does where what answers ${title}`, async () => {
      await listen(
        net.createServer((socket) => {
          socket.on('error', () => {}).resume();
          socket.end(said);
        }),
      );
      await assert.rejects(socketFetch(path)('http://localhost/'), {
        name: 'TypeError',
        message: 'fetch failed',
      });
    });
});
