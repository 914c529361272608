import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { diagnose } from '../../../src/mcp/diagnose';
import { inEnglish } from '../../../src/base/translate';
import { HostileServer } from '../../fixtures/hostile/answer';
import { firstAnswers, notificationAnswers } from '../../fixtures/hostile/firstAnswers';
import { checkLeaks } from '../../support/processes/leakCheck';
import { ScriptedHttpServer, type Intercept } from '../../support/fakes/scriptedHttpServer';
import { until } from '../../support/until';
import { define, limits, recordingLogger, testDeps } from '../mcp/testServers';

const good = { Authorization: 'Bearer good' };

/** The answers of an ordinary server. */
const scripts = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'ordinary', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'say', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'ok' }] }),
};

describe('a server over HTTP behind something that spoils the beginning', () => {
  checkLeaks();
  const endings: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  });

  /** Starts an ordinary server that accepts one token, and a client for it; `spoil` answers in its place. */
  async function open(
    spoil: Intercept,
    {
      headers = good,
      type = 'http',
      initialize = 4000,
    }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly type?: 'http' | 'sse';
      readonly initialize?: number;
    } = {},
  ) {
    const http = new ScriptedHttpServer(scripts, type === 'sse' ? 'sse' : 'streamable');
    http.intercept = (request, response) => {
      if (request.headers.authorization === good.Authorization) return spoil(request, response);
      response.writeHead(401).end();
      return true;
    };
    const url = await http.start();
    endings.push(() => http.stop());
    const { log, lines } = recordingLogger();
    const server = new ConfiguredServer(
      define({ type, url, headers }, { limits: limits({ initialize, request: initialize }) }),
      testDeps({ log }),
    );
    endings.push(async () => {
      await server.stop();
      server.dispose();
    });
    const asked = () => http.requests.map(({ message, method }) => message?.method ?? method);
    return { http, server, lines, asked };
  }

  const onDiscover =
    (reply: (response: ServerResponse, id: unknown) => void): Intercept =>
    ({ message }, response) => {
      if (message?.method !== 'server/discover') return false;
      reply(response, message.id);
      return true;
    };

  for (const [name, { reply, isSilent = false }] of Object.entries(firstAnswers))
    it(`runs though server/discover is answered with ${name}, and is asked that once`, async () => {
      const { server, asked } = await open(onDiscover(reply));
      const began = Date.now();
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.equal(Date.now() - began >= 990, isSilent);
      assert.deepEqual(await server.callTool('say', {}), {
        content: [{ type: 'text', text: 'ok' }],
        isError: false,
      });
      await server.stop();
      assert.deepEqual(await server.start(), { kind: 'running' });
      const count = (method: string) => asked().filter((one) => one === method).length;
      assert.deepEqual([count('server/discover'), count('initialize')], [1, 2]);
    });

  it('is said to refuse the header only where initialize was refused with it, too', async () => {
    const discover401 = firstAnswers['a 401 for the method'];
    assert.ok(discover401);
    const statuses: readonly (readonly [number, RegExp])[] = [
      [401, /refuses the configured Authorization header/],
      [403, /HTTP status 403/],
      [500, /HTTP status 500/],
      [429, /HTTP status 429/],
    ];
    for (const [code, sentence] of statuses) {
      const { server, asked } = await open(({ message }, response) => {
        if (message?.method === 'server/discover') discover401.reply(response, message.id);
        else response.writeHead(code).end();
        return true;
      });
      const outcome = await server.start();
      assert.ok(outcome.kind === 'failed');
      assert.match(outcome.message, sentence);
      assert.equal(/Authorization/.test(outcome.message), code === 401);
      assert.deepEqual(asked().slice(0, 2), ['server/discover', 'initialize']);
    }
  });

  it('fails at once where initialize is refused beside a silent server/discover', async () => {
    const { server } = await open(({ message }, response) => {
      if (message?.method === 'initialize') response.writeHead(403).end('not for you');
      return true;
    });
    const began = Date.now();
    const outcome = await server.start();
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message, /403: not for you/);
    assert.ok(Date.now() - began < 3000);
  });

  it('fails within its limit where neither is answered', async () => {
    const { server } = await open(() => true, { initialize: 800 });
    const began = Date.now();
    const outcome = await server.start();
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.message, /did not answer the first request in time/);
    assert.ok(Date.now() - began < 2500);
  });

  it('runs in the newest revision where that answer comes late, and initialize is refused', async () => {
    const hostile = new HostileServer(true);
    const { server } = await open(({ message }, response) => {
      const text = hostile.answer(message ?? {}).join('');
      const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      if (message?.method === 'server/discover') setTimeout(send, 1500);
      else send();
      return true;
    });
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.ok(server.state.kind === 'running');
    assert.equal(server.state.info.protocolVersion, '2026-07-28');
  });

  for (const type of ['http', 'sse'] as const)
    for (const [name, { reply, isTold }] of Object.entries(notificationAnswers))
      it(`runs over ${type} though notifications/initialized ${name}`, async () => {
        const { server, http } = await open(
          ({ message }, response) => {
            if (message?.method === undefined || message.id !== undefined) return false;
            reply(response);
            return true;
          },
          { type, initialize: 2000 },
        );
        const began = Date.now();
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.ok(Date.now() - began < 2000);
        assert.equal((await server.callTool('say', {})).content.length, 1);
        server.notifyRootsChanged();
        const said = /does not acknowledge notifications/;
        if (isTold) {
          await until(() => server.state.kind === 'running' && !!server.state.problems);
          assert.match(JSON.stringify(server.state), said);
          const findings = await diagnose(server, {
            start: () => server.start(),
            programs: undefined,
            t: inEnglish,
          });
          assert.match(JSON.stringify(findings), said);
          // Its own messages arrive all the same.
          await http.until(() => http.streams.size === 1);
        } else assert.doesNotMatch(JSON.stringify(server.state), said);
        await server.stop();
        assert.equal(server.state.kind, 'stopped');
      });

  for (const [what, begins] of [
    ['never begins', false],
    ['never says where messages go', true],
  ] as const)
    it(`is given up where the stream of HTTP+SSE ${what}`, async () => {
      const { server } = await open(
        ({ method }, response) => {
          if (method !== 'GET') return false;
          if (begins)
            response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
          return true;
        },
        { type: 'sse', initialize: 300 },
      );
      const outcome = await server.start();
      assert.ok(outcome.kind === 'failed');
      assert.match(outcome.message, /was not ready within .*timeouts.start/);
    });
});
