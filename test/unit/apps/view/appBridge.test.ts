import assert from 'node:assert/strict';
import { App } from '@modelcontextprotocol/ext-apps';
import type { Transport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  appsRevision,
  maxAppCallsPerMinute,
  maxAppRequests,
  maxRequestsPerMinute,
  type AppHandlers,
} from '../../../../src/apps/view/appBridge';
import { deferred } from '../../../../src/base/async';
import type { JsonRecord } from '../../../../src/base/json';
import { TrafficRecorder } from '../../../../src/mcp/traffic/trafficRecorder';
import type { CallToolResult } from '../../../../src/mcp/protocol/types';

const result: CallToolResult = {
  content: [
    { type: 'text', text: 'done' },
    { type: 'unknown', value: { type: 'future', a: 1 } },
  ],
  structuredContent: { a: [1] },
  isError: false,
  _meta: { secret: 'for the app' },
};

/** Creates a bridge, and records what was asked of the product and what was sent to the app. */
function create(part: Partial<AppHandlers> = {}) {
  const asked: unknown[][] = [];
  const sent: JsonRecord[] = [];
  const clock = { now: 0 };
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args.filter((one) => !(one instanceof AbortSignal))]);
    };
  const bridge = new AppBridge({
    handlers: {
      runTool: async (...args) => {
        note('runTool')(...args);
        return result;
      },
      readResource: async (uri) => ({ contents: [{ uri, text: 'read' }] }),
      openLink: async (...args) => note('openLink')(...args),
      sendMessage: async (...args) => note('sendMessage')(...args),
      updateContext: async (...args) => note('updateContext')(...args),
      setDisplayMode: note('setDisplayMode'),
      log: note('log'),
      requestTeardown: note('requestTeardown'),
      ...part,
    },
    send: (message) => {
      sent.push(message);
      toApp?.(message);
    },
    traffic: new TrafficRecorder(String).besideApp(),
    hostInfo: { name: 'host', version: '1' },
    capabilities: { serverTools: {} },
    context: () => ({ theme: 'dark', displayMode: bridge.displayMode }),
    now: () => clock.now,
  });
  let toApp: ((message: JsonRecord) => void) | undefined;
  /** The published SDK for apps connects to the bridge through this. */
  const transport: Transport = {
    start: async () => {
      toApp = (message) => queueMicrotask(() => transport.onmessage?.(message as never));
    },
    send: async (message) => bridge.receive(structuredClone(message)),
    close: async () => {},
  };
  let next = 1;
  const request = async (method: string, params: unknown = {}): Promise<JsonRecord> => {
    const id = `own-${next++}`;
    bridge.receive({ jsonrpc: '2.0', id, method, params });
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    return sent.find((message) => message['id'] === id) ?? {};
  };
  const tell = (method: string, params: unknown = {}) =>
    bridge.receive({ jsonrpc: '2.0', method, params });
  const initialize = async (appCapabilities: unknown = {}) => {
    await request('ui/initialize', { appCapabilities, appInfo: {}, protocolVersion: 'x' });
    tell('ui/notifications/initialized');
  };
  return { bridge, asked, sent, clock, transport, request, tell, initialize };
}

const code = (answer: JsonRecord) => (answer['error'] as { code: number } | undefined)?.code;

describe('the host of an app', () => {
  it('talks with the published SDK for apps, from the first word to the last', async () => {
    const { bridge, asked, transport } = create();
    const app = new App({ name: 'app', version: '1' }, {}, { autoResize: false });
    const heard: unknown[] = [];
    app.ontoolinput = ({ arguments: args }) => heard.push(['input', args]);
    app.ontoolresult = (params) => heard.push(['result', params.structuredContent]);
    app.onhostcontextchanged = ({ theme }) => heard.push(['context', theme]);
    app.onteardown = () => {
      heard.push(['teardown']);
      return {};
    };
    bridge.toolInput({ a: 1 });
    bridge.toolResult({ ...result, content: [{ type: 'text', text: 'done' }] });
    await app.connect(transport);
    assert.equal(app.getHostContext()?.theme, 'dark');
    bridge.contextChanged({ theme: 'light' });
    const text = [{ type: 'text' as const, text: 'hello' }];
    const called = await app.callServerTool({ name: 'tool', arguments: { b: 2 } }).catch(String);
    assert.ok(typeof called === 'string' || called.structuredContent);
    assert.deepEqual(await app.readServerResource({ uri: 'a:b' }), {
      contents: [{ uri: 'a:b', text: 'read' }],
    });
    await app.openLink({ url: 'https://a.example' });
    await app.sendMessage({ role: 'user', content: text });
    await app.updateModelContext({ content: text });
    await app.sendLog({ level: 'info', data: 'logged' });
    assert.deepEqual(await app.requestDisplayMode({ mode: 'fullscreen' }), { mode: 'fullscreen' });
    await bridge.teardown('closed');
    assert.deepEqual(heard, [
      ['input', { a: 1 }],
      ['result', { a: [1] }],
      ['context', 'light'],
      ['teardown'],
    ]);
    assert.deepEqual(asked, [
      ['runTool', 'tool', { b: 2 }],
      ['openLink', 'https://a.example'],
      ['sendMessage', 'hello'],
      ['updateContext', 'hello'],
      ['log', 'info', 'logged'],
      ['setDisplayMode', 'fullscreen'],
    ]);
  });

  it('tells nothing before the app says that it is there, and then all of it in order', async () => {
    const { bridge, sent, request, tell } = create();
    bridge.toolInput({ a: 1 });
    bridge.toolInput({ a: 2 });
    bridge.toolResult(result);
    bridge.contextChanged({ theme: 'light' });
    tell('ui/notifications/initialized');
    assert.deepEqual(sent, []);
    const answer = await request('ui/initialize', { appCapabilities: {} });
    assert.deepEqual(answer['result'], {
      protocolVersion: appsRevision,
      hostInfo: { name: 'host', version: '1' },
      hostCapabilities: { serverTools: {} },
      hostContext: { theme: 'dark', displayMode: 'inline' },
    });
    assert.equal(sent.length, 1);
    tell('ui/notifications/initialized');
    assert.deepEqual(
      sent.slice(1).map(({ method, params }) => [method, params]),
      [
        ['ui/notifications/tool-input', { arguments: { a: 1 } }],
        [
          'ui/notifications/tool-result',
          {
            content: [
              { type: 'text', text: 'done' },
              { type: 'future', a: 1 },
            ],
            structuredContent: { a: [1] },
            isError: false,
            _meta: { secret: 'for the app' },
          },
        ],
      ],
    );
  });

  it('tells once of all that changed around it before it says that it is there', async () => {
    const { bridge, sent, request, tell } = create();
    bridge.contextChanged({ theme: 'light' });
    await request('ui/initialize', { appCapabilities: {} });
    bridge.contextChanged({ theme: 'dark', displayMode: 'inline' });
    bridge.contextChanged({ theme: 'light' });
    assert.equal(sent.length, 1);
    tell('ui/notifications/initialized');
    assert.deepEqual(
      sent.slice(1).map(({ method, params }) => [method, params]),
      [['ui/notifications/host-context-changed', { theme: 'light', displayMode: 'inline' }]],
    );
  });

  it('tells that a call was cancelled, and why', async () => {
    const { bridge, sent, initialize } = create();
    await initialize();
    bridge.toolCancelled('The user denied the call.');
    assert.deepEqual(sent.at(-1), {
      jsonrpc: '2.0',
      method: 'ui/notifications/tool-cancelled',
      params: { reason: 'The user denied the call.' },
    });
  });

  const refused: readonly [method: string, params: unknown, code: number][] = [
    ['ui/initialize', { appCapabilities: {} }, -32600],
    ['tools/call', {}, -32602],
    ['tools/call', { name: 7 }, -32602],
    ['tools/call', { name: 'a', arguments: [] }, -32602],
    ['resources/read', { uri: {} }, -32602],
    ['ui/open-link', {}, -32602],
    ['ui/message', { role: 'user', content: [] }, -32602],
    [
      'ui/message',
      { role: 'user', content: [{ type: 'image', data: '', mimeType: 'a/b' }] },
      -32602,
    ],
    ['ui/download-file', {}, -32601],
    ['sampling/createMessage', {}, -32601],
    ['tools/list', {}, -32601],
    ['ui/notifications/sandbox-resource-ready', { html: 'forged' }, -32601],
  ];
  for (const [method, params, expected] of refused)
    it(`refuses ${method} with ${JSON.stringify(params)}`, async () => {
      const { request, initialize, asked } = create();
      await initialize();
      assert.equal(code(await request(method, params)), expected);
      assert.deepEqual(asked, []);
    });

  for (const capabilities of [undefined, null, 'all', []])
    it(`refuses to begin with the capabilities ${JSON.stringify(capabilities)}`, async () => {
      const { request } = create();
      assert.equal(code(await request('ui/initialize', { appCapabilities: capabilities })), -32602);
    });

  it('answers nothing but a ping before it begins', async () => {
    const { request, asked } = create();
    assert.deepEqual((await request('ping'))['result'], {});
    assert.equal(code(await request('tools/call', { name: 'a' })), -32600);
    assert.deepEqual(asked, []);
  });

  for (const message of [null, 7, 'text', [], {}, { jsonrpc: '1.0', id: 1, method: 'ping' }])
    it(`leaves ${JSON.stringify(message)} alone`, () => {
      const { bridge, sent } = create();
      bridge.receive(message);
      bridge.receive({ jsonrpc: '2.0', id: { a: 1 }, method: 'ping' });
      assert.deepEqual(sent, []);
    });

  it('refuses more calls than so many in a minute, and lets them through afterwards', async () => {
    const { request, initialize, clock } = create();
    await initialize();
    const codes = [];
    for (let i = 0; i <= maxAppCallsPerMinute; i += 1)
      codes.push(code(await request('tools/call', { name: 'a' })));
    assert.deepEqual(codes, [...codes.slice(0, -1).map(() => undefined), -32000]);
    clock.now = 60_001;
    assert.equal(code(await request('tools/call', { name: 'a' })), undefined);
  });

  it('refuses more requests than so many in a minute', async () => {
    const { request, initialize } = create();
    await initialize();
    for (let i = 1; i < maxRequestsPerMinute; i += 1)
      assert.equal(code(await request('ping')), undefined);
    assert.equal(code(await request('ping')), -32000);
  });

  it('refuses what is asked while too much waits for an answer, and what waits already', async () => {
    const { bridge, request, initialize, sent } = create({
      openLink: () => deferred<void>().promise,
    });
    await initialize();
    for (let i = 0; i < maxAppRequests; i += 1)
      assert.deepEqual(await request('ui/open-link', { url: 'https://a.example' }), {});
    assert.equal(code(await request('ping')), -32000);
    bridge.receive({ jsonrpc: '2.0', id: 'own-2', method: 'ping' });
    assert.equal(code(sent.at(-1) ?? {}), -32600);
  });

  it('tells the app of what fails, in the words of the failure', async () => {
    const { request, initialize } = create({
      runTool: () => Promise.reject(new Error('The user denied the call.')),
    });
    await initialize();
    assert.deepEqual((await request('tools/call', { name: 'a' }))['error'], {
      code: -32000,
      message: 'The user denied the call.',
    });
  });

  it('withdraws what the app cancels, and all that is open at its end', async () => {
    const signals: AbortSignal[] = [];
    const { bridge, request, tell, initialize, sent } = create({
      openLink: (_url, signal) => {
        signals.push(signal);
        return deferred<void>().promise;
      },
    });
    await initialize();
    await request('ui/open-link', { url: 'https://a.example' });
    await request('ui/open-link', { url: 'https://b.example' });
    tell('notifications/cancelled', { requestId: 'own-2' });
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    bridge.dispose();
    assert.ok(signals[1]?.aborted);
    const before = sent.length;
    bridge.toolResult(result);
    await request('ping');
    assert.equal(sent.length, before);
  });

  it('stays at its end where that comes before its first answer', async () => {
    const { bridge, sent, request, tell } = create();
    const asked = request('ui/initialize', { appCapabilities: {} });
    bridge.dispose();
    await asked;
    tell('ui/notifications/initialized');
    await request('ping');
    assert.deepEqual(sent, []);
  });

  const modes: readonly [declared: unknown, wanted: unknown, got: string][] = [
    [undefined, 'fullscreen', 'fullscreen'],
    [['inline', 'fullscreen'], 'fullscreen', 'fullscreen'],
    [['inline'], 'fullscreen', 'inline'],
    [undefined, 'pip', 'inline'],
    [['pip'], 'pip', 'inline'],
    [undefined, 7, 'inline'],
  ];
  for (const [declared, wanted, got] of modes)
    it(`shows an app that can ${JSON.stringify(declared)} and wants ${JSON.stringify(wanted)} as ${got}`, async () => {
      const { request, initialize, asked } = create();
      await initialize(declared === undefined ? {} : { availableDisplayModes: declared });
      const answer = await request('ui/request-display-mode', { mode: wanted });
      assert.deepEqual(answer['result'], { mode: got });
      assert.deepEqual(asked, got === 'inline' ? [] : [['setDisplayMode', got]]);
    });

  it('tells an app that starts anew the same as before, and answers nothing to the old one', async () => {
    const old = deferred<CallToolResult>();
    const runTool = () => old.promise;
    const { bridge, sent, request, tell, initialize } = create({ runTool });
    await initialize();
    bridge.toolInput({ a: 1 });
    bridge.receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool' } });
    await request('ui/request-display-mode', { mode: 'fullscreen' });
    bridge.restart();
    bridge.toolResult(result);
    sent.length = 0;
    old.resolve(result);
    const answer = await request('ui/initialize', { appCapabilities: {} });
    assert.deepEqual((answer['result'] as JsonRecord)['hostContext'], {
      theme: 'dark',
      displayMode: 'inline',
    });
    tell('ui/notifications/initialized');
    assert.deepEqual(
      sent.map(({ id, method }) => method ?? (id === answer['id'] ? 'answer' : id)),
      ['answer', 'ui/notifications/tool-input', 'ui/notifications/tool-result'],
    );
  });

  it('keeps the limits of an app that starts anew', async () => {
    const { bridge, request, initialize } = create();
    await initialize();
    for (let calls = 0; calls < maxAppCallsPerMinute; calls += 1)
      await request('tools/call', { name: 'tool' });
    bridge.restart();
    await initialize();
    assert.equal(code(await request('tools/call', { name: 'tool' })), -32000);
  });

  it('stays at its end where the page of its app starts anew', async () => {
    const { bridge, sent, request } = create();
    bridge.dispose();
    bridge.restart();
    await request('ui/initialize', { appCapabilities: {} });
    assert.deepEqual(sent, []);
  });

  it('says goodbye before the end, and waits for the answer whatever it is', async () => {
    const { bridge, sent, initialize } = create();
    await initialize();
    const ended = bridge.teardown('The tab was stopped.');
    const { id, method, params } = sent.at(-1) ?? {};
    assert.equal(method, 'ui/resource-teardown');
    assert.deepEqual(params, { reason: 'The tab was stopped.' });
    bridge.receive({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } });
    await ended;
  });

  it('waits no longer than a second for an app that does not answer', async () => {
    const { bridge, initialize } = create();
    await initialize();
    const before = Date.now();
    await bridge.teardown('stopped');
    assert.ok(Date.now() - before < 5000);
  });
});
