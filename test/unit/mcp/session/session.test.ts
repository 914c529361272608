import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import {
  RequestRefused,
  type ServerRequestHandlers,
} from '../../../../src/mcp/protocol/serverRequests';
import { ConnectionLostError } from '../../../../src/mcp/protocol/rpcError';
import { modernExtensions as extensions } from '../../../../src/mcp/session/requestRouter';
import { settled, useFakeClock } from '../../../support/fakes/fakeClock';
import { inEnglish } from '../../../../src/base/translate';
import {
  ScriptedError,
  silence,
  type ScriptedTransport,
  type WireMessage,
} from '../../../support/fakes/scriptedTransport';
import { legacyServer, modernRevision, modernServer, openScripted } from '../scriptedSession';
import { recordingLogger } from '../testServers';

const key = (name: string) => `io.modelcontextprotocol/${name}`;

/** Waits for the client's answer to the server's request with this id. */
async function answerTo(transport: ScriptedTransport, id: number | string): Promise<WireMessage> {
  const find = () =>
    transport.sent.find((message) => message.id === id && message.method === undefined);
  while (!find()) await settled();
  return find() as WireMessage;
}

const initialized = (transport: ScriptedTransport) =>
  transport.requests('initialize')[0]?.params ?? {};

describe('a session up to 2025-11-25', () => {
  const roots: ServerRequestHandlers = {
    listRoots: () => Promise.resolve([{ uri: 'file:///work' }]),
  };

  it('says who the client is and what it can, and nothing else', async () => {
    const transport = legacyServer();
    await openScripted(transport, { requests: roots });
    assert.deepEqual(initialized(transport), {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'unit-test', version: '1.0.0' },
    });
    assert.deepEqual(
      transport.sent.map(({ method }) => method),
      ['initialize', 'notifications/initialized'],
    );
  });

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`may be of the revision ${version}`, async () => {
      const transport = legacyServer({
        scripts: {
          initialize: () => ({
            protocolVersion: version,
            capabilities: {},
            serverInfo: { name: 's', version: '1' },
          }),
        },
      });
      const session = await openScripted(transport);
      assert.deepEqual([session.info.protocolVersion, session.era], [version, 'legacy']);
    });
  }

  it('is closed where the server agrees on a revision that nobody knows', async () => {
    const transport = legacyServer({
      scripts: {
        initialize: () => ({
          protocolVersion: '1999-01-01',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        }),
      },
    });
    let closed = 0;
    transport.onclose = () => (closed += 1);
    await assert.rejects(openScripted(transport), /1999-01-01/);
  });

  it('is not begun where it is not wanted any more', async () => {
    const transport = legacyServer();
    const signal = AbortSignal.abort();
    await assert.rejects(openScripted(transport, { signal }), { name: 'AbortError' });
    assert.equal(transport.starts, 0);
  });

  it('answers what the server asks', async () => {
    const transport = legacyServer();
    await openScripted(transport, { requests: roots });
    transport.receive({ id: 7, method: 'roots/list' }, { id: 'eight', method: 'ping' });
    assert.deepEqual((await answerTo(transport, 7)).result, { roots: [{ uri: 'file:///work' }] });
    assert.deepEqual((await answerTo(transport, 'eight')).result, {});
  });

  it('answers as a task what the server wants so, and tells it of the end', async () => {
    const transport = legacyServer();
    const given = deferred<{ readonly action: 'decline' }>();
    await openScripted(transport, { requests: { elicit: () => given.promise } });
    const ask = (id: number, method: string, params: object) =>
      transport.receive({ id, method, params });
    ask(7, 'elicitation/create', { message: 'Who?', requestedSchema: {}, task: { ttl: 5000 } });
    const { task } = (await answerTo(transport, 7)).result as {
      readonly task: { readonly taskId: string; readonly status: string };
    };
    assert.equal(task.status, 'working');
    const { taskId } = task;
    ask(8, 'tasks/get', { taskId });
    assert.deepEqual((await answerTo(transport, 8)).result, task);
    given.resolve({ action: 'decline' });
    const told = await transport.request('notifications/tasks/status');
    assert.deepEqual([told.params?.['taskId'], told.params?.['status']], [taskId, 'completed']);
    ask(9, 'tasks/result', { taskId });
    assert.deepEqual((await answerTo(transport, 9)).result, {
      action: 'decline',
      _meta: { [key('related-task')]: { taskId } },
    });
  });

  const refusals: readonly (readonly [string, ServerRequestHandlers, object, number])[] = [
    ['what nobody answers', {}, { method: 'roots/list' }, -32601],
    ['what nobody knows', roots, { method: 'client/explode' }, -32601],
    [
      'what is incomplete',
      { createMessage: () => assert.fail('asked') },
      { method: 'sampling/createMessage', params: { messages: [] } },
      -32602,
    ],
    [
      'what the user refused',
      { listRoots: () => Promise.reject(new RequestRefused('No.')) },
      { method: 'roots/list' },
      -1,
    ],
    [
      'what fails by our own bug',
      { listRoots: () => Promise.reject(new TypeError('x is undefined')) },
      { method: 'roots/list' },
      -32603,
    ],
  ];
  for (const [name, requests, message, code] of refusals) {
    it(`refuses ${name} with ${code}`, async () => {
      const transport = legacyServer();
      await openScripted(transport, { requests });
      transport.receive({ id: 7, ...message });
      assert.equal((await answerTo(transport, 7)).error?.code, code);
    });
  }

  it('withdraws a question when the server does, and answers it no more', async () => {
    const asked = deferred<AbortSignal>();
    const answered = deferred<void>();
    const transport = legacyServer();
    await openScripted(transport, {
      requests: {
        listRoots: async (_server, signal) => {
          asked.resolve(signal);
          await answered.promise;
          return [];
        },
      },
    });
    transport.receive({ id: 7, method: 'roots/list' });
    const signal = await asked.promise;
    transport.receive({ method: 'notifications/cancelled', params: { requestId: 7 } });
    await settled();
    assert.equal(signal.aborted, true);
    answered.resolve();
    await settled();
    assert.equal(
      transport.sent.some(({ id, method }) => id === 7 && method === undefined),
      false,
    );
  });

  it('withdraws every question when it ends', async () => {
    const asked = deferred<AbortSignal>();
    const transport = legacyServer();
    await openScripted(transport, {
      requests: {
        listRoots: (_server, signal) => {
          asked.resolve(signal);
          return new Promise(() => {});
        },
      },
    });
    transport.receive({ id: 7, method: 'roots/list' });
    const signal = await asked.promise;
    await transport.close();
    assert.equal(signal.aborted, true);
  });

  it('passes on every notification, in order, before what follows it', async () => {
    const transport = legacyServer();
    const session = await openScripted(transport);
    const heard: unknown[] = [];
    session.onNotification(({ method, params }) => heard.push([method, params]));
    transport.receive(
      { method: 'notifications/message', params: { level: 'info', data: 1 } },
      { method: 'notifications/tools/list_changed' },
      { method: 'notifications/unheard_of', params: [1] },
    );
    assert.deepEqual(heard, [
      ['notifications/message', { level: 'info', data: 1 }],
      ['notifications/tools/list_changed', {}],
      ['notifications/unheard_of', [1]],
    ]);
  });

  const dialects: readonly (readonly [string, (id: unknown) => object, RegExp])[] = [
    ['a text', (id) => ({ id: String(id), result: { ok: 1 } }), /Ids of requests come back as/],
    ['an empty list for a result', (id) => ({ id, result: [] }), /result.. is an empty list/],
  ];
  for (const [what, answer, told] of dialects)
    it(`reads an answer with ${what}, and tells so`, async () => {
      const transport = legacyServer({ scripts: { 'x/y': () => silence } });
      const session = await openScripted(transport);
      const asked = session.request('x/y', {});
      const { id } = await transport.request('x/y');
      transport.receive(answer(id));
      assert.equal(typeof (await asked), 'object');
      assert.match(JSON.stringify(session.faults.shown(inEnglish)), told);
    });

  it('reads an answer to initialize whose id came back as a text', async () => {
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: [] },
      serverInfo: { name: 's', version: '1' },
    };
    const transport = legacyServer({
      scripts: { initialize: () => silence, 'x/y': () => silence },
    });
    const opening = openScripted(transport);
    const { id } = await transport.request('initialize');
    transport.receive({ id: String(id), result });
    const session = await opening;
    assert.deepEqual(session.info.capabilities, { tools: {} });
    const said = JSON.stringify(session.faults.shown(inEnglish));
    assert.match(said, /Ids of requests come back as texts/);
    assert.match(said, /capabilities.tools.. is an empty list: it is read as an empty object/);
  });

  it('sets the level of the log only where the server logs', async () => {
    const logs = legacyServer({
      capabilities: { logging: {} },
      scripts: { 'logging/setLevel': () => ({}) },
    });
    await (await openScripted(logs)).setLoggingLevel('warning');
    assert.deepEqual(logs.requests('logging/setLevel')[0]?.params?.['level'], 'warning');
    const silent = legacyServer();
    await (await openScripted(silent)).setLoggingLevel('warning');
    assert.deepEqual(silent.requests('logging/setLevel'), []);
  });

  it('writes its traffic to the log while that is wanted', async () => {
    let wanted = false;
    const { log, lines } = recordingLogger();
    const session = await openScripted(legacyServer(), { log, tracing: () => wanted });
    assert.deepEqual(lines.trace, []);
    wanted = true;
    await session.request('ping', {});
    assert.equal(lines.trace.length, 2);
    assert.match(lines.trace[0] ?? '', /^→ \{.*"method":"ping"/);
    assert.match(lines.trace[1] ?? '', /^← \{.*"result":\{\}/);
    await session.request('ping', { padding: 'x'.repeat(1_000_000) });
    assert.equal((lines.trace[2] ?? '').length, 100_002);
  });

  it('logs what it does not understand, in one line that is not endless', async () => {
    const { log, lines } = recordingLogger();
    const transport = legacyServer();
    await openScripted(transport, { log });
    transport.receive({ odd: 'x\u202E'.repeat(100_000) });
    const [line] = lines.warn;
    assert.match(line ?? '', /Unknown message/);
    assert.ok((line?.length ?? 0) <= 1000);
    assert.doesNotMatch(line ?? '', /\u202E/);
  });
});

describe('a session of 2026-07-28', () => {
  const elicit: ServerRequestHandlers = {
    elicit: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }),
  };
  const question = {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    },
  };

  for (const [name, hasStreams] of [
    ['a pipe', false],
    ['HTTP', true],
  ] as const) {
    it(`over ${name} has its envelope in every request`, async () => {
      const transport = modernServer(
        { scripts: { 'tools/list': () => ({ tools: [] }) } },
        hasStreams,
      );
      const session = await openScripted(transport, { requests: elicit });
      assert.deepEqual([session.era, session.info.protocolVersion], ['modern', modernRevision]);
      await session.request('tools/list', { cursor: 'x' });
      const { params } = transport.requests('tools/list')[0] ?? {};
      const meta = params?.['_meta'] as Record<string, unknown>;
      assert.equal(meta[key('protocolVersion')], modernRevision);
      assert.deepEqual(meta[key('clientInfo')], { name: 'unit-test', version: '1.0.0' });
      assert.deepEqual(meta[key('clientCapabilities')], {
        elicitation: { form: {}, url: {} },
        extensions,
      });
      assert.equal(params?.['cursor'], 'x');
    });
  }

  it('is asked for first over HTTP, and the old way only where it is not known', async () => {
    const modern = modernServer({}, true);
    await openScripted(modern);
    assert.deepEqual(modern.requests('initialize'), []);
    const legacy = legacyServer({}, true);
    await openScripted(legacy);
    assert.deepEqual(
      legacy.sent.map(({ method }) => method),
      ['server/discover', 'initialize', 'notifications/initialized'],
    );
  });

  it('is asked for over a pipe only where the old way is not known', async () => {
    const legacy = legacyServer();
    await openScripted(legacy);
    assert.deepEqual(legacy.requests('server/discover'), []);
    const modern = modernServer();
    await openScripted(modern);
    assert.deepEqual(
      modern.sent.map(({ method }) => method),
      ['initialize', 'server/discover'],
    );
    assert.equal(modern.starts, 1);
  });

  it('is told of roots as such, in every message, and not that they may change', async () => {
    const requests: ServerRequestHandlers = { listRoots: () => Promise.resolve([]) };
    for (const hasStreams of [false, true]) {
      const server = modernServer({ scripts: { 'tools/list': () => ({ tools: [] }) } }, hasStreams);
      const session = await openScripted(server, { requests, era: 'modern' });
      await session.request('tools/list', {});
      await session.listen({ toolsListChanged: true });
      const declared = server.sent.map(({ params }) => {
        const sent = params?.['_meta'] as Record<string, unknown> | undefined;
        return sent?.[key('clientCapabilities')];
      });
      const wanted = { roots: {}, extensions };
      assert.deepEqual(declared, [wanted, wanted, wanted]);
    }
    const legacy = legacyServer({}, true);
    await openScripted(legacy, { requests });
    assert.deepEqual(initialized(legacy)['capabilities'], { roots: { listChanged: true } });
  });

  it('is asked for at once where the server is known for it', async () => {
    const modern = modernServer();
    await openScripted(modern, { era: 'modern' });
    assert.deepEqual(
      modern.sent.map(({ method }) => method),
      ['server/discover'],
    );
  });

  it('has the questions inside its answers answered, and the request repeated', async () => {
    const transport = modernServer({
      scripts: {
        'tools/call': ({ inputResponses, requestState }) =>
          inputResponses === undefined
            ? { resultType: 'input_required', inputRequests: { who: question }, requestState: 's1' }
            : {
                resultType: 'complete',
                content: [],
                structuredContent: { inputResponses, requestState },
              },
      },
    });
    const session = await openScripted(transport, { requests: elicit });
    const result = await session.request('tools/call', { name: 'ask', arguments: {} });
    assert.deepEqual(result['structuredContent'], {
      inputResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
      requestState: 's1',
    });
    const [first, second] = transport.requests('tools/call');
    assert.notEqual(first?.id, second?.id);
  });

  it('withdraws the questions inside its answers when it ends', async () => {
    let withdrawn: AbortSignal | undefined;
    const transport = modernServer({
      scripts: {
        'tools/call': () => ({ resultType: 'input_required', inputRequests: { who: question } }),
      },
    });
    const session = await openScripted(transport, {
      requests: {
        elicit: (_server, _request, signal) => {
          withdrawn = signal;
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new RequestRefused('No'))),
          );
        },
      },
    });
    const call = session.request('tools/call', { name: 'ask', arguments: {} });
    await settled();
    assert.equal(withdrawn?.aborted, false);
    await transport.close();
    await assert.rejects(call, ConnectionLostError);
    assert.equal(withdrawn.aborted, true);
  });

  it('answers no request of the server: there are none in this revision', async () => {
    const transport = modernServer();
    await openScripted(transport, { requests: { listRoots: () => assert.fail('asked') } });
    transport.receive({ id: 7, method: 'roots/list' });
    await settled();
    assert.equal(
      transport.sent.some(({ id }) => id === 7),
      false,
    );
  });

  it('says in each request at which level the server shall log', async () => {
    const transport = modernServer({ scripts: { 'tools/list': () => ({ tools: [] }) } });
    const session = await openScripted(transport);
    await session.setLoggingLevel('error');
    await session.request('tools/list', {});
    const meta = transport.requests('tools/list')[0]?.params?.['_meta'] as Record<string, unknown>;
    assert.equal(meta[key('logLevel')], 'error');
    assert.deepEqual(transport.requests('logging/setLevel'), []);
  });
});

describe('a handshake', () => {
  const clock = useFakeClock();

  it('is given up after its time, and the transport closed', async () => {
    const transport = legacyServer({ scripts: { initialize: () => new Promise(() => {}) } });
    let closed = 0;
    const opening = openScripted(transport, {
      transport: {
        channel: transport,
        close: () => {
          closed += 1;
          return transport.close();
        },
      },
    });
    const failed = assert.rejects(opening, { code: 'REQUEST_TIMEOUT' });
    await settled();
    await clock.tick(1000);
    await failed;
    assert.equal(closed, 1);
  });

  it('fails with the error of the server, its code included', async () => {
    const transport = legacyServer({
      scripts: {
        initialize: () => {
          throw new ScriptedError(-32603, 'No licence found');
        },
      },
    });
    await assert.rejects(openScripted(transport), { code: -32603, message: 'No licence found' });
  });

  it('fails with what the transport fails with at its start', async () => {
    const transport = legacyServer();
    transport.start = () => Promise.reject(new Error('no such command'));
    await assert.rejects(openScripted(transport), /no such command/);
  });
});
