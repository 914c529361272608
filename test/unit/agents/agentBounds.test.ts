import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import { deferred, nextTurn } from '../../../src/base/async';
import { Emitter } from '../../../src/base/event';
import { asRecord } from '../../../src/base/json';
import type { LastMinute } from '../../../src/base/pace';
import {
  maxAgentCalls,
  maxAgentCallsPerMinute,
  maxAgentRequestsPerMinute,
} from '../../../src/agents/agentSession';
import { listTimeoutMs } from '../../../src/agents/agentAccess';
import {
  maxAgentSubscriptions,
  maxAllInstructions,
  maxToldOfServer,
} from '../../../src/agents/agentOffer';
import { BridgeSession, maxWaitingRequests } from '../../../src/mcp/node/agents/bridgeSession';
import {
  maxAgentMessageBytes,
  maxAgentSessions,
  maxRefusedPerMinute,
  maxKeptListBytes,
  maxUnreadBytes,
  type AgentChannel,
} from '../../../src/mcp/serving/agentPort';
import { searchToolNames } from '../../../src/offer/offeredTools';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { until } from '../../support/until';
import { AgentWindow, agentFolder, type Entry } from './agentWindow';

type Message = Readonly<Record<string, unknown>>;

/** The other end of a connection: sends requests and keeps what comes back. */
class Agent implements AgentChannel {
  private readonly waiting = new Map<unknown, (answer: Message) => void>();
  private readonly lines = new Emitter<string>();
  readonly onLine = this.lines.event;
  private readonly closed = new Emitter<void>();
  readonly onDidClose = this.closed.event;
  private last = 0;
  /** The methods of the notifications that came. */
  readonly notified: unknown[] = [];
  /** The parts of lines that came as bytes. */
  readonly encoded: Uint8Array[] = [];

  send(...parts: readonly (string | Uint8Array)[]): void {
    this.encoded.push(...parts.filter((part) => typeof part !== 'string'));
    const said = JSON.parse(
      Buffer.concat(parts.map((part) => Buffer.from(part))).toString(),
    ) as Message;
    this.waiting.get(said['id'])?.(said);
    if (said['id'] === undefined) this.notified.push(said['method']);
  }

  hold(): void {}

  async release(): Promise<void> {}

  dispose(): void {
    this.closed.fire();
  }

  ask(method: string, params: object = {}): Promise<Message> {
    const id = (this.last += 1);
    const answer = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
    this.lines.fire(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  }
}

/** Has so much been done in this minute. */
function fill(pace: LastMinute, count: number): void {
  for (let { count: done } = pace; done < count; done += 1) pace.add();
}

describe('An agent that asks for more than its bounds', function () {
  this.timeout(20_000);
  let folder: string;
  let window: AgentWindow;
  let own: Entry;
  const sockets: Socket[] = [];
  const manyResources = Array.from({ length: maxAgentSubscriptions + 1 }, (_, at) => ({
    uri: `note:${at}`,
    name: String(at),
  }));
  const server = fakeServer({
    id: 'demo',
    name: 'demo',
    tools: [tool({ name: 'run' })],
    resources: manyResources,
    instructions: 'x'.repeat(maxToldOfServer + 1),
  });
  const servers = fakeServers(server);
  const huge = 'x'.repeat(10_000_000);
  server.readResource = (uri) => Promise.resolve({ contents: [{ uri, text: huge }] });

  beforeEach(async () => {
    folder = await agentFolder();
    servers.replace(server);
    window = new AgentWindow(folder, servers);
    await window.open();
    own = await window.addEntry('Claude Code');
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    window.close();
    await rm(folder, { recursive: true, force: true });
  });

  const reach = async () => {
    const [name = ''] = await readdir(join(folder, 'windows'));
    const { socket: path } = asRecord(
      JSON.parse(await readFile(join(folder, 'windows', name), 'utf8')),
    );
    const socket = connect(String(path)).on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const hello = (secret = own.secret) =>
    `${JSON.stringify({ mcpWorkbench: 1, entry: own.entry.id, secret, folder: '/', program: 'x', pid: 1 })}\n`;
  const enter = async () => {
    const socket = await reach();
    socket.write(hello());
    await once(socket, 'data');
    return socket;
  };
  const closed = async (socket: Socket) => {
    socket.resume();
    await until(() => socket.closed);
  };
  const begin = async ({ entry, secret }: Entry = own) => {
    const agent = new Agent();
    const about = {
      entry: entry.id,
      secret,
      folder: '/',
      program: 'x',
      pid: 1,
    };
    assert.ok(await window.sessions.admits(about));
    window.sessions.serve(about, agent);
    const begun = await agent.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'agent', version: '1' },
    });
    return { agent, instructions: String(asRecord(begun['result'])['instructions']) };
  };
  const serve = async (entry?: Entry) => {
    const begun = await begin(entry);
    await begun.agent.ask('tools/list');
    return begun;
  };

  it('is hung up on where a message of it has too many bytes', async () => {
    const socket = await enter();
    const chunk = Buffer.alloc(1_000_000, 'x');
    for (let bytes = 0; bytes <= maxAgentMessageBytes; bytes += chunk.length) socket.write(chunk);
    socket.write('\n');
    await closed(socket);
  });

  it('is hung up on where it sends much before it has introduced itself', async () => {
    const socket = await reach();
    socket.write('x'.repeat(10_000));
    await closed(socket);
  });

  it('is hung up on where it leaves too much unread', async () => {
    const socket = await enter();
    socket.pause();
    const ask = (uri: string) =>
      `${JSON.stringify({ jsonrpc: '2.0', id: uri, method: 'resources/read', params: { uri } })}\n`;
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    socket.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize })}\n`,
    );
    for (let bytes = 0; bytes <= 2 * maxUnreadBytes; bytes += huge.length) {
      socket.write(ask('note:0'));
      await until(
        () => window.asked.length * huge.length > bytes || window.sessions.all.length === 0,
      );
    }
    await until(() => window.sessions.all.length === 0);
  });

  it('has the JSON of its list of tools kept up to a bound, and a longer one is sent whole all the same', async () => {
    const namesOf = ({ result }: Message) =>
      (asRecord(result)['tools'] as readonly { readonly name: string }[]).map(({ name }) => name);
    for (const [bytes, isKept] of [
      [maxKeptListBytes / 2, true],
      [maxKeptListBytes, false],
    ] as const) {
      const description = 'x'.repeat(1000);
      const long = Array.from({ length: bytes / 1000 }, (_, at) =>
        tool({ name: `run${at}`, description }),
      );
      servers.replace(fakeServer({ id: 'demo', name: 'demo', tools: long }));
      const { agent } = await serve();
      const names = namesOf(await agent.ask('tools/list'));
      assert.deepEqual(
        names,
        long.map(({ name }) => `demo__${name}`),
      );
      const [first, second] = agent.encoded;
      assert.ok(first && second);
      assert.equal(first === second, isKept, `${first.length} bytes`);
    }
  });

  it('is refused one connection too many to a window', async () => {
    for (let count = 0; count < maxAgentSessions; count += 1) await reach();
    await closed(await reach());
  });

  it('is listened to no longer, nor is any other, after too many attempts without the secret', async () => {
    for (let count = 0; count < maxRefusedPerMinute; count += 1) {
      const socket = await reach();
      socket.write(hello('wrong'));
      await closed(socket);
    }
    const socket = await reach();
    socket.write(hello());
    await closed(socket);
    assert.deepEqual(window.sessions.all, []);
  });

  it('is refused one request too many while it waits for a window', () => {
    const said: Message[] = [];
    const session = new BridgeSession(
      (line) => said.push(JSON.parse(line.toString()) as Message),
      '/',
    );
    for (let id = 0; id <= maxWaitingRequests; id += 1)
      session.fromAgent(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
    assert.deepEqual(
      said.map(({ id }) => id),
      [maxWaitingRequests],
    );
  });

  it('has its first lists so long, all together, while the user is asked about it, and hears of the rest later', async () => {
    const lets = deferred<boolean>();
    window.lets = lets.promise;
    const { agent } = await begin();
    const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
    const entries = ({ result }: Message) => Object.values(asRecord(result)).flat();
    const told: unknown[] = [];
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = methods.map(async (method) => {
        const list = entries(await agent.ask(method));
        told.push(method);
        return list;
      });
      await until(() => window.wanted.length > 0);
      mock.timers.tick(listTimeoutMs - 1);
      await nextTurn();
      assert.deepEqual(told, []);
      mock.timers.tick(1);
      assert.deepEqual((await Promise.all(first)).flat(), []);
      // Those that come later wait no longer.
      for (const method of methods) assert.deepEqual(entries(await agent.ask(method)), []);
    } finally {
      mock.timers.reset();
    }
    const changed = ['tools', 'prompts', 'resources'].map(
      (kind) => `notifications/${kind}/list_changed`,
    );
    lets.resolve(true);
    await until(() => changed.every((method) => agent.notified.includes(method)));
    assert.ok(entries(await agent.ask('tools/list')).length > 0);
    assert.deepEqual(window.wanted, ['Claude Code']);
  });

  it('is refused each call beyond the most at once', async () => {
    window.decide = () => new Promise(() => {});
    const { agent } = await serve();
    const call = () => agent.ask('tools/call', { name: 'demo__run', arguments: {} });
    for (let count = 0; count < maxAgentCalls; count += 1) void call();
    assert.match(JSON.stringify((await call())['error']), /calls at once/);
    window.sessions.dispose();
  });

  it('is refused one call too many in a minute, of all its connections together', async () => {
    const { agent } = await serve();
    const call = (one: Agent) => one.ask('tools/call', { name: 'demo__run', arguments: {} });
    fill(window.sessions.paceOf(own.entry).calls, maxAgentCallsPerMinute - 1);
    assert.ok((await call(agent))['result']);
    const { agent: next } = await serve();
    assert.match(JSON.stringify((await call(next))['error']), /calls a minute/);
    const search = { name: searchToolNames.find, arguments: { query: 'run' } };
    assert.match(JSON.stringify((await next.ask('tools/call', search))['error']), /calls a minute/);
    const { agent: other } = await serve(await window.addEntry('Another'));
    assert.ok((await other.ask('tools/call', search))['result']);
  });

  it('is refused one request too many in a minute, whatever it is, and another agent is not slowed', async () => {
    const { agent } = await serve();
    const kinds = [
      ['tools/list', {}],
      ['prompts/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['tools/call', { name: 'none', arguments: {} }],
      ['prompts/get', { name: 'none' }],
      ['resources/read', { uri: 'none:' }],
    ] as const;
    const { requests } = window.sessions.paceOf(own.entry);
    fill(requests, maxAgentRequestsPerMinute - kinds.length);
    for (const [method, params] of kinds) {
      const { error } = await agent.ask(method, params);
      assert.doesNotMatch(JSON.stringify(error ?? ''), /requests a minute/, method);
    }
    assert.equal(requests.count, maxAgentRequestsPerMinute);
    for (const [method, params] of kinds) {
      const { error } = await agent.ask(method, params);
      assert.match(JSON.stringify(error), /requests a minute/, method);
    }
    const { agent: other } = await serve(await window.addEntry('Another'));
    assert.ok((await other.ask('tools/list', {}))['result']);
  });

  it('is refused one watched resource too many', async () => {
    const { agent } = await serve();
    for (const { uri } of manyResources.slice(0, maxAgentSubscriptions))
      assert.ok((await agent.ask('resources/subscribe', { uri }))['result']);
    const uri = manyResources.at(-1)?.uri;
    assert.match(
      JSON.stringify((await agent.ask('resources/subscribe', { uri }))['error']),
      /most/,
    );
  });

  it('is told a bounded part of what servers say about themselves, each and all together', async () => {
    await serve();
    const { instructions } = await serve();
    assert.match(instructions, /## demo\nxxx/);
    assert.ok(!instructions.includes('x'.repeat(maxToldOfServer + 1)));
    servers.replace(
      ...Array.from({ length: 20 }, (_, at) =>
        fakeServer({ id: `s${at}`, name: `s${at}`, instructions: 'y'.repeat(maxToldOfServer) }),
      ),
    );
    assert.ok((await serve()).instructions.length <= maxAllInstructions + 1);
  });
});
