import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred } from '../../../src/base/async';
import type { ServerConfig } from '../../../src/mcp/serverConfig';
import { spyOnConcat } from '../../support/fakes/concatSpy';
import { execute } from '../../support/run/execute';
import { settled } from '../../support/fakes/fakeClock';
import { checkLeaks } from '../../support/processes/leakCheck';
import { createCensus } from '../../support/processes/processCensus';
import { ScriptedHttpServer } from '../../support/fakes/scriptedHttpServer';
import { until } from '../../support/until';
import { bareClients } from './bareClients';
import { legacyServer } from './scriptedSession';
import { ourClients, type TrapClient } from './trapClients';

/*
 * The traps of the official SDK clients, one test each. With MCP_WORKBENCH_BARE_SDK=1 or =2 in the environment, the
 * tests run on the bare client of that SDK generation, and each fails on at least one of the two: the second
 * generation fixed the refresh of every page and the reused signal, and the first never asks for a revision.
 */
const generation = process.env['MCP_WORKBENCH_BARE_SDK'];
const clients = (generation && bareClients[generation]) || ourClients;

const fixtures = join(__dirname, '..', '..', 'fixtures');
const badServer = join(fixtures, 'badServers', 'main.js');
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

describe(`traps of the SDK, on ${generation ? `bare SDK ${generation}` : 'our client'}`, function () {
  this.timeout(30_000);
  checkLeaks();
  const census = createCensus();
  const endings: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
    for (const { pid } of await census.running()) process.kill(pid, 'SIGKILL');
    await until(async () => (await census.running()).length === 0);
  });

  const node = (...args: readonly string[]): ServerConfig => ({
    type: 'stdio',
    command: process.execPath,
    args,
    env: census.env,
  });

  async function connect(config: ServerConfig): Promise<TrapClient> {
    const client = await clients.open(config);
    endings.push(() => client.close());
    return client;
  }

  const bad = (...mode: readonly string[]) => connect(node(badServer, ...mode));
  const slow = () => connect(node(join(fixtures, 'badServers', 'slow.js')));

  async function serve(pages: readonly (readonly string[])[]) {
    const http = new ScriptedHttpServer({
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'http', version: '1.0.0' },
      }),
      'tools/list': ({ cursor }) => {
        const page = Number(cursor ?? 0);
        const next = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
        return { tools: (pages[page] ?? []).map(tool), ...next };
      },
      'tools/call': () => ({ content: [{ type: 'text', text: 'said' }] }),
    });
    const url = await http.start();
    endings.push(() => http.stop());
    return { http, client: await connect({ type: 'http', url, headers: {} }) };
  }

  it('trap: one malformed tool in a list', async () => {
    const client = await bad('malformed-entries');
    assert.deepEqual(await client.tools(), ['good-1', 'good-2']);
  });

  it('trap: an unknown content type in a result', async () => {
    const client = await bad('unknown-content');
    assert.deepEqual(await client.call('say'), ['text', 'unknown', 'text']);
  });

  it('trap: a list over more than 64 pages', async () => {
    const client = await bad('many-pages', '100');
    assert.equal((await client.tools()).length, 100);
  });

  it('trap: list_changed refresh of page 1 only', async () => {
    const pages = [['a1', 'a2'], ['b1', 'b2'], ['c1']];
    const { http, client } = await serve(pages);
    await client.tools();
    await http.until(() => http.streams.size === 1);
    const refreshed = client.refreshed();
    pages[2] = ['c1', 'c2'];
    http.notify({ method: 'notifications/tools/list_changed' });
    assert.deepEqual(await refreshed, ['a1', 'a2', 'b1', 'b2', 'c1', 'c2']);
  });

  it('trap: a stdio message over 10 MB', async () => {
    const client = await bad('big-line', '11');
    const [text] = await client.texts('say');
    assert.equal(text?.length, 11 * 1024 * 1024);
  });

  it('trap: a large blob over stdio is copied again with each chunk', async () => {
    const client = await bad('big-line', '9');
    const spy = spyOnConcat();
    const [text] = await client.texts('say').finally(() => spy.stop());
    const { copied } = spy.stop();
    const size = text?.length ?? 0;
    assert.equal(size, 9 * 1024 * 1024);
    assert.ok(copied < 2 * size, `${copied} bytes were copied for ${size}`);
  });

  it('trap: progress extends a deadline only where somebody listens to it', async () => {
    const client = await slow();
    const bounds = { requestMs: 400, ceilingMs: 10_000 };
    assert.deepEqual(await client.texts('wait', { ms: 1000 }, bounds), ['done']);
  });

  it('trap: progress in the same chunk as the response', async () => {
    const client = await bad('progress-burst');
    const heard: number[] = [];
    await client.texts('say', {}, { onProgress: (progress) => heard.push(progress) });
    assert.deepEqual(heard, [1, 2, 3]);
  });

  it('trap: no cancelled when the total time is over', async () => {
    const client = await slow();
    const bounds = { requestMs: 5000, ceilingMs: 300, onProgress: () => {} };
    await assert.rejects(client.texts('wait', { ms: 20_000 }, bounds));
    assert.deepEqual(await client.texts('cancelled'), ['1']);
  });

  it('trap: one AbortSignal reused over calls', async () => {
    const client = await slow();
    const abort = new AbortController();
    for (let call = 0; call < 20; call += 1)
      await client.texts('cancelled', {}, { signal: abort.signal });
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
    abort.abort();
    assert.deepEqual(await client.texts('cancelled'), ['0']);
  });

  it('trap: HTTP 404 on a lost session', async () => {
    const { http, client } = await serve([['a']]);
    http.unknownSession = {
      status: 404,
      body: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
    };
    http.forgetSessions();
    await client.texts('say').catch(() => []);
    assert.deepEqual(await client.texts('say'), ['said']);
    assert.equal(http.received('initialize').length, 2);
  });

  it('trap: a GET stream that drops is given up', async () => {
    const { http, client } = await serve([['a']]);
    await client.tools();
    await http.until(() => http.streams.size === 1);
    let refusals = 0;
    http.intercept = ({ method }, response) => {
      if (method !== 'GET' || refusals === 4) return false;
      refusals += 1;
      response.writeHead(503).end();
      return true;
    };
    http.breakStreams();
    const back = http.until(() => refusals === 4 && http.streams.size === 1);
    const timer = deferred<string>();
    const handle = setTimeout(() => timer.resolve('given up'), 15_000);
    endings.push(() => Promise.resolve(clearTimeout(handle)));
    assert.equal(await Promise.race([back.then(() => 'back'), timer.promise]), 'back');
  });

  it('trap: output schemas compiled at listing', async () => {
    const client = await bad('odd-schemas');
    assert.equal((await client.tools()).length, 5);
    assert.deepEqual(await client.texts('bad_output'), ['ok']);
  });

  it('trap: closing sh -c "node server; true" leaves the server', async function () {
    if (process.platform === 'win32') this.skip();
    const line = `"${process.execPath}" "${badServer}" ignore-eof; true`;
    const client = await connect({ ...node('-c', line), command: 'sh' } as ServerConfig);
    await client.close();
    assert.deepEqual(await census.commands(), []);
  });

  it('trap: a server that ignores SIGTERM takes four seconds to close', async () => {
    const client = await bad('ignore-sigterm');
    const before = Date.now();
    await Promise.all([client.close(), client.close()]);
    assert.ok(Date.now() - before < 3000);
    assert.deepEqual(await census.commands(), []);
  });

  it('trap: finding out the revision starts a stdio server twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-traps-'));
    endings.push(() => rm(folder, { recursive: true }));
    const file = join(folder, 'starts');
    const code = `require('node:fs').appendFileSync(${JSON.stringify(file)}, 'x'); require(${JSON.stringify(badServer)})`;
    const client = await connect(node('-e', code, 'modern'));
    assert.deepEqual(await client.texts('say'), ['ok']);
    assert.equal(await readFile(file, 'utf8'), 'x');
  });

  it('trap: 30 servers start one after another', async () => {
    const gate = deferred<void>();
    let asked = 0;
    const transports = Array.from({ length: 30 }, () =>
      legacyServer({
        capabilities: { tools: {} },
        scripts: {
          initialize: async ({ protocolVersion }) => {
            asked += 1;
            await gate.promise;
            const serverInfo = { name: 's', version: '1' };
            return { protocolVersion, capabilities: { tools: {} }, serverInfo };
          },
          'tools/list': () => ({ tools: [tool('a')] }),
        },
      }),
    );
    const listed = clients.listAll(transports);
    await until(() => asked >= 8);
    await settled();
    const atOnce = asked;
    gate.resolve();
    assert.equal((await listed).flat().length, 30);
    assert.equal(atOnce, 8, 'as many at once as allowed, and no more');
  });

  it('trap: 10,000 tools in pages of 500 are copied and compiled', async () => {
    const all = Array.from({ length: 10_000 }, (_one, index) => ({
      ...tool(`tool ${index}`),
      outputSchema: { type: 'object', properties: { n: { type: 'integer', pattern: '(' } } },
    }));
    let requests = 0;
    const transport = legacyServer({
      capabilities: { tools: {} },
      scripts: {
        'tools/list': ({ cursor }) => {
          requests += 1;
          const from = Number(cursor ?? 0);
          const next = from + 500;
          return {
            tools: all.slice(from, next),
            ...(next < all.length && { nextCursor: String(next) }),
          };
        },
      },
    });
    const [items = []] = await clients.listAll([transport]);
    assert.equal(items.length, 10_000);
    assert.ok(
      items.every((item, index) => item === all[index]),
      'the very objects that came',
    );
    assert.equal(requests, 20);
  });

  it('trap: the SDK is loaded before there is a connection', async () => {
    const program = join(fixtures, 'loadedPackages.js');
    const { code, output } = await execute(process.execPath, [program, clients.module]);
    assert.equal(code, 0, output);
    assert.deepEqual(JSON.parse(output), []);
  });
});
