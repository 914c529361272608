import assert from 'node:assert/strict';
import { UserError } from '../../../../src/base/errors';
import { ConfiguredServer } from '../../../../src/mcp/configuredServer';
import type { Tracer } from '../../../../src/base/tracing';
import { JsonRpcPeer } from '../../../../src/mcp/session/peer/jsonRpcPeer';
import { requestFollower } from '../../../../src/mcp/session/peer/requestSpans';
import type { ServerConfig } from '../../../../src/mcp/serverConfig';
import { recordingTracer } from '../../../support/fakes/recordingTracer';
import {
  ScriptedError,
  ScriptedTransport,
  type Script,
  silence,
} from '../../../support/fakes/scriptedTransport';
import { until } from '../../../support/until';
import { legacyServer, modernServer } from '../scriptedSession';
import { define, limits, scriptedTransports, testDeps } from '../testServers';

const schema = { type: 'object' };
const scripts: Readonly<Record<string, Script>> = {
  'tools/list': () => ({ tools: [{ name: 'say', inputSchema: schema }] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
  'prompts/get': () => ({ messages: [] }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'x' }] }),
  'tools/call': ({ arguments: args }) => {
    const { how } = args as { readonly how?: string };
    if (how === 'error') throw new ScriptedError(-32602, 'no such thing');
    if (how === 'silent') return silence;
    return { content: [{ type: 'text', text: 's3cret-result' }], isError: how === 'failed' };
  },
};
const capabilities = { tools: {}, prompts: {}, resources: {} };
const eras = {
  'with a handshake': legacyServer,
  'of the newest revision': modernServer,
} as const;

/** Opens a scripted server whose requests are followed; `content` puts arguments and results into spans. */
async function open(
  make: (typeof eras)[keyof typeof eras],
  tracer: Tracer | undefined,
  deadline = 1000,
) {
  const transport = make({ capabilities, scripts });
  const { openTransport } = scriptedTransports(transport);
  const definition = define(undefined, { limits: limits({ request: deadline, ceiling: 5000 }) });
  const follow = requestFollower(() => tracer, definition);
  const server = new ConfiguredServer(definition, testDeps({ openTransport, follow }));
  await server.start();
  return { server, transport };
}

const traceparents = (transport: ReturnType<typeof legacyServer>) =>
  transport.sent
    .filter(({ id, method }) => id !== undefined && method !== undefined)
    .map(
      ({ method, params = {} }) =>
        [method, (params['_meta'] as { traceparent?: string } | undefined)?.traceparent] as const,
    );

for (const [era, make] of Object.entries(eras))
  describe(`the requests to a server ${era}`, () => {
    it('each carry the span that follows it, while traces are on', async () => {
      const { tracer, spans } = recordingTracer();
      const { server, transport } = await open(make, tracer);
      const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
      await server.callTool('say', {}, { span: parent });
      const sent = traceparents(transport);
      assert.ok(sent.length > 4);
      const ids = spans.map(({ context: { traceId, spanId } }) => `00-${traceId}-${spanId}-01`);
      for (const [method, traceparent] of sent) {
        const span = spans[ids.indexOf(traceparent ?? '')];
        assert.ok(span?.ended, method);
        assert.equal(span.attributes['mcp.method.name'], method);
        assert.match(traceparent ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      }
      assert.equal(new Set(sent.map(([, traceparent]) => traceparent)).size, sent.length);
      const call = spans.find(({ name }) => name === 'tools/call say');
      assert.equal(call?.parent, parent);
      server.dispose();
    });

    it('carry nothing while traces are off', async () => {
      const { server, transport } = await open(make, undefined);
      await server.callTool('say', {});
      assert.ok(!JSON.stringify(transport.sent).includes('traceparent'));
      server.dispose();
    });

    it('are named and described by the conventions, without arguments, results and addresses', async () => {
      const { tracer, spans } = recordingTracer();
      const { server } = await open(make, tracer);
      await server.callTool('say', { secret: 'of mine' });
      await server.getPrompt('greet', { secret: 'of mine' });
      await server.readResource('file:///home/me/secret');
      const [call, prompt, read] = spans.slice(-3);
      const {
        'mcp.protocol.version': version,
        'jsonrpc.request.id': id,
        ...attributes
      } = call?.attributes ?? {};
      assert.match(String(version), /^\d{4}-\d\d-\d\d$/);
      assert.match(String(id), /^\d+$/);
      assert.deepEqual(structuredClone(attributes), {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'say',
        'gen_ai.operation.name': 'execute_tool',
        'mcp_workbench.server.name': 'One',
        'network.transport': 'pipe',
      });
      assert.deepEqual(
        [call, prompt, read].map((span) => [span?.name, span?.kind]),
        [
          ['tools/call say', 'client'],
          ['prompts/get greet', 'client'],
          ['resources/read', 'client'],
        ],
      );
      assert.doesNotMatch(JSON.stringify(spans), /of mine|home/);
      server.dispose();
    });

    it('have arguments, results and addresses in their spans if the user wants them there', async () => {
      const shown = (value: unknown) => JSON.stringify(value).replaceAll(/s3cret-\w+/g, '•');
      const { tracer, spans } = recordingTracer(shown);
      const { server } = await open(make, tracer);
      await server.callTool('say', { a: 's3cret-argument' });
      await server.readResource('x://user:s3cret-password@y?token=s3cret-token');
      const [call, read] = spans.slice(-2);
      assert.equal(call?.attributes['gen_ai.tool.call.arguments'], '{"a":"•"}');
      assert.match(String(call.ended?.attributes['gen_ai.tool.call.result']), /"text":"•"/);
      assert.equal(read?.attributes['mcp.resource.uri'], '"x://user:•@y?token=•"');
      assert.doesNotMatch(JSON.stringify(spans), /s3cret/);
      server.dispose();
    });

    const ends: readonly [how: string, error: string | undefined, status?: string][] = [
      ['well', undefined],
      ['failed', 'tool_error'],
      ['error', '-32602', '-32602'],
      ['silent', 'timeout'],
    ];
    for (const [how, error, status] of ends)
      it(`end as they are answered: ${how}`, async () => {
        const { tracer, spans } = recordingTracer();
        const { server } = await open(make, tracer, how === 'silent' ? 30 : 1000);
        await server
          .callTool('say', { how })
          .catch((thrown: unknown) => assert.ok(thrown instanceof UserError));
        const { ended } = spans.find(({ name }) => name === 'tools/call say') ?? {};
        assert.equal(ended?.error, error);
        assert.equal(ended?.attributes['rpc.response.status_code'], status);
        server.dispose();
      });

    it('end when the user cancels them, and when the connection is lost', async () => {
      const { tracer, spans } = recordingTracer();
      const { server, transport } = await open(make, tracer);
      const cancel = new AbortController();
      const calls = () => spans.filter(({ name }) => name === 'tools/call say');
      const cancelled = server.callTool('say', { how: 'silent' }, { signal: cancel.signal });
      await until(() => calls().length === 1);
      cancel.abort();
      await assert.rejects(cancelled);
      const lost = server.callTool('say', { how: 'silent' });
      await until(() => calls().length === 2);
      await transport.close();
      await assert.rejects(lost);
      assert.deepEqual(
        calls()
          .map(({ ended }) => ended?.error)
          .slice(0, 2),
        ['cancelled', 'connection_lost'],
      );
      server.dispose();
    });
  });

describe('the span of a request that the SDK sends itself', () => {
  const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} } as const;
  const openPeer = () => {
    const { tracer, spans } = recordingTracer();
    const transport = new ScriptedTransport();
    const peer = new JsonRpcPeer(transport, { request: 1000, ceiling: 1000 });
    peer.spans.follow = requestFollower(() => tracer, define());
    return { transport, peer, spans };
  };
  type Opened = ReturnType<typeof openPeer>;
  const ends: readonly [
    how: string,
    end: (opened: Opened, abort: AbortController) => unknown,
    error: string | undefined,
  ][] = [
    ['it is answered', ({ transport }) => transport.receive({ id: 0, result: {} }), undefined],
    ['its signal aborts', (_, abort) => abort.abort(), 'cancelled'],
    [
      'it is cancelled by a notification',
      ({ peer }) =>
        peer.send({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 0 },
        }),
      'cancelled',
    ],
    ['its client is closed', ({ peer }) => peer.close(), 'cancelled'],
    ['the connection is lost', ({ transport }) => transport.close(), 'connection_lost'],
  ];
  for (const [how, end, error] of ends)
    it(`ends once ${how}, and not later`, async () => {
      const opened = openPeer();
      const abort = new AbortController();
      await opened.peer.send(initialize, { requestSignal: abort.signal });
      const ended = () => opened.spans.map((span) => span.ended && [span.ended.error]);
      assert.deepEqual(ended(), [undefined]);
      await end(opened, abort);
      assert.deepEqual(ended(), [[error]]);
      abort.abort();
      await opened.transport.close();
      assert.deepEqual(ended(), [[error]]);
    });

  it('ends with an error if it cannot be sent', async () => {
    const { transport, peer, spans } = openPeer();
    transport.sendError = new Error('broken pipe');
    await assert.rejects(peer.send(initialize), transport.sendError);
    assert.equal(spans[0]?.ended?.error, '_OTHER');
  });

  it('is left out for a request that lasts as long as its subscriptions', async () => {
    const { transport, peer, spans } = openPeer();
    const listen = { ...initialize, id: 'listen:1', method: 'subscriptions/listen' };
    await peer.send(listen);
    await transport.close();
    assert.deepEqual([spans, transport.sent], [[], [listen]]);
  });
});

describe('the span of a request', () => {
  const http = (url: string): ServerConfig => ({ type: 'http', url, headers: {} });
  const places: readonly [what: string, config: ServerConfig, told: object][] = [
    [
      'an address',
      http('https://mcp.example/x?key=secret'),
      {
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
        'server.address': 'mcp.example',
        'server.port': 443,
      },
    ],
    [
      'an address with a variable',
      http('https://${input:host}/mcp'),
      { 'network.transport': 'pipe' },
    ],
    ['a socket', http('unix:///run/mcp.sock'), { 'network.transport': 'pipe' }],
  ];
  for (const [what, config, told] of places)
    it(`says how its server is reached, and nothing secret of it: ${what}`, () => {
      const { tracer, spans } = recordingTracer();
      const follow = requestFollower(() => tracer, { name: 'a', config });
      follow({ method: 'ping', params: {}, id: 1, version: undefined, parent: undefined });
      const { attributes = {} } = spans[0] ?? {};
      const network = Object.entries(attributes).filter(([key]) =>
        /^(?:network|server)\./.test(key),
      );
      assert.deepEqual(Object.fromEntries(network), told);
      assert.doesNotMatch(JSON.stringify(spans), /secret/);
    });

  it('is a part of the start of its server, if nobody else began it', () => {
    const { tracer, spans } = recordingTracer();
    const start = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };
    const follow = requestFollower(
      () => tracer,
      define(),
      () => start,
    );
    follow({ method: 'initialize', params: {}, id: 0, version: undefined, parent: undefined });
    assert.equal(spans[0]?.parent, start);
  });
});
