import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import type { ServerMemory } from '../../../src/mcp/lists/catalog';
import { suggestsLostSession } from '../../../src/mcp/connection/lostSessionCheck';
import { RpcError } from '../../../src/mcp/protocol/rpcError';
import { sessionInfo } from '../../../src/mcp/serverState';
import type { Session } from '../../../src/mcp/session/session';
import { ScriptedHttpServer, type Intercept } from '../../support/fakes/scriptedHttpServer';
import { ScriptedError, type Script } from '../../support/fakes/scriptedTransport';
import { checkLeaks } from '../../support/processes/leakCheck';
import { createCensus } from '../../support/processes/processCensus';
import { until } from '../../support/until';
import { modernHttp, type Refusal } from './modernHttp';
import { legacyServer, modernServer } from './scriptedSession';
import {
  define,
  limits,
  names,
  recordingLogger,
  scriptedTransports,
  testDeps,
} from './testServers';

const badServer = join(__dirname, '..', '..', 'fixtures', 'badServers', 'main.js');

describe('a process that speaks only the newest revision', () => {
  checkLeaks();
  const census = createCensus();

  for (const answer of ['32600', '32601', '32602', '32603', '32000', '32022', 'silence'])
    it(`is found where it answers initialize with ${answer}, once and for all, in one process`, async () => {
      const saved: string[] = [];
      const memory: ServerMemory = {
        load: () => Promise.resolve(undefined),
        save: (_config, { era }) => Promise.resolve(void saved.push(era)),
        forget: () => Promise.resolve(),
      };
      const config = {
        type: 'stdio',
        command: process.execPath,
        args: [badServer, 'modern', answer],
        env: census.env,
      } as const;
      const definition = define(config, {
        limits: limits({ initialize: answer === 'silence' ? 4000 : 20_000 }),
      });
      const server = new ConfiguredServer(definition, testDeps({ memory }));
      try {
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.equal((await census.commands()).length, 1);
        assert.deepEqual(names(server.tools), ['say', 'ask', 'change', 'stats']);
        const stats = async () => {
          const { content } = await server.callTool('stats', {});
          const [block] = content;
          return JSON.parse(block?.type === 'text' ? block.text : '') as Record<string, number>;
        };
        assert.equal((await stats())['initialize'], 1);
        await server.stop();
        assert.deepEqual(await server.start(), { kind: 'running' });
        assert.equal((await stats())['initialize'], undefined);
        await until(() => saved.length > 0);
        assert.deepEqual(new Set(saved), new Set(['modern']));
      } finally {
        await server.stop();
        server.dispose();
      }
      assert.deepEqual(await census.commands(), []);
    });
});

describe('a server that is asked for one revision alone', () => {
  checkLeaks();
  const sticks = () =>
    legacyServer({
      scripts: {
        initialize: () => ({
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'sticks', version: '1' },
        }),
      },
    });
  const failing = (code: number) =>
    legacyServer({
      scripts: {
        initialize: () => {
          throw new ScriptedError(code, 'Not today');
        },
      },
    });
  const told = (revision: string, why: string) =>
    `The server does not speak revision ${revision}, the only one that is asked for: ${why}`;
  for (const [title, transport, revision, expected] of [
    ['of several', legacyServer(), '2025-03-26', '2025-03-26'],
    ['without a handshake', modernServer(), '2026-07-28', '2026-07-28'],
    ['over what would be asked first', modernServer({}, true), '2026-07-28', '2026-07-28'],
    ['with another', sticks(), '2025-03-26', told('2025-03-26', "Server's protocol version")],
    ['while it fails', failing(-32603), '2025-03-26', 'Not today'],
    ['that is not valid for it', failing(-32602), '2025-03-26', told('2025-03-26', 'Not today')],
    ['that it is too old for', legacyServer(), '2026-07-28', told('2026-07-28', 'Method not')],
    ['that it is too new for', modernServer(), '2025-11-25', told('2025-11-25', 'Unsupported')],
  ] as const)
    it(`speaks that, or says why it does not: one ${title}`, async () => {
      const saved: unknown[] = [];
      const memory: ServerMemory = {
        load: (key) => (saved.push(key), Promise.resolve(undefined)),
        save: () => Promise.resolve(),
        forget: () => Promise.resolve(),
      };
      const definition = {
        ...define({ type: 'stdio', command: 'x', args: [], env: {} }),
        revision,
      };
      const { openTransport } = scriptedTransports(transport);
      const server = new ConfiguredServer(definition, testDeps({ memory, openTransport }));
      try {
        const outcome = await server.start();
        const info = sessionInfo(server.state);
        const said = 'message' in outcome ? outcome.message : (info?.protocolVersion ?? '');
        assert.ok(said.includes(expected), said);
        assert.equal(said.includes('does not speak'), expected.includes('does not speak'), said);
        // What it says in one revision is not remembered for the others.
        const { name, config } = definition;
        assert.deepEqual(saved, [{ name, config, place: undefined, revision }]);
      } finally {
        await server.stop();
        server.dispose();
      }
    });
});

describe('a server over HTTP that is replaced at its address', () => {
  checkLeaks();
  const endings: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  /** Creates the answers for an era, which record the calls. */
  function scripts(calls: string[], era: string): Record<string, Script> {
    return {
      initialize: ({ protocolVersion }) => ({
        protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: era, version: '1' },
      }),
      ping: () => ({}),
      'tools/list': () => ({ tools: [{ name: `say-${era}`, inputSchema: { type: 'object' } }] }),
      'tools/call': () => {
        calls.push(era);
        return { content: [] };
      },
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'resources/read': ({ uri }) => ({ contents: [{ uri, text: era }] }),
    };
  }

  async function open(first: Intercept) {
    const calls: string[] = [];
    const http = new ScriptedHttpServer(scripts(calls, 'legacy'));
    http.intercept = first;
    const url = await http.start();
    const { log, lines } = recordingLogger();
    const server = new ConfiguredServer(
      define({ type: 'http', url, headers: {} }),
      testDeps({ log }),
    );
    endings.push(async () => {
      await server.stop();
      server.dispose();
      await http.stop();
    });
    assert.deepEqual(await server.start(), { kind: 'running' });
    const text = async () => (await server.readResource('a:b')).contents[0]?.text;
    return { http, server, calls, text, lines };
  }

  const upgrades: readonly Refusal[] = [
    { status: 400, error: { code: -32022, message: 'Unsupported protocol version' } },
    { status: 200, error: { code: -32022, message: 'Unsupported protocol version' } },
    { status: 400, error: { code: -32020, message: 'Header mismatch: Mcp-Method is missing' } },
    { status: 400, error: { code: -32602, message: 'Missing _meta' } },
    { status: 400 },
    { status: 404, error: { code: -32601, message: 'Method not found' } },
    { status: 404 },
  ];
  for (const refusal of upgrades)
    it(`by one of the modern era that answers ${JSON.stringify(refusal)} is met anew, and reads are repeated`, async () => {
      const { http, server, text, calls } = await open(() => false);
      assert.equal(await text(), 'legacy');
      http.intercept = modernHttp(scripts(calls, 'modern'), refusal);
      assert.equal(await text(), 'modern');
      assert.ok(server.state.kind === 'running');
      assert.equal(server.state.info.protocolVersion, '2026-07-28');
      assert.deepEqual(names(server.tools), ['say-modern']);
    });

  const downgrades: readonly Refusal[] = [
    { status: 400, error: { code: -32000, message: 'Bad Request: No valid session ID provided' } },
    { status: 400, error: { code: -32600, message: 'Bad Request: Missing session ID' } },
    { status: 400, error: { code: -32000, message: 'Unsupported protocol version' } },
    { status: 200, error: { code: -32002, message: 'Server not initialized' } },
    {
      status: 200,
      error: { code: -32602, message: 'Received before initialization was complete' },
    },
    { status: 400 },
    { status: 404 },
  ];
  for (const { status, error } of downgrades)
    it(`by one of the legacy era that answers ${JSON.stringify({ status, error })} is met anew, and reads are repeated`, async () => {
      const { http, server, text, calls } = await open(modernHttp(scripts([], 'modern')));
      assert.equal(await text(), 'modern');
      http.intercept = ({ message, headers }, response) => {
        if (message?.method === 'initialize' || headers['mcp-session-id']) return false;
        const body = error ? { jsonrpc: '2.0', id: message?.id, error } : '';
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
        return true;
      };
      assert.equal(await text(), 'legacy');
      assert.ok(server.state.kind === 'running');
      assert.equal(server.state.info.protocolVersion, '2025-11-25');
      assert.deepEqual(names(server.tools), ['say-legacy']);
      assert.deepEqual(calls, []);
    });

  it('is never given a call that was meant for the one before', async () => {
    const { http, server, calls } = await open(() => false);
    http.intercept = modernHttp(scripts(calls, 'modern'));
    await assert.rejects(server.callTool('say-legacy', {}), /connection was reestablished/);
    assert.deepEqual(calls, []);
    await server.callTool('say-modern', {});
    assert.deepEqual(calls, ['modern']);
  });

  it('is met anew where only its lists are asked for', async () => {
    const { http, server, calls } = await open(() => false);
    http.intercept = modernHttp(scripts(calls, 'modern'));
    await server.tools.refresh();
    await until(() => names(server.tools).join() === 'say-modern');
  });

  it('is left alone where it refuses one request and knows the session', async () => {
    const { http, server, text } = await open(() => false);
    const refuse = () => {
      throw new ScriptedError(-32603, 'The database is not initialized');
    };
    http.scripts = { ...http.scripts, 'resources/read': refuse };
    for (let round = 0; round < 5; round += 1) await assert.rejects(text(), /not initialized/);
    assert.equal(http.received('initialize').length, 1);
    assert.equal(server.state.kind, 'running');
  });

  it('is not met anew again and again where that never helps', async () => {
    const { http, text } = await open(() => false);
    http.intercept = ({ message }, response) => {
      const id = message?.id;
      if (message?.method !== 'resources/read' && message?.method !== 'ping') return false;
      const error = { code: -32000, message: 'Server not initialized' };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return true;
    };
    for (let round = 0; round < 8; round += 1) await assert.rejects(text(), /not initialized/);
    assert.ok(http.received('initialize').length <= 4);
  });

  it('is not doubted for what any server may answer', () => {
    const legacy = { era: 'legacy' } as Session;
    const modern = { era: 'modern' } as Session;
    for (const [session, code, message] of [
      [legacy, -32602, 'Unknown tool'],
      [legacy, -32603, 'initialized the cache before the session was saved'],
      [legacy, -32601, 'Method not found'],
      [modern, -32020, 'Header mismatch'],
      [modern, -32021, 'Missing capability'],
      [modern, -32002, 'Resource not found'],
    ] as const)
      assert.equal(suggestsLostSession(session, new RpcError(code, message)), false, message);
  });
});
