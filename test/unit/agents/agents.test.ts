import assert from 'node:assert/strict';
import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { URI } from 'vscode-uri';
import { deferred } from '../../../src/base/async';
import { UserError } from '../../../src/base/errors';
import { RpcError } from '../../../src/mcp/protocol/rpcError';
import { readWindows } from '../../../src/mcp/node/agents/windowFiles';
import type { RequestOptions } from '../../../src/mcp/session/session';
import type { AgentOffer } from '../../../src/mcp/serving/agentPort';
import type { Memento } from '../../../src/base/memento';
import { createMemento } from '../../support/fakes/memento';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { until } from '../../support/until';
import { AgentWindow, agentFolder, connectThrough, type Entry } from './agentWindow';

const textOf = (result: unknown) =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text).join('\n');

describe('An agent outside of the editor', function () {
  // Each starts the bridge as a process of its own, which takes long on a busy machine.
  this.timeout(20_000);
  let folder: string;
  let window: AgentWindow;
  let entry: Entry;
  let store: Memento;
  /** The arguments of the calls that have reached the server, which answers once this resolves. */
  const sent: unknown[] = [];
  let answers: Promise<unknown>;
  const clients: Client[] = [];
  const github = fakeServer({
    id: 'github',
    name: 'GitHub',
    tools: [
      tool({ name: 'create_issue', description: 'Creates an issue.' }),
      tool({ name: 'broken' }),
    ],
    prompts: [{ name: 'review', description: 'Reviews.' }],
    resources: [{ uri: 'note:a', name: 'a' }],
    call: async (name, args, options) => {
      const { steps = 0 } = args as { steps?: number };
      for (let progress = 1; progress <= steps; progress += 1)
        options?.onProgress?.({ progress, message: 'a\u200Bb' });
      if (name === 'broken') throw new RpcError(-32011, 'no such\u200B issue', { id: 7 });
      sent.push(args);
      await answers;
      return {
        content: [
          { type: 'text', text: JSON.stringify(args) },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
        structuredContent: { ok: true },
        isError: false,
        _meta: { 'example/key': 1 },
      };
    },
  });
  github.resourceTemplates.set([{ uriTemplate: 'note:{id}', name: 'note' }], 'loaded');
  Object.assign(github, {
    getPrompt: () => Promise.resolve({ messages: [] }),
    complete: () => Promise.resolve({ values: ['x'] }),
  });
  const servers = fakeServers(github);

  /** Opens a window; a later one takes the place of one that was closed. */
  const openWindow = async () => {
    window = new AgentWindow(folder, servers, store);
    await window.open();
  };

  beforeEach(async () => {
    folder = await agentFolder();
    servers.replace(github);
    sent.length = 0;
    answers = Promise.resolve();
    store = createMemento();
    await openWindow();
    entry = await window.addEntry('Claude Code');
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    window.close();
    await rm(folder, { recursive: true, force: true });
  });
  const connect = async (...how: Parameters<typeof connectThrough>) => {
    const client = await connectThrough(...how);
    clients.push(client);
    return client;
  };

  it('gets the tools of all servers under unique names, and its calls pass the gate', async () => {
    const client = await connect(entry);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['GitHub__create_issue', 'GitHub__broken'],
    );
    const result = await client.callTool({
      name: 'GitHub__create_issue',
      arguments: { title: 'x' },
    });
    assert.deepEqual(result.content, [
      { type: 'text', text: '{"title":"x"}' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    assert.deepEqual(result.structuredContent, { ok: true });
    assert.deepEqual(result._meta, { 'example/key': 1 });
    const [question] = window.asked;
    assert.equal(question?.call.origin.kind, 'agent');
    const begun = window.auditRecords.find(({ kind }) => kind === 'callBegun');
    assert.ok(begun && 'agent' in begun && begun.agent === 'Claude Code');
  });

  it('has its traffic kept until its entry is removed, each answer at its request', async () => {
    const client = await connect(entry);
    await client.callTool({ name: 'GitHub__create_issue', arguments: { title: 'x' } });
    const kept = () => window.records.ofAgent(entry.entry.id).entries;
    const [called] = kept().filter(({ method }) => method === 'tools/call');
    assert.deepEqual([called?.direction, called?.kind], ['received', 'request']);
    assert.match(JSON.stringify([called?.value, called?.answer?.value]), /"x".*AAAA/);
    const received = kept().filter(({ direction }) => direction === 'received');
    assert.deepEqual(
      received.map(({ method }) => method),
      ['initialize', 'notifications/initialized', 'tools/call'],
    );
    window.records.keepOnly(new Set());
    assert.ok(kept().length >= 3, 'Servers that come and go change nothing.');
    const other = await window.addEntry('Codex');
    assert.deepEqual(window.records.ofAgent(other.entry.id).entries, []);
    window.records.discardAgent(entry.entry.id);
    assert.deepEqual(kept(), []);
  });

  it('is told why a call was denied', async () => {
    window.decide = () => ({ kind: 'deny', reason: 'wrong repository' });
    const client = await connect(entry);
    const result = await client.callTool({ name: 'GitHub__create_issue', arguments: {} });
    assert.equal(result.isError, true);
    assert.match(textOf(result), /denied by the user.*wrong repository/);
  });

  it('is told that the user has changed the arguments', async () => {
    window.decide = () => ({ kind: 'allow', arguments: { title: 'mine' } });
    const client = await connect(entry);
    const result = await client.callTool({ name: 'GitHub__create_issue', arguments: {} });
    assert.match(textOf(result), /changed the arguments.*mine/);
  });

  it('gets the errors of servers with their codes', async () => {
    const client = await connect(entry);
    await assert.rejects(client.callTool({ name: 'GitHub__broken', arguments: {} }), {
      code: -32011,
      message: /no such⟨U\+200B⟩ issue/,
    });
  });

  it('is kept waiting by progress while the user is asked', async () => {
    const asked = deferred<void>();
    window.decide = async ({ call }) => {
      await asked.promise;
      return { kind: 'allow', arguments: call.arguments };
    };
    const client = await connect(entry);
    const messages: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: 'GitHub__create_issue', arguments: {} },
      {
        onprogress: ({ message }) => {
          messages.push(message);
          if (message?.includes('this call')) asked.resolve();
        },
      },
    );
    assert.ok(!result.isError);
    assert.match(messages.at(-1) ?? '', /asked about this call/);
  });

  it('is told of the progress of a call as far as it can follow', async () => {
    const client = await connect(entry);
    const heard: number[] = [];
    const told = deferred<void>();
    answers = told.promise;
    const onprogress = ({
      progress,
      message,
    }: {
      progress: number;
      message?: string | undefined;
    }) => {
      if (progress >= 1) heard.push(progress);
      if (progress >= 1) assert.equal(message, 'a⟨U+200B⟩b');
      if (progress === 100) told.resolve();
    };
    const call = { name: 'GitHub__create_issue', arguments: { steps: 1000 } };
    await client.callTool(call, { onprogress });
    assert.deepEqual(
      heard,
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });

  it('withdraws the question when it gives up', async () => {
    const asked = deferred<AbortSignal>();
    window.decide = (_question, signal) => {
      asked.resolve(signal);
      return new Promise(() => {});
    };
    const client = await connect(entry);
    const giveUp = new AbortController();
    const called = client
      .callTool({ name: 'GitHub__create_issue', arguments: {} }, { signal: giveUp.signal })
      .catch(() => {});
    const signal = await asked.promise;
    giveUp.abort();
    await called;
    await until(() => signal.aborted);
  });

  it('gets nothing before the user has allowed it, and hears of everything then', async () => {
    const answer = deferred<boolean>();
    window.lets = answer.promise;
    const client = await connect(entry);
    let isAnswered = false;
    // As many do when they start: one question is for all of them.
    const lists = [
      client.listTools().then(({ tools }) => tools.length),
      client.listPrompts().then(({ prompts }) => prompts.length),
      client.listResources().then(({ resources }) => resources.length),
      client.listResourceTemplates().then(({ resourceTemplates }) => resourceTemplates.length),
    ].map((count) => count.finally(() => assert.ok(isAnswered)));
    await until(() => window.wanted.length > 0);
    isAnswered = true;
    answer.resolve(true);
    assert.deepEqual(await Promise.all(lists), [2, 1, 1, 1]);
    assert.deepEqual(window.wanted, ['Claude Code']);
    assert.equal((await client.listPrompts()).prompts[0]?.name, 'GitHub__review');
    const { contents } = await client.readResource({ uri: 'note:a' });
    assert.equal(contents[0]?.uri, 'note:a');
  });

  /** What an agent may want first, by what it is offered, and what says that it got it. */
  const firsts: Readonly<
    Record<
      Exclude<keyof AgentOffer, 'instructions' | 'noteClient' | 'unsubscribe' | `onDid${string}`>,
      (client: Client) => Promise<unknown>
    >
  > = {
    listTools: async (client) => (await client.listTools()).tools[0],
    callTool: async (client) => {
      const result = await client.callTool({ name: 'GitHub__create_issue', arguments: {} });
      return !result.isError;
    },
    listPrompts: async (client) => (await client.listPrompts()).prompts[0],
    getPrompt: async (client) => (await client.getPrompt({ name: 'GitHub__review' })).messages,
    complete: async (client) => {
      const ref = { type: 'ref/prompt', name: 'GitHub__review' } as const;
      return (await client.complete({ ref, argument: { name: 'x', value: '' } })).completion;
    },
    listResources: async (client) => (await client.listResources()).resources[0],
    listTemplates: async (client) => (await client.listResourceTemplates()).resourceTemplates[0],
    readResource: async (client) => (await client.readResource({ uri: 'note:a' })).contents[0],
    subscribe: async (client) => {
      await client.subscribeResource({ uri: 'note:a' });
      return github.subscribed.includes('note:a');
    },
    listen: async (client) => {
      await client.listen({ resourceSubscriptions: ['note:a'] });
      await until(() => github.subscribed.includes('note:a'));
      return true;
    },
  };
  for (const [what, begin] of Object.entries(firsts))
    it(`is asked about, as it calls itself, whatever it wants first, and gets it once it is allowed: ${what}`, async () => {
      const answer = deferred<boolean>();
      window.lets = answer.promise;
      const isNewer = what === 'listen';
      const client = await connect(
        entry,
        isNewer ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
      );
      assert.deepEqual(window.wanted, [], 'It has only introduced itself.');
      const got = begin(client);
      await until(() => window.wanted.length > 0);
      const [session] = window.sessions.all;
      assert.deepEqual([session?.access.state, session?.client?.name], ['asked', 'test-agent']);
      assert.deepEqual(github.subscribed, []);
      answer.resolve(true);
      assert.ok(await got);
      assert.deepEqual(window.wanted, ['Claude Code']);
    });

  it('gets nothing if the user does not want it', async () => {
    window.lets = false;
    const client = await connect(entry);
    assert.deepEqual((await client.listTools()).tools, []);
    assert.deepEqual((await client.listPrompts()).prompts, []);
    assert.deepEqual((await client.listResources()).resources, []);
    assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
    await assert.rejects(client.subscribeResource({ uri: 'note:a' }), /has not allowed/);
    await assert.rejects(
      client.callTool({ name: 'GitHub__create_issue', arguments: {} }),
      /has not allowed/,
    );
    assert.deepEqual(window.asked, []);
  });

  it('hears of a change of the lists', async () => {
    const changed = deferred<void>();
    const client = await connect(entry, {
      listChanged: { tools: { onChanged: () => changed.resolve() } },
    });
    await client.listTools();
    servers.replace(github, fakeServer({ id: 'other', name: 'other' }));
    await changed.promise;
    assert.equal((await client.listTools()).tools.length, 3);
  });

  for (const [what, spoil] of [
    ['no secret', (one: Entry) => ({ ...one, secret: '' })],
    ['a wrong secret', (one: Entry) => ({ ...one, secret: `${one.secret}x` })],
    ['the secret of another entry', undefined],
    [
      'an id that leads elsewhere',
      (one: Entry) => ({ ...one, entry: { ...one.entry, id: '../../x' } }),
    ],
  ] as const)
    it(`is not let in with ${what}`, async () => {
      const other = await window.addEntry('Codex');
      const spoilt = spoil ? spoil(entry) : { ...entry, secret: other.secret };
      const client = await connect(spoilt, { graceMs: 0 });
      assert.match(client.getInstructions() ?? '', /does not know this entry/);
      assert.deepEqual((await client.listTools()).tools, []);
      const result = await client.callTool({ name: 'GitHub__create_issue', arguments: {} });
      assert.equal(result.isError, true);
      assert.deepEqual([window.wanted, window.asked], [[], []]);
    });

  it('shares no approval with another agent, whatever that calls itself', async () => {
    window.decide = ({ call }) => ({
      kind: 'allow',
      arguments: call.arguments,
      remember: { duration: 'session', coverage: 'tool' },
    });
    const client = await connect(entry, { name: 'claude-code' });
    const call = { name: 'GitHub__create_issue', arguments: {} };
    await client.callTool(call);
    await client.callTool(call);
    assert.equal(window.asked.length, 1);
    const other = await connect(await window.addEntry('Codex'), { name: 'claude-code' });
    await other.callTool(call);
    assert.equal(window.asked.length, 2);
    assert.deepEqual(window.wanted, ['Claude Code', 'Codex']);
  });

  for (const who of ['this window', 'another window'])
    it(`can call nothing once its entry is removed by ${who}`, async () => {
      const client = await connect(entry, { graceMs: 0 });
      await client.listTools();
      const { id } = entry.entry;
      const file = URI.file(join(folder, 'entries', `${id}.json`));
      const removed: string[] = [];
      window.entries.onDidRemove((one) => removed.push(one));
      // It was only replaced.
      await window.entries.noteDeleted(file);
      assert.deepEqual([removed, window.sessions.all.length], [[], 1]);
      if (who === 'this window') await window.entries.remove(entry.entry);
      else {
        await new AgentWindow(folder, servers).entries.remove(entry.entry);
        await window.entries.noteDeleted(file);
      }
      assert.deepEqual(removed, [id]);
      await until(() => window.sessions.all.length === 0);
      const call = { name: 'GitHub__create_issue', arguments: {} };
      const result = await client.callTool(call).catch((error: unknown) => error);
      assert.ok(result instanceof Error || (result as { isError?: boolean }).isError);
      assert.deepEqual(window.asked, []);
    });

  it('goes on with its session after a reload of the window', async () => {
    const client = await connect(entry);
    await client.listTools();
    window.close();
    const tools = client.listTools();
    const next = new AgentWindow(folder, servers);
    await next.open();
    try {
      assert.equal((await tools).tools.length, 2);
    } finally {
      next.close();
    }
  });

  it('hears of what it listens to until it cancels that', async () => {
    const client = await connect(entry, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.listTools();
    const listening = await client.listen({ resourceSubscriptions: ['note:a'] });
    assert.deepEqual(github.subscribed, ['note:a']);
    await listening.close();
    await until(() => github.subscribed.length === 0);
  });

  for (const isAsked of [true, false])
    it(`is told of a call whose end nobody knows after a reload, and it is not repeated, ${isAsked ? 'once the user has allowed it' : 'about which nobody is asked'}`, async () => {
      answers = new Promise(() => {});
      const call = { name: 'GitHub__create_issue', arguments: {} };
      const client = await connect(entry);
      if (!isAsked) {
        window.decide = ({ call: asked }) => ({
          kind: 'allow',
          arguments: asked.arguments,
          remember: { duration: 'session', coverage: 'tool' },
        });
        answers = Promise.resolve();
        await client.callTool(call);
        answers = new Promise(() => {});
      }
      const before = sent.length;
      const failed = assert.rejects(client.callTool(call), /It may have run/);
      await until(() => sent.length > before);
      window.close();
      await failed;
      await openWindow();
      await client.listTools();
      assert.deepEqual([sent.length, window.asked.length], [before + 1, 0]);
    });

  for (const [what, wait] of [
    [
      'about which the user is asked',
      () => {
        const asked = deferred<void>();
        window.decide = () => {
          asked.resolve();
          return new Promise(() => {});
        };
        return asked.promise;
      },
    ],
    [
      'whose agent the user is asked about',
      () => {
        window.lets = new Promise(() => {});
        return until(() => window.wanted.length > 0);
      },
    ],
  ] as const)
    it(`has a call ${what} during a reload asked about again, and run once`, async () => {
      const asked = wait();
      const client = await connect(entry);
      const call = { name: 'GitHub__create_issue', arguments: { title: 'x' } };
      const called = client.callTool(call);
      await asked;
      window.close();
      await openWindow();
      assert.ok(!(await called).isError);
      assert.deepEqual([window.asked.length, sent], [1, [{ title: 'x' }]]);
    });

  for (const isAsked of [true, false])
    it(`has a call whose server was still being started during a reload made again, and run once, ${isAsked ? 'once the user has allowed it' : 'about which nobody was asked'}`, async () => {
      let isThere = true;
      let starts = () => {};
      const slow = fakeServer({ id: 'slow', name: 'Slow', tools: [tool({ name: 'go' })] });
      slow.become({ kind: 'stopped' });
      Object.assign(slow, {
        async callTool(_name: string, args: unknown, { onBegin }: RequestOptions = {}) {
          starts();
          if (!isThere) await new Promise(() => {});
          await onBegin?.();
          sent.push(args);
          return { content: [], isError: false };
        },
      });
      servers.replace(slow);
      const client = await connect(entry);
      const call = { name: 'Slow__go', arguments: { title: 'x' } };
      if (!isAsked) {
        window.decide = ({ call: asked }) => ({
          kind: 'allow',
          arguments: asked.arguments,
          remember: { duration: 'session', coverage: 'tool' },
        });
        await client.callTool(call);
        sent.length = 0;
      }
      isThere = false;
      const reached = deferred<void>();
      starts = () => reached.resolve();
      const called = client.callTool(call);
      await reached.promise;
      window.close();
      isThere = true;
      await openWindow();
      assert.ok(!(await called).isError);
      assert.deepEqual([window.asked.length, sent], [1, [{ title: 'x' }]]);
    });

  for (const [when, confirms] of [
    ['once its bridge knows that it runs', true],
    ['not at all if the bridge goes before it knows', false],
  ] as const)
    it(`has a call about which the user was asked sent ${when}`, async () => {
      const [listening] = await readWindows(folder);
      const socket = connectSocket(listening?.window.socket ?? '');
      const say = (line: object) => socket.write(`${JSON.stringify(line)}\n`);
      let heard = '';
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      const { id } = entry.entry;
      say({ mcpWorkbench: 1, entry: id, secret: entry.secret, keepsHeld: true });
      await until(() => heard.includes('welcome'));
      const about = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      say({ jsonrpc: '2.0', id: 0, method: 'initialize', params: about });
      const params = { name: 'GitHub__create_issue', arguments: {} };
      say({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params });
      await until(() => heard.includes('"begins":"a"'));
      assert.ok(heard.indexOf('"holds":"a"') < heard.indexOf('"begins":"a"'));
      assert.deepEqual(sent, []);
      if (confirms) {
        say({ mcpWorkbench: 1, begins: 'a' });
        await until(() => sent.length === 1);
        socket.destroy();
        return;
      }
      socket.destroy();
      const ended = () => window.auditRecords.filter(({ kind }) => kind === 'callEnded');
      await until(() => ended().length === 1);
      assert.deepEqual(sent, []);
    });

  it('hears that a call about which the user was asked has not run, once no window comes', async () => {
    const asked = deferred<void>();
    window.decide = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const client = await connect(entry, { graceMs: 0 });
    const called = client.callTool({ name: 'GitHub__create_issue', arguments: {} });
    await asked.promise;
    window.close();
    const result = await called;
    assert.equal(result.isError, true);
    assert.match(textOf(result), /Open the folder.*The call has not run/);
    assert.deepEqual(sent, []);
  });

  it('waits longer for a window that reloads than for one that was never there', async () => {
    const graceMs = 1500;
    const client = await connect(entry, { graceMs });
    await client.listTools();
    window.close();
    const listed = client.listTools();
    const newcomer = await connect(entry, { graceMs });
    assert.deepEqual((await newcomer.listTools()).tools, []);
    await openWindow();
    assert.equal((await listed).tools.length, 2);
  });

  it('goes on with all that it had asked for after a reload', async () => {
    const updated = deferred<void>();
    const client = await connect(entry);
    client.setNotificationHandler('notifications/resources/updated', () => updated.resolve());
    await client.subscribeResource({ uri: 'note:a' });
    const { sessions } = window;
    window.close();
    await until(() => sessions.all.length === 0);
    await openWindow();
    assert.equal((await client.listTools()).tools.length, 2);
    await until(() => github.subscribed.includes('note:a'));
    github.update('note:a');
    await updated.promise;
    const call = { name: 'GitHub__create_issue', arguments: {} };
    assert.ok(!(await client.callTool(call)).isError);
    assert.deepEqual([window.wanted, window.asked.length], [[], 1]);
  });

  it('says without a window which folder to open, and has its tools once there is one', async () => {
    window.close();
    const changed = deferred<void>();
    const client = await connect(entry, {
      graceMs: 0,
      cwd: folder,
      listChanged: { tools: { onChanged: () => changed.resolve() } },
    });
    assert.match(client.getInstructions() ?? '', /Open the folder .*agents-test-/);
    assert.deepEqual((await client.listTools()).tools, []);
    const next = new AgentWindow(folder, servers);
    await next.open();
    try {
      await changed.promise;
      await until(async () => (await client.listTools()).tools.length === 2);
    } finally {
      next.close();
    }
  });

  it('reaches the window that has its folder open, not the one used last', async () => {
    const other = new AgentWindow(folder, fakeServers());
    await other.open(['/elsewhere'], 10);
    const right = new AgentWindow(folder, servers);
    await right.open([folder], 5);
    try {
      const client = await connect(entry, { cwd: folder });
      await client.listTools();
      assert.deepEqual([other.wanted, right.wanted], [[], ['Claude Code']]);
    } finally {
      other.close();
      right.close();
    }
  });

  it('reaches the window of its own folder beside one in that of another, and that again after a reload', async () => {
    const inner = join(folder, 'inner');
    await mkdir(inner);
    const windows = [new AgentWindow(folder, servers), new AgentWindow(folder, servers)] as const;
    const [outside, inside] = windows;
    await outside.open([folder], 10);
    await inside.open([inner], 5);
    const reloaded = new AgentWindow(folder, servers);
    try {
      const ofOutside = await connect(entry, { cwd: folder });
      const ofInside = await connect(entry, { cwd: inner });
      await Promise.all([ofOutside.listTools(), ofInside.listTools()]);
      const folders = windows.map(({ sessions }) => sessions.all.map(({ hello }) => hello.folder));
      assert.deepEqual(folders, [[await realpath(folder)], [await realpath(inner)]]);
      inside.close();
      const tools = ofInside.listTools();
      await reloaded.open([inner], 5);
      assert.equal((await tools).tools.length, 2);
      assert.deepEqual([outside.sessions.all.length, reloaded.sessions.all.length], [1, 1]);
    } finally {
      for (const one of [...windows, reloaded]) one.close();
    }
  });

  it('is served by another window once its own does not come back', async () => {
    const right = new AgentWindow(folder, fakeServers());
    await right.open([folder], 5);
    const client = await connect(entry, { cwd: folder, graceMs: 0 });
    assert.deepEqual((await client.listTools()).tools, []);
    right.close();
    await until(async () => (await client.listTools()).tools.length === 2);
  });

  it('comes in through files that nobody else can read', async () => {
    if (process.platform === 'win32') return;
    for (const path of [folder, `${folder}/windows`, `${folder}/entries`])
      assert.equal((await stat(path)).mode & 0o077, 0, path);
    assert.equal((await stat(`${folder}/entries/${entry.entry.id}.json`)).mode & 0o077, 0);
  });

  it('of a server that is not started hears which one that is, and why', async () => {
    const stopped = fakeServer({ id: 'off', name: 'off', tools: [tool({ name: 'go' })] });
    const refused = { kind: 'refused', message: 'It was stopped by hand.' } as const;
    Object.assign(stopped, { start: () => Promise.resolve(refused) });
    servers.replace(stopped);
    const client = await connect(entry);
    const result = await client.callTool({ name: 'off__go', arguments: {} });
    assert.match(textOf(result), /"off" was not started\. It was stopped by hand\./);
  });

  it('of a server that fails hears why', async () => {
    const failing = fakeServer({
      id: 'bad',
      name: 'bad',
      call: () => Promise.reject(new UserError('"bad" is broken.')),
    });
    servers.replace(failing);
    const client = await connect(entry);
    const result = await client.callTool({ name: 'bad__tool', arguments: {} });
    assert.match(textOf(result), /"bad" is broken/);
  });
});
