import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import { mock } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HttpListening } from '../../../src/agents/httpListening';
import { deferred } from '../../../src/base/async';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import type { Memento } from '../../../src/base/memento';
import { toRpcError } from '../../../src/mcp/protocol/rpcError';
import { agentPort } from '../../../src/mcp/node/agents/listen';
import {
  httpIdleMs,
  maxAgentMessageBytes,
  maxHttpConnections,
  maxHttpConversations,
  maxRefusedPerMinute,
} from '../../../src/mcp/serving/agentPort';
import { AgentEndpoint, type HttpConversation } from '../../../src/mcp/serving/serveAgent';
import { createMemento } from '../../support/fakes/memento';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { until } from '../../support/until';
import { AgentWindow, agentFolder, bearerOf, type Entry } from './agentWindow';

const opening = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

describe('An agent over HTTP', function () {
  this.timeout(20_000);
  let folder: string;
  let window: AgentWindow;
  let entry: Entry;
  let url: string;
  const clients: Client[] = [];
  const demo = fakeServer({
    id: 'demo',
    name: 'demo',
    tools: [tool({ name: 'run' })],
    resources: [{ uri: 'note:a', name: 'a' }],
  });
  const servers = fakeServers(demo);

  beforeEach(async () => {
    folder = await agentFolder();
    servers.replace(demo);
    window = new AgentWindow(folder, servers);
    url = await window.openHttp();
    entry = await window.addEntry('Another agent over HTTP', url);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    window.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends one request as any program could, with these headers in place of the right ones. */
  const send = (
    headers: Readonly<Record<string, string>> = {},
    { method = 'POST', path = '/mcp', body = JSON.stringify(opening) } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request(new URL(path, url), {
        method,
        headers: {
          authorization: bearerOf(entry),
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      sent.once('error', reject).once('response', (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      sent.end(method === 'POST' ? body : undefined);
    });
  const openSession = async () => String((await send()).headers['mcp-session-id']);
  const connect = async (how: ConstructorParameters<typeof Client>[1] = {}, one = entry) => {
    const client = new Client({ name: 'agent', version: '1' }, how);
    const headers = { authorization: bearerOf(one) };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    clients.push(client);
    return client;
  };

  for (const [revision, how] of [
    ['an older revision', {}],
    ['the newer revision', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ] as const) {
    it(`of ${revision} gets the tools, and its calls pass the gate`, async () => {
      const client = await connect(how);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['demo__run'],
      );
      assert.ok(!(await client.callTool({ name: 'demo__run', arguments: {} })).isError);
      assert.deepEqual(window.wanted, ['Another agent over HTTP']);
      assert.equal(window.asked.length, 1);
      const [session] = window.sessions.all;
      assert.deepEqual([window.sessions.all.length, session?.hello.isHttp], [1, true]);
      assert.equal(session?.client?.name, 'agent');
    });

    it(`of ${revision} has its traffic kept, each answer at its request`, async () => {
      const client = await connect(how);
      await client.listTools();
      await client.callTool({ name: 'demo__run', arguments: { key: 'value' } });
      const entries = () => window.records.ofAgent(entry.entry.id).entries;
      // What is kept of an answer is kept as it goes by.
      await until(() => entries().some((one) => one.method === 'tools/call' && one.answer));
      const called = entries().find((one) => one.method === 'tools/call');
      assert.deepEqual([called?.direction, called?.kind], ['received', 'request']);
      assert.match(JSON.stringify([called?.value, called?.answer?.value]), /key.*value.*done/);
      const unanswered = entries().filter(({ kind, answer }) => kind === 'request' && !answer);
      assert.ok(unanswered.every(({ method }) => method === 'subscriptions/listen'));
    });

    it(`of ${revision} hears of changes of the lists`, async () => {
      let isTold = false;
      const onChanged = () => (isTold = true);
      const client = await connect({
        ...how,
        listChanged: { tools: { onChanged, autoRefresh: false, debounceMs: 0 } },
      });
      await client.listTools();
      // The stream of what it is told is opened beside its requests: what changes before is not missed by a new list.
      await until(() => {
        servers.replace(demo, fakeServer({ id: crypto.randomUUID(), name: 'other' }));
        return isTold;
      });
    });

    it(`of ${revision} is let in no longer once its entry is removed`, async () => {
      const client = await connect(how);
      await client.listTools();
      await window.entries.remove(entry.entry);
      await until(() => window.sessions.all.length === 0);
      await assert.rejects(client.callTool({ name: 'demo__run', arguments: {} }));
      assert.deepEqual(window.asked, []);
    });

    it(`of ${revision} has the question about its call withdrawn when it cancels`, async () => {
      const asked = deferred<AbortSignal>();
      window.decide = (_question, signal) => {
        asked.resolve(signal);
        return new Promise(() => {});
      };
      const client = await connect(how);
      const giveUp = new AbortController();
      const call = { name: 'demo__run', arguments: {} };
      const called = client.callTool(call, { signal: giveUp.signal }).catch(() => {});
      const signal = await asked.promise;
      giveUp.abort();
      await called;
      await until(() => signal.aborted);
    });
  }

  for (const [what, status, headers, how] of [
    ['without a bearer', 401, { authorization: '' }],
    ['with another scheme', 401, { authorization: 'Basic eDp5' }],
    ['with a secret that is wrong', 401, (own: string) => ({ authorization: `${own}x` })],
    ['with an id that leads elsewhere', 401, { authorization: 'Bearer ../../x.secret' }],
    ['for another host', 403, { host: 'example.com' }],
    ['for this host at another port', 403, { host: '127.0.0.1:1' }],
    ['of a page of another site', 403, { origin: 'https://example.com' }],
    ['of a page of a program of this machine', 403, { origin: 'http://localhost:1' }],
    ['of a page without an origin', 403, { origin: 'null' }],
    ['at another path', 404, {}, { path: '/' }],
    ['before one of another site', 403, { origin: 'https://example.com' }, { method: 'OPTIONS' }],
    ['with another method', 405, {}, { method: 'PUT' }],
    ['that is no JSON', 400, {}, { body: '{' }],
    ['that opens no session', 400, {}, { body: JSON.stringify(ping) }],
    ['of a session that is over', 404, { 'mcp-session-id': 'x' }, { body: JSON.stringify(ping) }],
    ['with a body of another type', 415, { 'content-type': 'text/plain' }],
  ] as const)
    it(`is refused a request ${what}, with ${status} and without a header for pages`, async () => {
      const given = typeof headers === 'function' ? headers(bearerOf(entry)) : headers;
      const answer = await send(given, how);
      assert.equal(answer.status, status);
      const told = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      assert.deepEqual([told, window.sessions.all, window.wanted], [[], [], []]);
    });

  it('comes in at no other address of this machine', async () => {
    const { port } = new URL(url);
    const other = send({ host: `127.0.0.1:${port}` }, { path: `http://[::1]:${port}/mcp` });
    await assert.rejects(other, { code: /ECONNREFUSED|EADDRNOTAVAIL|EAFNOSUPPORT/ });
  });

  it('is refused with the secret of an agent that starts a program', async () => {
    const started = await window.addEntry('Claude Code');
    assert.equal((await send({ authorization: bearerOf(started) })).status, 401);
    assert.deepEqual([window.sessions.all, window.wanted], [[], []]);
  });

  it('is let in at no port once another program has taken its own, and loses its trust and approvals', async () => {
    const forgotten: string[] = [];
    window.entries.onDidRemove((id) => forgotten.push(id));
    const started = await window.addEntry('Claude Code');
    const elsewhere = await window.addEntry('Of another workspace', 'http://127.0.0.1:1/mcp');
    const told: string[] = [];
    const workspaceState = createMemento({ agentsHttpPort: Number(new URL(url).port) });
    const later = new HttpListening(
      {
        context: { workspaceState } as never,
        platform: { agents: agentPort },
        entries: window.entries,
        tell: (text) => void told.push(text),
      },
      window.sessions,
    );
    try {
      const { url: now } = await later.begin(1);
      assert.notEqual(now, url);
      url = now;
      assert.equal((await send()).status, 401);
      assert.deepEqual(forgotten, [entry.entry.id]);
      const left = (await window.entries.all()).map(({ id }) => id);
      assert.deepEqual(left.toSorted(), [started.entry.id, elsewhere.entry.id].toSorted());
      entry = await window.addEntry('Another agent over HTTP', url);
      assert.equal((await send()).status, 200);
      later.end();
      await later.begin(1);
      assert.match(told.join('\n'), /^Another program listens at port \d+, [^\n]*$/);
    } finally {
      later.dispose();
    }
  });

  it('uses no session of another agent', async () => {
    const session = await openSession();
    const other = await window.addEntry('Other', url);
    const headers = { 'mcp-session-id': session, authorization: bearerOf(other) };
    assert.equal((await send(headers, { body: JSON.stringify(ping) })).status, 404);
  });

  it('is asked about again when it begins anew, after it was not let in', async () => {
    window.lets = false;
    const how = { versionNegotiation: { mode: 'auto' } } as const;
    assert.deepEqual((await (await connect(how)).listTools()).tools, []);
    window.lets = true;
    assert.equal((await (await connect(how)).listTools()).tools.length, 1);
    assert.equal(window.wanted.length, 2);
  });

  it('sends so many bytes at once, and is refused more', async () => {
    const body = `"${'x'.repeat(maxAgentMessageBytes)}"`;
    assert.equal((await send({}, { body })).status, 413);
    assert.equal((await send({ 'transfer-encoding': 'chunked' }, { body })).status, 413);
    assert.equal((await send()).status, 200);
  });

  it('is refused as one too many after so many bearers that are none, and comes in with its own all the same', async () => {
    for (let count = 0; count <= maxRefusedPerMinute; count += 1)
      assert.equal((await send({ authorization: '' })).status, 401);
    for (let count = 0; count < maxRefusedPerMinute; count += 1)
      assert.equal((await send({ authorization: `${bearerOf(entry)}x` })).status, 401);
    const wrong = { authorization: `${bearerOf(entry)}x` };
    assert.equal((await send(wrong)).status, 429);
    assert.equal((await send()).status, 200);
    assert.equal((await send(wrong)).status, 429);
  });

  it('has so many sessions, the oldest of which ends for another unless it is used', async () => {
    const first = await openSession();
    for (let count = 1; count < maxHttpConversations; count += 1) await openSession();
    assert.equal(window.sessions.all.length, maxHttpConversations);
    await openSession();
    assert.equal(window.sessions.all.length, maxHttpConversations);
    const again = await send({ 'mcp-session-id': first }, { body: JSON.stringify(ping) });
    assert.equal(again.status, 404);
  });

  it('has so many connections, however many agents there are, and the oldest without a secret goes first', async () => {
    const { port } = new URL(url);
    const sockets: Socket[] = [];
    const reach = async () => {
      const socket = connectTo(Number(port), '127.0.0.1').on('error', () => {});
      sockets.push(socket.resume());
      await once(socket, 'connect');
      return socket;
    };
    try {
      const known = await reach();
      const head = `Host: 127.0.0.1:${port}\r\nAuthorization: ${bearerOf(entry)}\r\n`;
      known.write(`GET /mcp HTTP/1.1\r\n${head}\r\n`);
      await once(known, 'data');
      const oldest = await reach();
      while (sockets.length < maxHttpConnections) await reach();
      assert.equal((await send()).status, 200);
      await until(() => oldest.closed);
      assert.equal(known.closed, false);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('ends its session when it says so', async () => {
    const session = await openSession();
    assert.equal((await send({ 'mcp-session-id': session }, { method: 'DELETE' })).status, 200);
    assert.deepEqual(window.sessions.all, []);
  });

  it('hears of the resources that it listens to, which are watched until it has gone', async () => {
    const client = await connect({ versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.listTools();
    const listening = await client.listen({ resourceSubscriptions: ['note:a'] });
    assert.deepEqual(demo.subscribed, ['note:a']);
    await listening.close();
    await until(() => demo.subscribed.length === 0);
  });

  it('is disconnected when agents are let in over HTTP no longer, and no other is', async () => {
    await openSession();
    await connect({ versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const hello = {
      entry: entry.entry.id,
      secret: entry.secret,
      folder: '/',
      program: 'x',
      pid: 1,
    };
    assert.ok(await window.sessions.admits(hello));
    const never = () => ({ dispose: () => {} });
    const channel = { onLine: never, onDidClose: never, send: () => {}, dispose: () => {} };
    const release = () => Promise.resolve();
    window.sessions.serve(hello, { ...channel, hold: () => {}, release });
    assert.equal(window.sessions.all.length, 3);
    window.sessions.closeHttp();
    assert.deepEqual(
      window.sessions.all.map((one) => one.hello),
      [hello],
    );
  });

  it('has no session any longer that it has not used for so long', async () => {
    const { use, closes } = conversationAlone();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = use(opening);
      const session = (await first.answer).headers.get('mcp-session-id') ?? '';
      mock.timers.tick(2 * httpIdleMs);
      assert.equal(closes(), 0, 'its request is not answered yet');
      first.end();
      mock.timers.tick(httpIdleMs - 1);
      const second = use(ping, session);
      assert.equal((await second.answer).status, 200);
      second.end();
      mock.timers.tick(httpIdleMs - 1);
      assert.equal(closes(), 0, 'it was used in between');
      mock.timers.tick(1);
      assert.equal(closes(), 1);
      assert.equal((await use(ping, session).answer).status, 404);
    } finally {
      mock.timers.reset();
    }
  });

  it('has no session that was closed while it was opened', async () => {
    const { use } = conversationAlone((close) => close());
    const { status, headers } = await use(opening).answer;
    assert.deepEqual([status, headers.get('mcp-session-id')], [404, null]);
  });

  it('is not waited for once its session is over, though a request of it ends later', async () => {
    const { use, close, closes } = conversationAlone();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = use(opening);
      await first.answer;
      close();
      first.end();
      mock.timers.tick(httpIdleMs);
      assert.equal(closes(), 1);
    } finally {
      mock.timers.reset();
    }
  });
});

/** An endpoint whose one conversation is held by the test, which does something while it begins. */
function conversationAlone(onBegin: (close: () => void) => void = () => {}) {
  const endpoint = new AgentEndpoint({
    info: { name: 'x', version: '1' },
    log: silentLogger,
    toRpcError,
  });
  const closed = new Emitter<void>();
  let closes = 0;
  const close = () => {
    closes += 1;
    closed.fire();
  };
  const conversation: HttpConversation = {
    offer: {
      instructions: async () => (onBegin(close), ''),
      onDidChange: new Emitter<never>().event,
      onDidUpdateResource: new Emitter<never>().event,
    } as never,
    traffic: new TrafficRecorder((text) => text),
    onDidClose: closed.event,
    begunAgain: () => {},
    close,
  };
  const use = (body: object, session?: string) => {
    const ended = new AbortController();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    };
    const asked = {
      request: new Request('http://127.0.0.1/mcp', { method: 'POST', headers }),
      body,
      ended: ended.signal,
    };
    return { end: () => ended.abort(), answer: endpoint.respond(asked, () => conversation) };
  };
  return { use, close, closes: () => closes };
}

describe('A window that agents reach over HTTP', () => {
  const door = { respond: async () => new Response(null, { status: 204 }) } as never;
  const told: string[] = [];
  const windowOf = (workspaceState: Memento) =>
    new HttpListening(
      {
        context: { workspaceState } as never,
        platform: { agents: agentPort },
        entries: { removeOfPort: () => Promise.resolve([]) },
        tell: (text) => void told.push(text),
      },
      door,
    );

  it('keeps its port for the workspace, and takes another without a word where no agent knows it', async () => {
    const state = createMemento();
    const first = windowOf(state);
    const { port } = await first.begin();
    assert.equal((await first.begin()).port, port);
    const beside = windowOf(createMemento({ agentsHttpPort: port }));
    assert.notEqual((await beside.begin(1)).port, port);
    assert.deepEqual(told, []);
    first.dispose();
    beside.dispose();
    const later = windowOf(state);
    assert.equal((await later.begin()).port, port);
    later.end();
    later.dispose();
  });
});
