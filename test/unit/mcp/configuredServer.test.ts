import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { deferred } from '../../../src/base/async';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import type { ConnectionDeps, LaunchPreparer } from '../../../src/mcp/connection/connectionDeps';
import { noMemory, type RememberedServer, type ServerMemory } from '../../../src/mcp/lists/catalog';
import { createServers } from '../../../src/mcp/createServers';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import type { Server } from '../../../src/mcp/server';
import { serverIdentity } from '../../../src/mcp/serverIdentity';
import type { ServerConfig, ServerDefinition } from '../../../src/mcp/serverConfig';
import type { ServerRequestHandlers } from '../../../src/mcp/protocol/serverRequests';
import { protocolMeta } from '../../../src/mcp/protocol/types';
import { asRecord, canonicalJson, type JsonRecord } from '../../../src/base/json';
import { settled, useFakeClock } from '../../support/fakes/fakeClock';
import { checkLeaks } from '../../support/processes/leakCheck';
import {
  ScriptedError,
  type Script,
  type ScriptedTransport,
} from '../../support/fakes/scriptedTransport';
import { legacyServer, modernServer } from './scriptedSession';
import { define, names, recordingLogger, scriptedTransports, testDeps } from './testServers';

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});
const everything = {
  tools: { listChanged: true },
  prompts: {},
  resources: { subscribe: true },
  completions: {},
  logging: {},
};
const scripts: Record<string, Script> = {
  'tools/list': () => ({ tools: [tool('say')] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
  'resources/list': () => ({ resources: [{ uri: 'a:b', name: 'b' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'a:{x}', name: 'x' }] }),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'logging/setLevel': () => ({}),
  'tools/call': ({ name }) => ({ content: [{ type: 'text', text: `said ${String(name)}` }] }),
  'completion/complete': () => ({ completion: { values: ['Oslo', 'Osaka'], total: 7 } }),
};

const noTasks =
  'io.modelcontextprotocol/enterprise-managed-authorization io.modelcontextprotocol/ui';
const every = `io.modelcontextprotocol/tasks ${noTasks}`;

/** Answers everything that a server may ask for, and notes what it was. */
function askable(asked: string[]): ServerRequestHandlers {
  return {
    listRoots: async () => {
      asked.push('roots');
      return [];
    },
    createMessage: async () => {
      asked.push('sampling');
      return { role: 'assistant', content: [], model: 'a' };
    },
    elicit: async () => {
      asked.push('elicitation');
      return { action: 'decline' };
    },
    appTypes: () => ['a/b'],
  };
}

function open(transports: readonly ScriptedTransport[], overrides: Partial<ConnectionDeps> = {}) {
  const { openTransport } = scriptedTransports(...transports);
  const { log, lines } = recordingLogger();
  const server = new ConfiguredServer(define(), testDeps({ openTransport, log, ...overrides }));
  return { server, lines };
}

const full = (more: Readonly<Record<string, Script>> = {}) =>
  legacyServer({ capabilities: everything, scripts: { ...scripts, ...more } });

const sent = (transport: ScriptedTransport) => transport.sent.map(({ method }) => method);

describe('a server', () => {
  checkLeaks();
  const clock = useFakeClock();

  for (const isGivenUp of [false, true])
    it(`has what is to happen before a call waited for once it runs, ${isGivenUp ? 'and sends nothing that was given up' : 'and sends it then'}`, async () => {
      const transport = full();
      const { server } = open([transport]);
      const reached = deferred<string>();
      const begins = deferred<void>();
      const given = new AbortController();
      const onBegin = () => {
        reached.resolve(server.state.kind);
        return begins.promise;
      };
      const called = server.callTool('say', {}, { onBegin, signal: given.signal });
      assert.equal(await reached.promise, 'running');
      assert.ok(!sent(transport).includes('tools/call'));
      if (isGivenUp) given.abort();
      begins.resolve();
      await called.catch(() => {});
      assert.equal(sent(transport).includes('tools/call'), !isGivenUp);
      server.dispose();
    });

  it('is asked for the lists that it declared, and for no other', async () => {
    const transport = legacyServer({ capabilities: { prompts: {} }, scripts });
    const { server } = open([transport]);
    await server.start();
    assert.deepEqual(sent(transport).slice(2), ['prompts/list']);
    assert.deepEqual([names(server.prompts), server.tools.status], [['greet'], 'empty']);
    server.dispose();
  });

  it('is asked for all its lists side by side', async () => {
    const transport = full();
    const { server } = open([transport]);
    await server.start();
    assert.deepEqual(sent(transport).slice(2), [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
    server.dispose();
  });

  for (const [era, transport, method, told] of [
    ['legacy', full, 'initialize', (params: JsonRecord) => params['capabilities']],
    [
      'modern',
      () => modernServer({ capabilities: {} }),
      'server/discover',
      ({ _meta }: JsonRecord) => asRecord(_meta)[`${protocolMeta}/clientCapabilities`],
    ],
  ] as const)
    it(`is known to have been told what this client can do (${era})`, async () => {
      const scripted = transport();
      const requests = { elicit: async () => ({ action: 'decline' as const }) };
      const { server } = open([scripted], { requests });
      await server.start();
      const { state } = server;
      assert.ok(state.kind === 'running');
      const declared = told(asRecord(scripted.requests(method).at(-1)?.params));
      assert.deepEqual(state.declared, declared);
      assert.deepEqual(
        Object.keys(asRecord(declared)),
        era === 'legacy' ? ['elicitation', 'tasks'] : ['elicitation', 'extensions'],
      );
      server.dispose();
    });

  for (const [era, without, left] of [
    ['legacy', ['sampling', 'roots'], ['elicitation', 'tasks', 'extensions']],
    ['legacy', ['sampling', 'elicitation'], ['roots', 'extensions']],
    ['legacy', ['tasks', 'apps'], ['roots', 'sampling', 'elicitation']],
    ['modern', ['elicitation'], ['roots', 'sampling', `extensions ${every}`]],
    ['modern', ['tasks'], ['roots', 'sampling', 'elicitation', `extensions ${noTasks}`]],
    ['modern', ['extensions'], ['roots', 'sampling', 'elicitation']],
  ] as const)
    it(`is told of nothing that this client shall be without: ${without.join(', ')} (${era})`, async () => {
      const scripted = era === 'legacy' ? full() : modernServer({ capabilities: {} });
      const { openTransport } = scriptedTransports(scripted);
      const definition = { ...define(), without };
      const asked: string[] = [];
      const server = new ConfiguredServer(
        definition,
        testDeps({ openTransport, requests: askable(asked) }),
      );
      await server.start();
      const { state } = server;
      assert.ok(state.kind === 'running');
      const { declared = {} } = state;
      const { extensions } = declared;
      const shown = Object.keys(declared).map((name) =>
        name === 'extensions' && era === 'modern'
          ? `extensions ${Object.keys(extensions ?? {}).join(' ')}`
          : name,
      );
      assert.deepEqual(shown, left);
      if (era === 'modern') return server.dispose();
      const questions = {
        roots: ['roots/list', {}],
        sampling: ['sampling/createMessage', { messages: [], maxTokens: 1 }],
        elicitation: ['elicitation/create', { message: 'a', requestedSchema: {} }],
      } as const;
      for (const [id, [method, params]] of Object.entries(questions))
        scripted.receive({ id, method, params });
      await settled();
      const lacked = (Object.keys(questions) as (keyof typeof questions)[]).filter((one) =>
        without.some((ability) => ability === one),
      );
      assert.deepEqual(
        scripted.sent.flatMap(({ id, error }) => (error ? [[id, error.code]] : [])),
        lacked.map((id) => [id, -32601]),
      );
      assert.equal(asked.length, 3 - lacked.length);
      scripted.sent.length = 0;
      server.notifyRootsChanged();
      const isTold = sent(scripted).includes('notifications/roots/list_changed');
      assert.equal(isTold, !lacked.includes('roots'));
      server.dispose();
    });

  for (const without of [undefined, ['tasks'] as const])
    it(`calls a tool as a task, ${without ? 'unless this client shall know none' : 'where that is known'}`, async () => {
      const scripted = legacyServer({
        capabilities: { tasks: { requests: { tools: { call: {} } } }, tools: {} },
        scripts: {
          ...scripts,
          'tools/list': () => ({
            tools: [tool('say', { execution: { taskSupport: 'required' } })],
          }),
        },
      });
      const { openTransport } = scriptedTransports(scripted);
      const definition = { ...define(), ...(without && { without }) };
      const server = new ConfiguredServer(definition, testDeps({ openTransport }));
      await server.start();
      await server.callTool('say', {});
      const [call] = scripted.requests('tools/call');
      assert.equal('task' in asRecord(call?.params), without === undefined);
      server.dispose();
    });

  it('sends what a user wrote into `_meta`, beside what it writes itself', async () => {
    const transport = full({
      'prompts/get': () => ({ messages: [] }),
      'resources/read': () => ({ contents: [] }),
    });
    const { server } = open([transport]);
    const meta = { 'example.org/trace': 't1' };
    await server.callTool('say', {}, { meta, onProgress: () => {} });
    await server.getPrompt('greet', {}, { meta });
    await server.readResource('a:b', { meta });
    await server.complete(
      { type: 'ref/prompt', name: 'greet' },
      { name: 'a', value: '' },
      {},
      { meta },
    );
    const methods = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'];
    const metas = methods.map((method) => asRecord(transport.requests(method)[0]?.params)['_meta']);
    const [{ progressToken, ...ofCall } = {}, ...others]: JsonRecord[] = metas.map(asRecord);
    assert.ok(progressToken !== undefined);
    assert.deepEqual(
      [ofCall, ...others.map(({ progressToken: _own, ...rest }) => rest)],
      methods.map(() => meta),
    );
    server.dispose();
  });

  it('refuses a task as an answer where this client shall know none', async () => {
    const task = { taskId: '1', status: 'completed', createdAt: '2026-01-01T00:00:00Z' };
    const scripted = modernServer({
      capabilities: { tools: {} },
      scripts: { ...scripts, 'tools/call': () => ({ resultType: 'task', task }) },
    });
    const { openTransport } = scriptedTransports(scripted);
    const definition = { ...define(), without: ['tasks'] as const };
    const server = new ConfiguredServer(definition, testDeps({ openTransport }));
    await server.start();
    await assert.rejects(server.callTool('say', {}), /a result of the unknown type "task"/);
    server.dispose();
  });

  it('has nothing aborted by a call that ends well, for that costs more than all else of it', async () => {
    const { server } = open([full()]);
    await server.start();
    const abort = mock.method(AbortController.prototype, 'abort');
    try {
      await server.callTool('say', {}, { onProgress: () => {} });
      assert.equal(abort.mock.callCount(), 0);
    } finally {
      abort.mock.restore();
    }
    server.dispose();
  });

  it('loses the list that it no longer declares', async () => {
    const first = full();
    const { server } = open([first, legacyServer({ capabilities: { tools: {} }, scripts })]);
    await server.start();
    await server.stop();
    await server.start();
    assert.deepEqual([names(server.tools), server.prompts.items], [['say'], []]);
    server.dispose();
  });

  it('refreshes the list whose change it announces, and no other', async () => {
    const transport = full();
    const { server } = open([transport]);
    await server.start();
    transport.receive({ method: 'notifications/resources/list_changed' });
    await clock.tick(50);
    assert.deepEqual(sent(transport).slice(6), ['resources/list', 'resources/templates/list']);
    server.dispose();
  });

  it('says which of its resources changed', async () => {
    const transport = full();
    const { server } = open([transport]);
    await server.start();
    const heard: string[] = [];
    server.onDidUpdateResource((uri) => heard.push(uri));
    for (const params of [{ uri: 'a:b' }, {}, { uri: 5 }, { uri: 'a:%2F?x=%20' }])
      transport.receive({ method: 'notifications/resources/updated', params });
    assert.deepEqual(heard, ['a:b', 'a:%2F?x=%20']);
    server.dispose();
  });

  it('has all asked for again at most twice a minute when its stream ends again and again', async () => {
    const transport = modernServer({ capabilities: everything, scripts });
    const { server } = open([transport]);
    await server.start();
    await settled();
    const heard: string[] = [];
    server.onDidUpdateResource((uri) => heard.push(uri));
    server.subscribe('a:b');
    for (let second = 0; second < 90; second += 1) {
      const stream = transport.requests('subscriptions/listen').at(-1);
      transport.receive({ id: stream?.id, result: { resultType: 'complete' } });
      await clock.tick(1000);
    }
    assert.deepEqual(heard, ['a:b', 'a:b', 'a:b']);
    assert.equal(transport.requests('tools/list').length, 1 + 3);
    server.dispose();
  });

  it('has its log messages written', async () => {
    const transport = full();
    const { server, lines } = open([transport]);
    await server.start();
    transport.receive({
      method: 'notifications/message',
      params: { level: 'warning', logger: 'db', data: 'slow' },
    });
    assert.deepEqual(lines.warn, ['[db] slow']);
    server.dispose();
  });

  it('keeps its subscriptions and the level of its log over a restart', async () => {
    const first = full();
    const second = full();
    const { server } = open([first, second]);
    await server.start();
    server.subscribe('a:b');
    await server.setLoggingLevel('error');
    await first.close();
    await clock.tick(1000);
    assert.equal(server.state.kind, 'running');
    for (const transport of [first, second]) {
      assert.equal(transport.requests('resources/subscribe')[0]?.params?.['uri'], 'a:b');
      assert.equal(transport.requests('logging/setLevel')[0]?.params?.['level'], 'error');
    }
    server.dispose();
  });

  it('logs at the level that the user chose, whatever its log shows, until they take that back', async () => {
    const first = full();
    const second = full();
    const { server, lines } = open([first, second]);
    await server.start();
    await server.setLoggingLevel('info');
    await server.chooseLoggingLevel('debug');
    await server.setLoggingLevel('warning');
    const message = { method: 'notifications/message', params: { level: 'debug', data: 'fine' } };
    first.receive(message);
    // Its log may not show what is fine.
    assert.deepEqual([lines.debug, lines.info.at(-1)], [[], '[debug] fine']);
    await first.close();
    await clock.tick(1000);
    await server.chooseLoggingLevel(undefined);
    second.receive(message);
    assert.deepEqual(lines.debug, ['fine']);
    const told = [first, second].map((transport) =>
      transport.requests('logging/setLevel').map(({ params }) => params?.['level']),
    );
    assert.deepEqual(told, [
      ['info', 'debug'],
      ['debug', 'warning'],
    ]);
    server.dispose();
  });

  it('keeps no level that the server refuses', async () => {
    const refuse = () => {
      throw new ScriptedError(-32602, 'no such level');
    };
    const { server } = open([full({ 'logging/setLevel': refuse })]);
    await server.start();
    await assert.rejects(server.chooseLoggingLevel('debug'), /no such level/);
    assert.equal(server.chosenLoggingLevel, undefined);
    server.dispose();
  });

  it('logs at the level that a request of the user asks for', async () => {
    const transport = full();
    const { server, lines } = open([transport]);
    await server.start();
    await server.sendRequest('logging/setLevel', { level: 'debug' });
    await server.setLoggingLevel('warning');
    transport.receive({
      method: 'notifications/message',
      params: { level: 'debug', data: 'fine' },
    });
    assert.deepEqual([server.chosenLoggingLevel, lines.info.at(-1)], ['debug', '[debug] fine']);
    assert.equal(transport.requests('logging/setLevel').length, 1);
    server.dispose();
  });

  it('can be subscribed to only where it says so', async () => {
    const { server } = open([legacyServer({ capabilities: { resources: {} }, scripts })]);
    assert.equal(server.canSubscribe, false);
    await server.start();
    assert.equal(server.canSubscribe, false);
    server.dispose();
    const able = open([full()]).server;
    await able.start();
    assert.equal(able.canSubscribe, true);
    able.dispose();
  });

  it('completes with the arguments that are there already', async () => {
    const transport = full();
    const { server } = open([transport]);
    const reference = { type: 'ref/prompt', name: 'greet' } as const;
    const argument = { name: 'city', value: 'Os' };
    assert.deepEqual(await server.complete(reference, argument, { country: 'NO' }), {
      values: ['Oslo', 'Osaka'],
      total: 7,
    });
    await server.complete(reference, argument, {});
    const [first, second] = transport.requests('completion/complete');
    assert.deepEqual(first?.params?.['ref'], reference);
    assert.deepEqual(first?.params?.['argument'], argument);
    assert.deepEqual(first?.params?.['context'], { arguments: { country: 'NO' } });
    assert.equal('context' in (second?.params ?? {}), false);
    server.dispose();
  });

  it('is not asked to complete where it cannot', async () => {
    const transport = legacyServer({ capabilities: { prompts: {} }, scripts });
    const { server } = open([transport]);
    const reference = { type: 'ref/prompt', name: 'greet' } as const;
    assert.deepEqual(await server.complete(reference, { name: 'a', value: '' }, {}), {
      values: [],
    });
    assert.deepEqual(transport.requests('completion/complete'), []);
    server.dispose();
  });

  it('is told of other roots only where it may ask for them', async () => {
    const method = 'notifications/roots/list_changed';
    const without = full();
    const one = open([without]).server;
    await one.start();
    one.notifyRootsChanged();
    await settled();
    assert.deepEqual(without.requests(method), []);
    one.dispose();
    const asking = full();
    const requests = { listRoots: () => Promise.resolve([]) };
    const two = open([asking], { requests }).server;
    two.notifyRootsChanged();
    await two.start();
    two.notifyRootsChanged();
    await settled();
    assert.equal(asking.requests(method).length, 1);
    two.dispose();
    const modern = modernServer({ capabilities: { tools: {} }, scripts });
    const three = open([modern], { requests }).server;
    await three.start();
    three.notifyRootsChanged();
    await settled();
    assert.deepEqual(modern.requests(method), []);
    three.dispose();
  });

  it('is sent no call of a tool past the function of calls, by whatever kind of message', async () => {
    const transport = full();
    const { server } = open([transport]);
    await server.start();
    const params = { name: 'say', arguments: {} };
    await assert.rejects(server.sendRequest('tools/call', params), TypeError);
    for (const method of ['tools/call', 'tasks/cancel'])
      await assert.rejects(server.sendNotification(method, params), TypeError);
    await server.sendNotification('notifications/roots/list_changed', {});
    assert.deepEqual(transport.requests('tools/call'), []);
    assert.equal(transport.requests('notifications/roots/list_changed').length, 1);
    server.dispose();
  });

  it('is started by the first thing that is asked of it', async () => {
    const transport = full();
    const { server } = open([transport]);
    const { content } = await server.callTool('say', {});
    assert.deepEqual(content, [{ type: 'text', text: 'said say' }]);
    server.dispose();
  });

  it('says why it could not be started for what was asked of it', async () => {
    const { server } = open([full()], {
      launches: { prepare: () => Promise.resolve({ refused: 'The folder is not trusted.' }) },
    });
    await assert.rejects(server.callTool('say', {}), {
      name: 'UserError',
      message: '"One" could not call the tool "say": it is not running. The folder is not trusted.',
    });
  });

  it('names a prompt that failed as its list does', async () => {
    const { server } = open([
      full({
        'prompts/list': () => ({ prompts: [{ name: 'greet-all', title: 'Greet All' }] }),
        'prompts/get': () => {
          throw new ScriptedError(-1, 'nobody is here');
        },
      }),
    ]);
    await server.start();
    await assert.rejects(server.getPrompt('greet-all', {}), {
      message: '"One" could not get the prompt "Greet All": nobody is here',
    });
    server.dispose();
  });

  it('over HTTP does not offer a tool with invalid headers, and gets those of the others', async () => {
    const header = (name: string) => ({
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string', 'x-mcp-header': name } },
      },
    });
    const transport = modernServer(
      {
        capabilities: { tools: {} },
        scripts: {
          ...scripts,
          'tools/list': () => ({
            tools: [tool('good', header('City')), tool('bad', header('A b'))],
          }),
        },
      },
      true,
    );
    const { server } = open([transport]);
    await server.start();
    assert.deepEqual(names(server.tools), ['good']);
    assert.match(server.tools.problems.join(), /"bad" was left out/);
    await server.callTool('good', { city: 'Oslo' });
    const index = transport.sent.findIndex(({ method }) => method === 'tools/call');
    assert.deepEqual(transport.options[index]?.headers, { 'Mcp-Param-City': 'Oslo' });
    server.dispose();
  });

  describe('whose configuration means another launch while it runs', () => {
    const running = async () => {
      let now = 'first';
      const launches: LaunchPreparer = {
        prepare: ({ config }) => Promise.resolve({ config, launchFingerprint: now }),
        launchFingerprint: () => Promise.resolve(now),
      };
      const { server } = open([full(), full()], { launches });
      assert.equal(await server.launchFingerprint(), 'first');
      await server.start();
      now = 'second';
      return server;
    };

    for (const [what, act, launch] of [
      ['what runs, until it is started again', () => Promise.resolve(), 'first'],
      ['what would run, once it has stopped', (server: Server) => server.stop(), 'second'],
      [
        'what runs, once it was started again',
        async (server: Server) => {
          await server.stop();
          await server.start();
        },
        'second',
      ],
    ] as const)
      it(`has decisions bound to ${what}`, async () => {
        const server = await running();
        await act(server);
        assert.equal(await server.launchFingerprint(), launch);
        assert.equal((await serverIdentity(server)).launchFingerprint, launch);
        server.dispose();
      });
  });

  describe('that is remembered', () => {
    const snapshot = {
      tools: [tool('old')],
      prompts: [{ name: 'old prompt' }],
      resources: [],
      resourceTemplates: [],
      skills: [],
    };

    function memory(remembered?: RememberedServer) {
      const saved: RememberedServer[] = [];
      const serverMemory: ServerMemory = {
        load: () => Promise.resolve(remembered),
        save: (_config, one) => {
          saved.push(one);
          return Promise.resolve();
        },
        forget: () => Promise.resolve(),
      };
      return { saved, serverMemory };
    }

    it('shows its lists before it runs, and then those that are true', async () => {
      const { serverMemory } = memory({ snapshot, era: 'legacy', savedAt: Date.now() });
      const { server } = open([full()], { memory: serverMemory });
      await settled();
      assert.deepEqual([server.tools.status, names(server.tools)], ['cached', ['old']]);
      assert.deepEqual(names(server.prompts), ['old prompt']);
      await server.start();
      assert.deepEqual([server.tools.status, names(server.tools)], ['loaded', ['say']]);
      server.dispose();
    });

    const stdio = { type: 'stdio', command: 'serve', args: [], env: {} } as const;
    const configs: readonly (readonly [string, ServerConfig, readonly string[]])[] = [
      ['any folder', stdio, ['old']],
      ['the first folder', { ...stdio, args: ['${workspaceFolder}/data'] }, []],
      ['a folder by its name', { ...stdio, cwd: '${workspaceFolder:data}' }, []],
      [
        'what a header names',
        { type: 'http', url: 'https://x.test', headers: { At: '${workspaceFolderBasename}' } },
        [],
      ],
    ];
    for (const [what, config, elsewhere] of configs) {
      it(`shows its lists in other folders only where they are the same: ${what}`, async () => {
        const kept = new Map<string, RememberedServer>();
        const serverMemory: ServerMemory = {
          load: (key) => Promise.resolve(kept.get(canonicalJson(key))),
          save: async (key, one) => void kept.set(canonicalJson(key), one),
          forget: async (key) => void kept.delete(canonicalJson(key)),
        };
        const openIn = (...folders: readonly string[]) => {
          const { openTransport } = scriptedTransports(
            legacyServer({
              capabilities: { tools: {} },
              scripts: { 'tools/list': () => snapshot },
            }),
          );
          const deps = testDeps({ openTransport, memory: serverMemory, folders });
          return new ConfiguredServer(define(config), deps);
        };
        const first = openIn('file:///a');
        await first.start();
        await clock.tick(0);
        const [same, other] = [openIn('file:///a'), openIn('file:///b')];
        await settled();
        assert.deepEqual([names(same.tools), names(other.tools)], [['old'], elsewhere]);
        for (const server of [first, same, other]) server.dispose();
      });
    }

    for (const [when, ms] of [
      ['that runs, before it was kept', undefined],
      ['that is being kept', 0],
      ['that was kept', 5000],
    ] as const)
      it(`is remembered nowhere once the user has signed out of one ${when}`, async () => {
        const kept = new Map<string, RememberedServer>();
        const serverMemory: ServerMemory = {
          load: (key) => Promise.resolve(kept.get(canonicalJson(key))),
          save: async (key, one) => {
            await settled();
            kept.set(canonicalJson(key), one);
          },
          forget: async (key) => void kept.delete(canonicalJson(key)),
        };
        const { server } = open([full()], { memory: serverMemory });
        await server.start();
        if (ms !== undefined) await clock.tick(ms);
        await server.signOut();
        await clock.tick(5000);
        await settled();
        assert.equal(kept.size, 0);
        assert.deepEqual([names(server.tools), names(server.prompts)], [[], []]);
        server.dispose();
      });

    it('is remembered once its lists are there, and again some time after they changed', async () => {
      const { saved, serverMemory } = memory();
      const lists = [['a'], ['a', 'b']];
      let asked = 0;
      const transport = full({
        'tools/list': () => {
          asked += 1;
          return { tools: (lists[asked - 1] ?? []).map((name) => tool(name)) };
        },
      });
      const { server } = open([transport], { memory: serverMemory });
      await server.start();
      await clock.tick(0);
      assert.deepEqual(
        saved.map((one) => one.snapshot.tools.map(({ name }) => name)),
        [['a']],
      );
      assert.equal(saved[0]?.era, 'legacy');
      transport.receive({ method: 'notifications/tools/list_changed' });
      await clock.tick(50);
      await clock.tick(3000);
      assert.deepEqual(
        saved.map((one) => one.snapshot.tools.map(({ name }) => name)),
        [['a'], ['a', 'b']],
      );
      server.dispose();
    });
  });
});

describe('the set of servers', () => {
  it('forgets what one offered that is not used, and starts nothing for it', async () => {
    const seen: unknown[] = [];
    const forget: ServerMemory['forget'] = async (key) => void seen.push(key);
    const { openTransport } = scriptedTransports();
    const servers = createServers(() =>
      testDeps({ openTransport, memory: { ...noMemory, forget } }),
    );
    const { config, name } = define();
    await servers.unlisted(define()).signOut();
    assert.deepEqual(structuredClone(seen), [{ name, config, place: undefined }]);
    servers.dispose();
  });

  it('announces what is added, removed and what changes its state', async () => {
    const { openTransport } = scriptedTransports(full(), full());
    const servers = createServers(() => testDeps({ openTransport }));
    const seen: string[] = [];
    servers.onDidChange(() =>
      seen.push(servers.all.map(({ id, state }) => `${id} ${state.kind}`).join()),
    );
    const one = define();
    await servers.reconcile([one, define(undefined, { id: 'two' })]);
    assert.deepEqual(seen, ['one stopped,two stopped']);
    assert.deepEqual(await servers.start('one'), [{ kind: 'running' }]);
    assert.deepEqual(await servers.start('nobody'), []);
    assert.deepEqual(seen.slice(1), ['one starting,two stopped', 'one running,two stopped']);
    await servers.reconcile([one]);
    assert.equal(seen.at(-1), 'one running');
    servers.dispose();
  });

  it('runs under its new configuration what ran under the old one', async () => {
    const first = full();
    const { openTransport, opened } = scriptedTransports(first, full());
    const servers = createServers(() => testDeps({ openTransport }));
    await servers.reconcile([define()]);
    await servers.start('*');
    await servers.reconcile([define(undefined, { name: 'Renamed' })]);
    assert.equal(servers.get('one')?.state.kind, 'running');
    assert.equal(opened(), 2);
    await servers.reconcile([]);
    servers.dispose();
  });

  it('has another of a server for one caller, until they end it or it is configured in another way', async () => {
    const { openTransport, opened } = scriptedTransports(full(), full(), full());
    const prepared: string[] = [];
    const traffic = new TrafficRecorder((text) => text);
    const launches: LaunchPreparer = {
      prepare: ({ config }) => Promise.resolve({ config }),
      launchFingerprint: () => Promise.resolve('as it would be now'),
    };
    const servers = createServers(
      () => testDeps({ openTransport, traffic, launches }),
      async ({ id, config }) => {
        prepared.push(id);
        return { config };
      },
    );
    await servers.reconcile([define()]);
    assert.equal(servers.beside('nobody'), undefined);
    const first = servers.beside('one');
    assert.equal(await first?.server.launchFingerprint(), 'as it would be now');
    assert.deepEqual(await first?.server.start(), { kind: 'running' });
    assert.deepEqual([servers.get('one')?.state.kind, opened(), prepared], ['stopped', 1, ['one']]);
    await servers.start('one');
    await first?.end();
    assert.deepEqual(
      [first?.server.state.kind, servers.get('one')?.state.kind],
      ['stopped', 'running'],
    );
    assert.equal((await first?.server.start())?.kind, 'refused');
    assert.equal(
      traffic.entries.filter(({ answer, kind }) => kind === 'request' && !answer).length,
      0,
    );
    const second = servers.beside('one');
    await second?.server.start();
    await servers.reconcile([]);
    assert.equal(second?.server.state.kind, 'stopped');
    servers.dispose();
  });

  for (const [what, answered, expected] of [
    ['has its usual roots, and no other answers than those for it', undefined, 'usual'],
    ['has roots of its own, where there are some', 'own', 'own'],
  ] as const)
    it(`has another of a server that ${what}`, async () => {
      const transport = full();
      const { openTransport } = scriptedTransports(transport);
      const named = (name: string) => async () => [{ uri: 'file:///', name }];
      const elicit = async () => ({ action: 'decline' as const });
      const usual = { listRoots: named('usual'), elicit, createMessage: () => assert.fail() };
      const servers = createServers(() => testDeps({ openTransport, requests: usual }));
      await servers.reconcile([define()]);
      const requests = { elicit, ...(answered && { listRoots: named(answered) }) };
      const beside = servers.beside('one', { requests });
      await beside?.server.start();
      const [initialize] = transport.requests('initialize');
      assert.deepEqual(Object.keys(Object(initialize?.params?.['capabilities'])).toSorted(), [
        'elicitation',
        'roots',
        'tasks',
      ]);
      transport.receive({ id: 'asked', method: 'roots/list' });
      await settled();
      const told = transport.sent.find(({ id }) => id === 'asked');
      assert.deepEqual(told?.result, { roots: [{ uri: 'file:///', name: expected }] });
      await servers.reconcile([]);
      servers.dispose();
    });

  it('starts nothing of a changed configuration that did not run', async () => {
    const { openTransport, opened } = scriptedTransports(full());
    const servers = createServers(() => testDeps({ openTransport }));
    await servers.reconcile([define()]);
    await servers.reconcile([define(undefined, { name: 'Renamed' })]);
    assert.equal(opened(), 0);
    servers.dispose();
  });

  describe('while one ends whose configuration changed', () => {
    const named = (name: string) => define(undefined, { name });

    /** Starts a set of one server that does not finish stopping until `end` is called. */
    async function ending() {
      const first = full();
      const ended = deferred<void>();
      const close = first.close.bind(first);
      first.close = () => ended.promise.then(close);
      const { openTransport, opened } = scriptedTransports(first, full());
      const servers = createServers(() => testDeps({ openTransport }));
      await servers.reconcile([named('One')]);
      await servers.start('*');
      return { servers, opened, end: () => ended.resolve() };
    }

    it('runs under the configuration that came last', async () => {
      const { servers, opened, end } = await ending();
      const changes = ['Two', 'Three'].map((name) => servers.reconcile([named(name)]));
      await settled();
      const server = servers.get('one');
      assert.deepEqual([server?.name, server?.state.kind, opened()], ['Three', 'starting', 1]);
      end();
      await Promise.all(changes);
      assert.deepEqual([server?.state.kind, opened()], ['running', 2]);
      await servers.reconcile([]);
      servers.dispose();
    });

    it('starts nothing that was stopped meanwhile', async () => {
      const { servers, opened, end } = await ending();
      const changed = servers.reconcile([named('Two')]);
      await settled();
      const stopped = servers.get('one')?.stop();
      end();
      await Promise.all([changed, stopped]);
      await servers.reconcile([named('Three')]);
      assert.deepEqual([servers.get('one')?.state.kind, opened()], ['stopped', 1]);
      servers.dispose();
    });

    const places: readonly (readonly [string, readonly (readonly ServerDefinition[])[]])[] = [
      ['in its place', [[named('Two')]]],
      ['that is there again', [[], [named('One')]]],
    ];
    for (const [which, configurations] of places) {
      it(`starts the one ${which} for a request, after that end`, async () => {
        const { servers, opened, end } = await ending();
        const changes = configurations.map((one) => servers.reconcile(one));
        const called = servers.get('one')?.callTool('say', {});
        await settled();
        assert.equal(opened(), 1);
        end();
        await Promise.all(changes);
        assert.deepEqual((await called)?.content, [{ type: 'text', text: 'said say' }]);
        assert.equal(opened(), 2);
        await servers.reconcile([]);
        servers.dispose();
      });
    }
  });

  it('follows the order of the definitions', async () => {
    const servers = createServers(() => testDeps());
    const [a, b, c] = ['a', 'b', 'c'].map((id) => define(undefined, { id }));
    assert.ok(a && b && c);
    await servers.reconcile([a, b]);
    const before = servers.get('a');
    await servers.reconcile([c, b, a]);
    assert.deepEqual(
      servers.all.map(({ id }) => id),
      ['c', 'b', 'a'],
    );
    assert.equal(servers.get('a'), before);
    servers.dispose();
  });
});
