import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Translate } from '../../../../src/base/translate';
import { ConfiguredServer } from '../../../../src/mcp/configuredServer';
import type { ConnectionDeps } from '../../../../src/mcp/connection/connectionDeps';
import { checkAddress, diagnose } from '../../../../src/mcp/diagnose';
import { createNodePrograms } from '../../../../src/mcp/node/nodePrograms';
import { parseServerConfig } from '../../../../src/mcp/launch/launchKinds';
import { thisSystem } from '../../../../src/mcp/node/system';
import type { StdioServerConfig } from '../../../../src/mcp/serverConfig';
import { reportText } from '../../../../src/servers/createDoctor';
import { execute } from '../../../support/run/execute';
import { built } from '../../../support/paths';
import { startEndless } from '../../../support/fakes/endlessServer';
import { ScriptedError } from '../../../support/fakes/scriptedTransport';
import { legacyServer } from '../scriptedSession';
import { define, quickRestarts, scriptedTransports, testDeps } from '../testServers';

const t: Translate = (message, ...args) =>
  message.replaceAll(/\{(\d)\}/g, (_all, index: string) => args[Number(index)] ?? '');

const node: StdioServerConfig = { type: 'stdio', command: 'node', args: [], env: {} };

const isWindows = thisSystem() === 'win32';

/** A crashed server is not restarted. */
const none = { ...quickRestarts, maxRestarts: 0 };

const programs = createNodePrograms(() => Promise.resolve(process.env));

/** Returns the report on a server. */
async function report(value: unknown, deps: Partial<ConnectionDeps> = {}): Promise<string> {
  const parsed = parseServerConfig(value);
  assert.ok('config' in parsed);
  const server = new ConfiguredServer(define(parsed.config), testDeps({ restarts: none, ...deps }));
  try {
    return await reportOn(server);
  } finally {
    await server.stop();
    server.dispose();
  }
}

async function reportOn(server: ConfiguredServer): Promise<string> {
  const findings = await diagnose(server, { start: () => server.start(), programs, t });
  const text = reportText({ name: 'One', facts: [] }, findings, t);
  assertNextSteps(text);
  return text;
}

/** Checks that if something is wrong, there is a next step. */
function assertNextSteps(text: string): void {
  if (text.includes('✗')) assert.match(text, /→ /);
}

describe('the diagnosis of a server', function () {
  this.timeout(30_000);

  it('that runs tells the program, versions, revision, offers and lists', async () => {
    const value = {
      command: 'node',
      args: [built('fixtures', 'demoServer', 'main.js')],
      env: { MY_SETTING: 'the-value' },
    };
    const text = await report(value, { requests: { listRoots: () => Promise.resolve([]) } });
    assert.match(text, /No problems found/);
    assert.match(text, /✓ Protocol revision 2025-11-25/);
    assert.match(text, /✓ It offers: .*tools/);
    assert.match(text, /✓ Client capabilities: roots \(listChanged\)$/m);
    assert.match(text, /✓ Entries in Tools: \d+/);
    assert.match(text, /✓ Command: node is .*[\\/]node/);
    assert.match(text, /✓ node v\d+/);
    assert.match(
      text,
      /Environment variables it receives .*\n[^·✓✗]*\bMY_SETTING\b[^·✓✗]*\bPATH\b/,
    );
    assert.doesNotMatch(text, /the-value/);
  });

  it('that is given by its path is named once', async () => {
    const text = await report({ command: process.execPath, args: ['-e', ''] });
    assert.ok(text.includes(`✓ Command: ${process.execPath}\n`), text);
  });

  it('that inherits nothing is found and started all the same', async () => {
    const text = await report({
      command: 'node',
      args: [built('fixtures', 'demoServer', 'main.js')],
      inheritEnvironment: 'none',
      env: { ONLY: 'this' },
    });
    assert.match(text, /✓ Protocol revision/);
    const needed = isWindows
      ? ['NoDefaultCurrentDirectoryInExePath', 'ONLY', 'SystemRoot']
      : ['ONLY'];
    assert.ok(
      text.includes(
        `Environment variables it receives (${needed.length})\n      ${needed.join(' ')}\n`,
      ),
      text,
    );
  });

  it('reads no more of a refusal than it shows, whatever its size', async () => {
    await using endless = await startEndless(503, 'text/plain');
    const findings = await checkAddress({ type: 'http', url: endless.url, headers: {} }, t);
    assert.match(findings[1]?.title ?? '', /HTTP status 503/);
    assert.ok((findings[1]?.detail ?? '').length < 1000);
    assert.ok(endless.sent() < 50_000_000);
  });

  it('whose command is not there says where it was looked for, and the exact error', async () => {
    const folders = isWindows ? ['C:\\one', 'C:\\two'] : ['/one', '/two'];
    const PATH = folders.join(delimiter);
    const text = await report({ command: 'no-such-program', env: { PATH } });
    const lines = ['Looked for in:', ...folders].map((line) => `\n      ${line}`).join('');
    assert.ok(text.includes(`✗ The command no-such-program was not found${lines}\n`), text);
    assert.match(text, isWindows ? /"where no-such-program"/ : /"which no-such-program"/);
    assert.match(text, /✗ The command "no-such-program" was not found\./);
  });

  it('whose command has the arguments in it says where they belong', async () => {
    const text = await report({ command: 'npx -y @scope/server' });
    assert.match(text, /✗ "command" is the program alone\. .*"args": \["-y", …\]\.\n/);
    assert.match(text, /✗ The command npx -y @scope\/server was not found[^→]*→ "command" is/);
    assert.doesNotMatch(text, /Install it/);
  });

  it('whose folder is not there says so', async () =>
    assert.match(
      await report({ command: 'node', cwd: '/no/such/folder' }),
      /✗ The working directory \/no\/such\/folder does not exist/,
    ));

  it('that exits says with which code and its last lines', async () => {
    const script = 'console.error("first");console.error("Cannot find module x");process.exit(3)';
    const text = await report({ command: 'node', args: ['-e', script] });
    assert.match(
      text,
      /✗ The server exited with code 3: Cannot find module x\.\n[^]*→ The last lines/,
    );
    assert.match(text, /Last lines on stderr\n +first\n +Cannot find module x/);
  });

  for (const [what, restarts, state] of [
    ['stayed down', none, 'failed'],
    ['was started again by itself', quickRestarts, 'running'],
  ] as const)
    it(`that crashed, ${what} and runs for now begins with how it ended`, async () => {
      const crashing = Object.assign(legacyServer(), {
        ending: 'exited with code 7',
        stderrTail: 'loading\nError: disk full',
      });
      const { openTransport } = scriptedTransports(crashing, legacyServer(), legacyServer());
      const server = new ConfiguredServer(define(node), testDeps({ restarts, openTransport }));
      await server.start();
      const over = new Promise<void>((resolve) => {
        server.onDidChangeState(({ kind }) => kind === state && resolve());
      });
      await crashing.close();
      await over;
      const text = await reportOn(server);
      assert.match(
        text,
        /Problems found: 1\n\n✗ Before this start: The server exited with code 7: Error: disk full\.\n +loading\n +Error: disk full\n/,
      );
      assert.match(text, /✓ Running/);
      await server.stop();
      assert.doesNotMatch(await reportOn(server), /code 7/);
      await server.stop();
      server.dispose();
    });

  it('that fails again as before says so once', async () => {
    const script = 'console.error("no license");process.exit(3)';
    const config = { ...node, args: ['-e', script] };
    const server = new ConfiguredServer(define(config), testDeps({ restarts: none }));
    await server.start();
    assert.equal((await reportOn(server)).match(/exited with code 3/g)?.length, 1);
    server.dispose();
  });

  it('that prints something else shows its first bytes', async () => {
    const script = 'process.stdout.write("\\u001b[32mReady\\u0007\\n");process.exit(0)';
    const text = await report({ command: 'node', args: ['-e', script] });
    assert.match(text, /✗ The first line on stdout is not a protocol message\n +"Ready\\u0007"/);
  });

  it('names the list that failed, and what others left out', async () => {
    const transport = legacyServer({
      capabilities: { tools: {}, prompts: {} },
      scripts: {
        'tools/list': () => {
          throw new ScriptedError(-32603, 'The database is away');
        },
        'prompts/list': () => ({ prompts: [{ name: 'a' }, { name: 7 }] }),
      },
    });
    const text = await report(
      { command: 'node' },
      { openTransport: scriptedTransports(transport).openTransport },
    );
    assert.match(text, /✗ The list of Tools failed\n.*The database is away.*\n +→/);
    assert.match(text, /· Entries in Prompts: 1, with problems\n/);
  });

  it('says that a program beside the command is missing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-doctor-'));
    try {
      await writeFile(join(folder, 'uvx'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const text = await report({ command: 'uvx', args: ['x'], env: { PATH: folder } });
      assert.match(text, /✗ uv was not found\n +→ Install uv/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes out lines that look like a secret', async () => {
    const script = `console.error("using ghp_${'a1'.repeat(18)}");process.exit(1)`;
    assert.doesNotMatch(await report({ command: 'node', args: ['-e', script] }), /ghp_/);
  });

  for (const [what, status, headers, expected] of [
    [
      'a page that is not there',
      404,
      {},
      /✗ It responded with HTTP status 404.*[^]*→ Check the path/,
    ],
    [
      'a refusal',
      403,
      { 'x-reason': 'plan' },
      /HTTP status 403[^]*x-reason: plan[^]*→ Your account/,
    ],
    ['another address', 308, { location: 'https://new.example' }, /308[^]*location: https:\/\/new/],
    [
      'a web page',
      200,
      { 'content-type': 'text/html' },
      /✗ \S+\/mcp answered with a web page\. Look for[^]*→ This is a web page/,
    ],
    ['a broken server', 502, {}, /✗ \S+ answered with HTTP status 502: no\.\n[^]*→ The server or/],
    ['a sign-in', 401, { 'www-authenticate': 'Bearer' }, /→ Run "Sign In"/],
  ] as const)
    it(`at an address that leads to ${what} shows status, headers and a next step`, async () => {
      await using server = await listen((_request, response) => {
        response.writeHead(status, headers).end('no');
      });
      assert.match(await report({ url: server.url }), expected);
    });

  it('with a header that is refused says that it is that', async () => {
    await using server = await listen((_request, response) => {
      response.writeHead(401).end();
    });
    assert.match(
      await report({ url: server.url, headers: { Authorization: 'Bearer x' } }),
      /→ The "Authorization" header is refused/,
    );
  });

  it('where nothing listens says so', async () => {
    const server = await listen(() => {});
    await server[Symbol.asyncDispose]();
    assert.match(await report({ url: server.url }), /\(ECONNREFUSED\)[^]*→ Start the server/);
  });

  it('whose certificate is not trusted says so', async () => {
    await using server = await listenWithOwnCertificate();
    assert.match(
      await report({ url: server.url }),
      /DEPTH_ZERO_SELF_SIGNED_CERT[^]*→ Its certificate is not trusted on this machine/,
    );
  });
});

async function listen(handle: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createHttpServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listenWithOwnCertificate(): Promise<AsyncDisposable & { url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await execute('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  const server = createTlsServer({ key: await readFile(key), cert: await readFile(cert) });
  await rm(folder, { recursive: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
