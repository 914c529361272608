import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { once } from '../../../src/base/event';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import { createNodeTransports } from '../../../src/mcp/node/nodeTransports';
import type { HttpServerConfig, ServerLimits } from '../../../src/mcp/serverConfig';
import { checkLeaks } from '../../support/processes/leakCheck';
import { event, ScriptedHttpServer } from '../../support/fakes/scriptedHttpServer';
import type { Script } from '../../support/fakes/scriptedTransport';
import { define, limits, names, recordingLogger, testDeps } from './testServers';

const reconnection = { firstMs: 5, longestMs: 20 };

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

function scripts(more: Readonly<Record<string, Script>> = {}): Record<string, Script> {
  return {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: { listChanged: true }, resources: {} },
      serverInfo: { name: 'http', version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: [tool('say')] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'said' }] }),
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'content' }] }),
    ...more,
  };
}

const text = async (server: ConfiguredServer) => {
  const { contents } = await server.readResource('a:b');
  return contents.map((one) => one.text).join();
};
const call = async (server: ConfiguredServer) => {
  const { content } = await server.callTool('say', {});
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join();
};

describe('over HTTP', () => {
  checkLeaks();
  const opened: { dispose(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  });

  /** Starts a server, and creates a client for it that is not started yet. */
  async function open(
    more: Readonly<Record<string, Script>> = {},
    kind: 'streamable' | 'sse' = 'streamable',
    config: Partial<HttpServerConfig> = {},
    prepare: (http: ScriptedHttpServer) => void = () => {},
    bounds: Partial<ServerLimits> = {},
  ) {
    const http = new ScriptedHttpServer(scripts(more), kind);
    prepare(http);
    const url = await http.start();
    opened.push({ dispose: () => http.stop() });
    const { log, lines } = recordingLogger();
    const deps = testDeps({
      log,
      openTransport: createNodeTransports(undefined, { reconnection }),
    });
    const definition = define(
      { type: 'http', url, headers: {}, ...config },
      {
        limits: { ...limits({ initialize: 5000, request: 5000 }), ...bounds },
      },
    );
    const server = new ConfiguredServer(definition, deps);
    opened.push({
      async dispose() {
        await server.stop();
        server.dispose();
      },
    });
    return { http, server, lines };
  }

  for (const answers of ['json', 'stream'] as const) {
    it(`lists, calls and reads from a server that answers with ${answers}`, async () => {
      const { http, server } = await open({}, 'streamable', { headers: { 'X-Key': 'k' } });
      http.answers = answers;
      assert.deepEqual(await server.start(), { kind: 'running' });
      assert.deepEqual(names(server.tools), ['say']);
      assert.deepEqual([await call(server), await text(server)], ['said', 'content']);
      assert.ok(http.requests.every(({ headers }) => headers['x-key'] === 'k'));
      const [called] = http.received('tools/call');
      assert.equal(called?.headers['mcp-session-id'], 'session-1');
      assert.equal(called?.headers['mcp-protocol-version'], '2025-11-25');
    });
  }

  for (const kind of ['streamable', 'sse'] as const)
    it(`reads a result that is an empty list as an empty object, and tells so (${kind})`, async () => {
      const { server } = await open({ 'tools/call': () => [] as never }, kind);
      await server.start();
      await server.callTool('say', {});
      const { state } = server;
      assert.match(JSON.stringify(state.kind === 'running' && state.problems), /is an empty list/);
    });

  it('says goodbye when it stops, and keeps nothing open', async () => {
    const { http, server } = await open();
    await server.start();
    await http.until(() => http.streams.size === 1);
    await server.stop();
    assert.equal(http.requests.at(-1)?.method, 'DELETE');
    assert.equal(server.state.kind, 'stopped');
  });

  it('stops though the goodbye and a call are never answered', async () => {
    const { http, server } = await open();
    await server.start();
    http.intercept = ({ method, message }) =>
      method === 'DELETE' || message?.method === 'tools/call';
    const called = assert.rejects(call(server), /could not call the tool "say"/);
    await http.until(() => http.received('tools/call').length === 1);
    await server.stop();
    await called;
    assert.equal(server.state.kind, 'stopped');
  });

  describe('a session that the server lost', () => {
    const bodies: readonly (readonly [string, string])[] = [
      ['nothing', ''],
      ['a page', '<html>Not found</html>'],
      [
        'an error of JSON-RPC',
        '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
      ],
    ];
    for (const [name, body] of bodies) {
      it(`is made anew and the read repeated, once, where it says ${name}`, async () => {
        const { http, server } = await open();
        http.unknownSession = { status: 404, body };
        await server.start();
        http.forgetSessions();
        assert.equal(await text(server), 'content');
        assert.equal(http.received('initialize').length, 2);
        const reads = http.received('resources/read');
        assert.deepEqual(
          reads.map(({ headers }) => headers['mcp-session-id']),
          ['session-1', 'session-2'],
        );
        assert.equal(server.state.kind, 'running');
      });

      it(`is made anew but the call not repeated, where it says ${name}`, async () => {
        const { http, server } = await open();
        http.unknownSession = { status: 404, body };
        await server.start();
        http.forgetSessions();
        await assert.rejects(call(server), /The connection was reestablished\. Try again\.$/);
        assert.equal(http.received('tools/call').length, 1);
        assert.equal(await call(server), 'said');
        assert.equal(http.received('initialize').length, 2);
      });
    }

    it('is made anew once for all who find it lost at the same time', async () => {
      const { http, server } = await open();
      await server.start();
      http.forgetSessions();
      const texts = await Promise.all([1, 2, 3, 4].map(() => text(server)));
      assert.deepEqual(
        texts,
        Array.from({ length: 4 }, () => 'content'),
      );
      assert.equal(http.received('initialize').length, 2);
    });

    it('is not made anew for ever', async () => {
      const { http, server } = await open();
      await server.start();
      http.intercept = ({ message }, response) => {
        if (message?.method !== 'resources/read') return false;
        response.writeHead(404).end();
        return true;
      };
      await assert.rejects(text(server), /could not read "a:b"/);
      assert.equal(http.received('initialize').length, 2);
      assert.equal(http.received('resources/read').length, 2);
    });

    it('is found by a probe, whatever comes with the 404', async () => {
      const { http, server } = await open();
      http.unknownSession = { status: 404, body: bodies[2]?.[1] ?? '' };
      await server.start();
      http.forgetSessions();
      await server.probe();
      assert.equal(http.received('initialize').length, 2);
      assert.equal(server.state.kind, 'running');
    });

    for (const status of [404, 400])
      it(`is found when the stream of its own messages is refused with ${status}`, async () => {
        const { http, server } = await open();
        http.unknownSession = { status, body: '' };
        await server.start();
        await http.until(() => http.streams.size === 1);
        http.forgetSessions();
        http.breakStreams();
        await http.until(() => http.received('initialize').length === 2);
        await once(server.onDidChangeState, ({ kind }) => kind === 'running');
      });

    it('is not concluded from an answer that has the number 404', async () => {
      const { http, server } = await open();
      await server.start();
      http.intercept = ({ message }, response) => {
        if (message?.method !== 'resources/read') return false;
        const error = { code: 404, message: 'There is no such document', data: { status: 404 } };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
        return true;
      };
      await assert.rejects(text(server), /could not read "a:b": There is no such document$/);
      assert.equal(http.received('initialize').length, 1);
    });
  });

  describe('a server that is not reached any more', () => {
    const state = async (server: ConfiguredServer, wanted: string) => {
      if (server.state.kind !== wanted)
        await once(server.onDidChangeState, ({ kind }) => kind === wanted);
    };
    const reason = ({ state: now }: ConfiguredServer) =>
      now.kind === 'reconnecting' ? now.message : now.kind;
    /** Answers in the place of a gateway, whose server is gone. */
    const gateway = (http: ScriptedHttpServer) => {
      http.breakStreams();
      http.intercept = (_request, response) => {
        response.writeHead(502).end();
        return true;
      };
    };
    const goes: readonly (readonly [string, (http: ScriptedHttpServer) => unknown, RegExp])[] = [
      ['that died', (http) => http.stop(), /^(Nothing listens|The connection was closed)/],
      ['whose gateway still answers', gateway, /^The server answered with HTTP status 502/],
    ];
    for (const [how, go, expected] of goes)
      it(`${how} is reconnecting once its stream cannot be reopened`, async () => {
        const { http, server } = await open();
        await server.start();
        await http.until(() => http.streams.size === 1);
        await go(http);
        await state(server, 'reconnecting');
        assert.match(reason(server), expected);
        assert.deepEqual(names(server.tools), ['say']);
      });

    it('is reconnecting once a request failed, where it has no stream', async () => {
      const { http, server } = await open({}, 'streamable', {}, (made) => {
        made.intercept = ({ method }, response) => {
          if (method !== 'GET') return false;
          response.writeHead(405).end();
          return true;
        };
      });
      await server.start();
      await http.stop();
      await assert.rejects(text(server));
      await state(server, 'reconnecting');
    });

    it('runs again as soon as it answers, in the same session, whoever asked', async () => {
      const { http, server } = await open();
      await server.start();
      const { port } = http;
      await http.stop();
      await assert.rejects(call(server), /"One" could not call/);
      await state(server, 'reconnecting');
      await http.start(port);
      assert.equal(await call(server), 'said');
      assert.equal(server.state.kind, 'running');
      assert.equal(http.received('initialize').length, 1);
    });

    it('runs again by itself, in a new session if it was started anew', async () => {
      const { http, server } = await open();
      await server.start();
      const { port } = http;
      await http.stop();
      await assert.rejects(call(server));
      await state(server, 'reconnecting');
      http.forgetSessions();
      await http.start(port);
      await state(server, 'running');
      assert.equal(http.received('initialize').length, 2);
    });

    it('can be stopped, and is then asked no more', async () => {
      const { http, server } = await open();
      await server.start();
      await http.stop();
      await assert.rejects(call(server));
      await state(server, 'reconnecting');
      await server.stop();
      assert.equal(server.state.kind, 'stopped');
    });

    it('is not one that only answers with an error, or not in time', async () => {
      const { http, server } = await open(
        {},
        'streamable',
        {},
        () => {},
        limits({ request: 1000 }),
      );
      await server.start();
      http.intercept = ({ message }, response) => {
        if (message?.method === 'tools/call') return true;
        if (message?.method !== 'resources/read') return false;
        response.writeHead(500).end();
        return true;
      };
      await assert.rejects(text(server), /500/);
      await assert.rejects(call(server), /No answer/);
      assert.deepEqual([server.state.kind, http.received('ping').length], ['running', 0]);
    });
  });

  describe('the stream of the server’s own messages', () => {
    it('has what changed meanwhile asked for again when it broke', async () => {
      const { http, server } = await open();
      await server.start();
      await http.until(() => http.streams.size === 1);
      const updated: string[] = [];
      server.onDidUpdateResource((uri) => updated.push(uri));
      server.subscribe('a:1');
      const lists = http.received('tools/list').length;
      http.breakStreams();
      await http.until(() => http.received('tools/list').length > lists);
      assert.equal(http.streams.size, 1);
      assert.deepEqual(updated, ['a:1']);
      await server.stop();
    });

    const changed = { method: 'notifications/tools/list_changed' };

    it('comes back after it broke, however often the server refuses it meanwhile', async () => {
      const { http, server } = await open();
      await server.start();
      await http.until(() => http.streams.size === 1);
      let refusals = 0;
      http.intercept = ({ method }, response) => {
        if (method !== 'GET' || refusals === 8) return false;
        refusals += 1;
        response.writeHead(503).end();
        return true;
      };
      const isLost = () =>
        server.state.kind === 'running' && server.state.notificationsLost === 'all';
      const told: boolean[] = [];
      server.onDidChangeState(() => told.push(isLost()));
      const mended = once(server.onDidChangeState, () => !isLost());
      http.breakStreams();
      await http.until(() => refusals === 8 && http.streams.size === 1);
      await mended;
      // Each change is reported once, no matter how many attempts there were.
      assert.deepEqual([told, isLost()], [[true, false], false]);
      http.scripts = { ...http.scripts, 'tools/list': () => ({ tools: [tool('new')] }) };
      const refreshed = once(server.tools.onDidChange, () => names(server.tools).includes('new'));
      http.notify(changed);
      await refreshed;
      assert.equal(http.received('initialize').length, 1);
    });

    it('comes though the server refuses it at first', async () => {
      let refusals = 0;
      const { http, server, lines } = await open({}, 'streamable', {}, (made) => {
        made.intercept = ({ method }, response) => {
          if (method !== 'GET' || refusals === 2) return false;
          refusals += 1;
          response.writeHead(503).end();
          return true;
        };
      });
      await server.start();
      const lists = http.received('tools/list').length;
      await http.until(() => http.streams.size === 1);
      await http.until(() => http.received('tools/list').length > lists);
      const refreshed = once(server.tools.onDidChange, () => names(server.tools).includes('new'));
      http.scripts = { ...http.scripts, 'tools/list': () => ({ tools: [tool('new')] }) };
      http.notify(changed);
      await refreshed;
      assert.equal(lines.warn.filter((line) => line.includes('cannot be opened yet')).length, 1);
    });

    it('goes on after the last message that came', async () => {
      const { http, server } = await open();
      await server.start();
      await http.until(() => http.streams.size === 1);
      const seen = once(server.tools.onDidChange);
      http.notify(changed, 'event-7');
      await seen;
      http.breakStreams();
      const resumed = () =>
        http.requests.some(({ headers }) => headers['last-event-id'] === 'event-7');
      await http.until(resumed);
    });

    it('is opened again no faster than a server may ask for', async () => {
      let gets = 0;
      const { http, server } = await open({}, 'streamable', {}, (made) => {
        made.intercept = ({ method }, response) => {
          if (method !== 'GET') return false;
          gets += 1;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('retry: 0\n\n');
          return true;
        };
      });
      await server.start();
      await http.until(() => gets === 3);
      const before = Date.now();
      await http.until(() => gets === 6);
      assert.ok(Date.now() - before >= 250, 'three streams take at least three tenths of a second');
    });

    it('is opened again though a server asks for a time that is longer than a timer can be', async () => {
      const { http, server, lines } = await open({}, 'streamable', {}, (made) => {
        made.intercept = ({ method }, response) => {
          if (method !== 'GET') return false;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('retry: 99999999999\n\n');
          return true;
        };
      });
      await server.start();
      await http.until(() => http.requests.some(({ method }) => method === 'GET'));
      for (let calls = 0; calls < 20; calls += 1) await call(server);
      assert.equal(http.requests.filter(({ method }) => method === 'GET').length, 1);
      assert.deepEqual(lines.error, []);
    });

    it('may be missing', async () => {
      const { http, server } = await open({}, 'streamable', {}, (made) => {
        made.intercept = ({ method }, response) => {
          if (method !== 'GET') return false;
          response.writeHead(405).end();
          return true;
        };
      });
      await server.start();
      assert.equal(await call(server), 'said');
      assert.equal(http.requests.filter(({ method }) => method === 'GET').length, 1);
    });
  });

  describe('an answer that', () => {
    it('breaks off is asked for again where that is safe, over the same session', async () => {
      const { http, server } = await open();
      await server.start();
      let broken = 0;
      http.intercept = ({ message }, response) => {
        if (message?.method !== 'resources/read' || broken > 0) return false;
        broken += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': nothing yet\n\n', () => response.destroy());
        return true;
      };
      assert.equal(await text(server), 'content');
      assert.equal(broken, 1);
      assert.equal(http.received('initialize').length, 1);
    });

    it('breaks off is never asked for again where it did something', async () => {
      const { http, server } = await open();
      await server.start();
      http.intercept = ({ message }, response) => {
        if (message?.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': nothing yet\n\n', () => response.destroy());
        return true;
      };
      await assert.rejects(
        call(server),
        /without an answer\. It may have been carried out all the same\.$/,
      );
      assert.equal(http.received('tools/call').length, 1);
    });

    it('is over the limit fails that call alone, at once', async () => {
      const { http, server } = await open({}, 'streamable', {}, undefined, {
        maxMessageBytes: 1000,
      });
      await server.start();
      http.intercept = ({ message }, response) => {
        if (message?.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const content = [{ type: 'text', text: 'x'.repeat(500_000) }];
        response.end(event({ jsonrpc: '2.0', id: message.id, result: { content } }));
        return true;
      };
      await assert.rejects(call(server), /more than the limit of 1 kB/);
      assert.equal(await text(server), 'content');
      assert.equal(http.received('initialize').length, 1);
    });

    it('is over the limit on a stream that goes on fails that call alone, at once', async () => {
      const { http, server } = await open({}, 'streamable', {}, undefined, {
        maxMessageBytes: 1000,
      });
      await server.start();
      let id: unknown;
      let resumptions = 0;
      http.intercept = ({ method, headers, message }, response) => {
        if (message?.method === 'tools/call') {
          id = message.id;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('id: first\nretry: 100\ndata: \n\n');
          return true;
        }
        if (method !== 'GET' || headers['last-event-id'] === undefined) return false;
        resumptions += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const content = [{ type: 'text', text: 'x'.repeat(500_000) }];
        response.end(event({ jsonrpc: '2.0', id, result: { content } }, 'second'));
        return true;
      };
      await assert.rejects(call(server), /more than the limit of 1 kB/);
      assert.equal(await text(server), 'content');
      assert.deepEqual([resumptions, http.received('initialize').length], [1, 1]);
    });

    it('breaks off after an event with an id goes on from there', async () => {
      const { http, server } = await open();
      await server.start();
      let id: unknown;
      http.intercept = ({ method, headers, message }, response) => {
        if (message?.method === 'tools/call') {
          id = message.id;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('id: first\nretry: 100\ndata: \n\n');
          return true;
        }
        if (method !== 'GET' || headers['last-event-id'] !== 'first') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const content = [{ type: 'text', text: 'resumed' }];
        response.end(event({ jsonrpc: '2.0', id, result: { content } }));
        return true;
      };
      assert.equal(await call(server), 'resumed');
      assert.equal(http.received('tools/call').length, 1);
    });

    const ends: readonly (readonly [string, (response: ServerResponse) => void])[] = [
      ['ends before another event', (response) => response.end(': not yet\n\n')],
      ['ends at once', (response) => response.end()],
      ['breaks off', (response) => response.write(': not yet\n\n', () => response.destroy())],
    ];
    for (const [how, end] of ends)
      it(`is gone on with from the same event as often as the stream ${how}`, async () => {
        const { http, server } = await open();
        await server.start();
        let id: unknown;
        let resumptions = 0;
        http.intercept = ({ method, headers, message }, response) => {
          if (message?.method === 'tools/call') {
            id = message.id;
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            response.end('id: first\nretry: 100\ndata: \n\n');
            return true;
          }
          if (method !== 'GET' || headers['last-event-id'] !== 'first') return false;
          resumptions += 1;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const content = [{ type: 'text', text: 'resumed' }];
          if (resumptions === 3) response.end(event({ jsonrpc: '2.0', id, result: { content } }));
          else end(response);
          return true;
        };
        assert.equal(await call(server), 'resumed');
        assert.deepEqual([resumptions, http.received('tools/call').length], [3, 1]);
      });

    const wrong: readonly (readonly [string, number, string, string, RegExp])[] = [
      ['is a page', 200, 'text/html', '<html></html>', /Unexpected content type: text\/html/],
      ['is no JSON', 200, 'application/json', '{"jsonrpc": ', /JSON/],
      ['is empty', 200, 'application/json', '', /JSON/],
      ['is another JSON', 200, 'application/json', '{"hello":1}', /could not call/],
      ['is a failure of the server', 500, 'text/plain', 'out of order', /out of order/],
      ['is a failure of a proxy', 502, 'text/html', '<html>bad gateway</html>', /bad gateway/],
    ];
    for (const [name, status, type, body, message] of wrong) {
      it(`${name} fails the one call`, async () => {
        const { http, server } = await open();
        await server.start();
        http.intercept = ({ message: asked }, response) => {
          if (asked?.method !== 'tools/call') return false;
          response.writeHead(status, { 'content-type': type }).end(body);
          return true;
        };
        await assert.rejects(call(server), message);
        assert.equal(await text(server), 'content');
        assert.equal(http.received('initialize').length, 1);
      });
    }
  });

  describe('a server of HTTP+SSE', () => {
    for (const status of [400, 404, 405]) {
      it(`is found where the newer way is refused with ${status}`, async () => {
        const { http, server } = await open({}, 'sse', {}, (made) => {
          made.intercept = ({ method, path }, response) => {
            if (method !== 'POST' || path !== '/mcp') return false;
            response.writeHead(status).end();
            return true;
          };
        });
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.deepEqual([await call(server), names(server.tools)], ['said', ['say']]);
        assert.equal(http.streams.size, 1);
      });
    }

    it('is asked directly where it is configured as that', async () => {
      const { http, server } = await open({}, 'sse', { type: 'sse' });
      await server.start();
      assert.equal(await call(server), 'said');
      assert.equal(http.requests[0]?.method, 'GET');
    });

    it('gets a new session after its stream broke: the old one ended with it', async () => {
      const { http, server } = await open({}, 'sse', { type: 'sse' });
      await server.start();
      http.breakStreams();
      await http.until(() => http.received('initialize').length === 2);
      if (server.state.kind !== 'running')
        await once(server.onDidChangeState, ({ kind }) => kind === 'running');
      assert.equal(await call(server), 'said');
      assert.equal(http.streams.size, 1);
    });

    it('stops though its stream never opened', async () => {
      const { http, server } = await open({}, 'sse', { type: 'sse' }, (made) => {
        made.intercept = () => true;
      });
      const started = server.start();
      await http.until(() => http.requests.length === 1);
      await server.stop();
      assert.equal((await started).kind, 'refused');
    });

    it('fails what waits for an answer when its stream breaks', async () => {
      const { http, server } = await open({ 'tools/call': () => new Promise(() => {}) }, 'sse', {
        type: 'sse',
      });
      await server.start();
      const called = assert.rejects(call(server), /could not call the tool "say": The connection/);
      await http.until(() => http.received('tools/call').length === 1);
      http.breakStreams();
      await called;
    });
  });

  it('tells that nothing listens', async () => {
    const { http, server } = await open();
    await http.stop();
    const outcome = await server.start();
    assert.match(outcome.kind === 'failed' ? outcome.message : '', /^Nothing listens at/);
  });

  it('needs a sign-in where the server says 401', async () => {
    const { server } = await open({}, 'streamable', {}, (made) => {
      made.intercept = (_request, response) => {
        response.writeHead(401).end();
        return true;
      };
    });
    assert.deepEqual(await server.start(), { kind: 'needsSignIn' });
  });

  it('works again after the server was away, without anybody’s doing', async () => {
    const { http, server } = await open();
    await server.start();
    const { port } = http;
    await http.stop();
    await assert.rejects(call(server));
    http.forgetSessions();
    await http.start(port);
    assert.equal(await text(server), 'content');
  });
});
