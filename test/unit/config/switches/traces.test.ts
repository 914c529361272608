import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event';
import { silentLogger } from '../../../../src/base/log';
import type { AdministratorFile } from '../../../../src/config/switches/administratorRules';
import { checkedAddress, readHeaders, Traces } from '../../../../src/config/switches/traces';
import type { OtlpTracer } from '../../../../src/mcp/otlp';
import { Setting } from '../../../../src/ui/ids';
import type { Logs } from '../../../../src/ui/logs';
import type { Question, QuestionContext } from '../../../../src/ui/questions/question';
import { tracedQuestion } from '../../../../src/ui/questions/questions';
import { attributesOf, Collector } from '../../../support/fakes/collector';
import { FakeServer, FakeServers } from '../../../support/fakes/fakeServer';
import { recordingTracer } from '../../../support/fakes/recordingTracer';
import { createMemento } from '../../../support/fakes/memento';
import { createSecrets } from '../../../support/fakes/secrets';
import { otlpProblems } from '../../../support/protoJson';
import { until } from '../../../support/until';

describe('traces', () => {
  const { showWarningMessage, showInformationMessage } = vscode.window;
  const { Global } = vscode.ConfigurationTarget;
  let collector: Collector;
  let endpoint = '';
  let told: string[] = [];
  let traces: Traces | undefined;
  let file: AdministratorFile | undefined;
  let administratorChanged: Emitter<void>;
  let secrets: Map<string, string>;
  let globalState: ReturnType<typeof createMemento>;
  let informed: string[] = [];
  const hidden: string[] = [];
  const logs = {
    extension: silentLogger,
    hide: (values: Iterable<string>) => hidden.push(...values),
    mask: (text: string) => text.replaceAll('masked', '•••'),
  } as unknown as Logs;
  const set = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(key, value, Global);
  const open = (env: Readonly<Record<string, string>> = {}) => {
    administratorChanged = new Emitter();
    traces = new Traces({
      context: {
        secrets: createSecrets(secrets),
        globalState,
        extension: { packageJSON: { version: '1.2.3' } },
      } as unknown as vscode.ExtensionContext,
      logs,
      platform: { env },
      administrator: {
        get file() {
          return file;
        },
        onDidChange: administratorChanged.event,
      },
    });
    return traces;
  };
  const on = async (one: Traces) => {
    await until(() => one.tracing() !== undefined);
    const tracer = one.tracing();
    assert.ok(tracer);
    return tracer;
  };
  const begin = { name: 'a', kind: 'internal', attributes: {} } as const;

  beforeEach(async () => {
    [told, file, secrets] = [[], undefined, new Map<string, string>()];
    [globalState, informed] = [createMemento(), []];
    collector = new Collector();
    endpoint = await collector.start();
    Object.assign(vscode.window, {
      showWarningMessage: (message: string) => {
        told.push(message);
        return Promise.resolve(undefined);
      },
      showInformationMessage: (message: string) => {
        informed.push(message);
        return Promise.resolve(undefined);
      },
    });
  });
  afterEach(async () => {
    traces?.dispose();
    collector.stop();
    Object.assign(vscode.window, { showWarningMessage, showInformationMessage });
    for (const key of [Setting.tracesEnabled, Setting.tracesEndpoint, Setting.tracesContent])
      await set(key, undefined);
  });

  it('are off by default, whatever the environment and the address say', async () => {
    await set(Setting.tracesEndpoint, endpoint);
    const one = open({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await one.end();
    one.tracing()?.begin(begin).end();
    await one.end();
    assert.equal(one.tracing(), undefined);
    assert.deepEqual(collector.posts, []);
  });

  it('go to the address of the user once they want them, and end with the setting', async () => {
    const one = open();
    await set(Setting.tracesEndpoint, endpoint);
    await set(Setting.tracesEnabled, true);
    const tracer = await on(one);
    tracer.begin(begin).end();
    await one.end();
    assert.equal(collector.spans.length, 1);
    assert.deepEqual(otlpProblems('trace', collector.posts[0]?.body), []);
    assert.match(JSON.stringify(collector.posts[0]?.body), /"service\.version".{20,30}"1\.2\.3"/);
    await set(Setting.tracesEnabled, false);
    await until(() => one.tracing() === undefined);
  });

  const sources: readonly [
    what: string,
    own: boolean,
    env: (endpoint: string) => Readonly<Record<string, string>>,
    stored: boolean,
    managed: boolean,
    key: string | undefined,
  ][] = [
    ['the setting', true, () => ({}), false, false, undefined],
    ['the setting, with stored headers', true, () => ({}), true, false, 'stored'],
    [
      'the environment, with its headers',
      false,
      (address) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: address,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20env',
      }),
      false,
      false,
      'of env',
    ],
    [
      'the setting, without the headers that the environment has for another address',
      true,
      () => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://other.example',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=theirs',
      }),
      false,
      false,
      undefined,
    ],
    [
      'the file of an administrator, whatever the user wants',
      false,
      () => ({}),
      true,
      true,
      'managed',
    ],
  ];
  for (const [what, own, env, stored, managed, key] of sources)
    it(`go to the address of ${what}`, async () => {
      if (managed) file = { settings: {}, traces: { endpoint, headers: { 'x-key': 'managed' } } };
      else await set(Setting.tracesEnabled, true);
      if (own) await set(Setting.tracesEndpoint, endpoint);
      const headers = { 'x-key': 'stored' };
      if (stored) secrets.set('traces.headers', JSON.stringify({ endpoint, headers }));
      const one = open(env(endpoint));
      (await on(one)).begin(begin).end();
      await one.end();
      assert.equal(collector.posts[0]?.headers['x-key'], key);
      if (key !== undefined) assert.ok(hidden.includes(key));
    });

  it('tell the address once where a variable names it, as that can be of a repository', async () => {
    await set(Setting.tracesEnabled, true);
    const other = endpoint.replace('127.0.0.1', 'localhost');
    const counts: number[] = [];
    for (const [own, address] of [
      [endpoint, other],
      ['', endpoint],
      ['', endpoint],
      ['', other],
    ] as const) {
      await set(Setting.tracesEndpoint, own);
      const one = open({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
      await on(one);
      await one.end();
      one.dispose();
      counts.push(informed.length);
    }
    assert.deepEqual(counts, [0, 1, 1, 2]);
    assert.match(
      informed[0] ?? '',
      /^Traces go to http:\/\/127\.0\.0\.1:\d+, as OTEL_EXPORTER_OTLP_ENDPOINT says\./,
    );
  });

  it('send stored headers to no other address than the one that they were given for', async () => {
    const headers = { 'x-key': 'secret' };
    secrets.set('traces.headers', JSON.stringify({ endpoint: 'https://other.example', headers }));
    await set(Setting.tracesEndpoint, endpoint);
    await set(Setting.tracesEnabled, true);
    const one = open();
    (await on(one)).begin(begin).end();
    await one.end();
    assert.equal(collector.posts[0]?.headers['x-key'], undefined);
  });

  it('begin when an administrator turns them on while the window is open', async () => {
    const one = open();
    await one.end();
    file = { settings: {}, traces: { endpoint, headers: {} } };
    administratorChanged.fire();
    await on(one);
  });

  it('have no arguments unless the user wants them, and then neither secrets nor all of them', async () => {
    await set(Setting.tracesEndpoint, endpoint);
    await set(Setting.tracesEnabled, true);
    const one = open();
    assert.equal((await on(one)).content, undefined);
    await set(Setting.tracesContent, true);
    await until(() => one.tracing()?.content !== undefined);
    const text = one.tracing()?.content?.({
      path: '/masked/x',
      api_key: 'ghp_0123456789abcdefghij0123',
      long: 'y'.repeat(100_000),
    });
    assert.match(text ?? '', /•••/);
    assert.doesNotMatch(text ?? '', /ghp_|masked/);
    assert.ok((text?.length ?? 0) <= 1000);
    const uri = `x://u:p4ss@y/masked?token=t0ken&a=${'z'.repeat(2000)}`;
    const shown = one.tracing()?.content?.(uri) ?? '';
    assert.match(shown, /^x:\/\/u:‹redacted›@y\/•••\?token=‹redacted›&a=z+…$/);
    assert.equal(shown.length, 1000);
  });

  it('say once what failed, until they work again', async () => {
    await set(Setting.tracesEndpoint, endpoint);
    await set(Setting.tracesEnabled, true);
    const one = open();
    const tracer = await on(one);
    const attempt = async (status: number) => {
      collector.intercept = (_, response) => {
        response.writeHead(status).end();
        return true;
      };
      tracer.begin(begin).end();
      await one.end();
    };
    for (const status of [401, 403, 200, 401]) await attempt(status);
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^The collector at 127\S+ refused traces with HTTP 401\.$/);
  });

  for (const [what, key, value] of [
    ['are switched off', Setting.tracesEnabled, false],
    ['go elsewhere', Setting.tracesEndpoint, 'http://127.0.0.1:1'],
  ] as const)
    it(`say nothing more of a collector that fails once they ${what}, and have no span that ends later`, async () => {
      await set(Setting.tracesEndpoint, endpoint);
      await set(Setting.tracesEnabled, true);
      const one = open();
      const tracer = (await on(one)) as OtlpTracer;
      const late = tracer.begin(begin);
      collector.intercept = (_, response) => {
        response.writeHead(503).end();
        return true;
      };
      tracer.begin(begin).end();
      await one.end();
      assert.equal(told.length, 1);
      await set(key, value);
      await until(() => one.tracing() !== tracer);
      await tracer.flush();
      assert.equal(told.length, 1);
      collector.intercept = () => false;
      late.end();
      await tracer.flush();
      assert.deepEqual(collector.posts, []);
    });

  it('say so where the address cannot be used, and nothing else fails', async () => {
    await set(Setting.tracesEndpoint, 'http://collector.example');
    await set(Setting.tracesEnabled, true);
    const one = open();
    await until(() => told.length > 0);
    assert.match(told[0] ?? '', /^The address for traces is not an https: address/);
    assert.equal(one.tracing(), undefined);
  });

  for (const address of ['http://collector.example:4318', 'nothing', 'ftp://localhost'])
    it(`go to no address that others on the way could read: ${address}`, () =>
      assert.throws(() => checkedAddress(address), /The address for traces is not/));

  for (const address of [
    'https://me:hunter2@collector.example',
    'http://me:hunter2@collector.example',
    'http://hunter2@localhost:4318',
    'https://me:hunter2@collector.example:99999',
  ])
    it(`go to no address with a password, and do not repeat it: ${address}`, async () => {
      await set(Setting.tracesEnabled, true);
      const one = open({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
      await until(() => told.length > 0);
      assert.match(
        told[0] ?? '',
        /^The address for traces (?:contains a password|is not a URL)\.$/,
      );
      assert.equal(one.tracing(), undefined);
      assert.throws(
        () => checkedAddress(address),
        (error: Error) => !error.message.includes('hunter2'),
      );
    });

  it('have the start of each server, with how it ended', async () => {
    await set(Setting.tracesEndpoint, endpoint);
    await set(Setting.tracesEnabled, true);
    const one = open();
    await on(one);
    const server = new FakeServer({ id: 'a' });
    server.become('stopped');
    const following = one.followStarts(new FakeServers(server));
    for (const end of ['running', { kind: 'failed', message: 'no' }] as const) {
      server.become({ kind: 'starting' });
      assert.ok(one.startOf('a'));
      server.become(end);
      assert.equal(one.startOf('a'), undefined);
    }
    await one.end();
    assert.deepEqual(
      collector.spans.map((span) => [span.name, attributesOf(span)['error.type']]),
      [
        ['mcp_workbench.start', undefined],
        ['mcp_workbench.start', 'failed'],
      ],
    );
    following.dispose();
  });

  it('have each question, with how long the user took once it was shown', async () => {
    const { tracer, spans } = recordingTracer();
    const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    const info = { kind: 'call', server: { id: 'a', name: 'A' }, what: 'x', span } as const;
    const question: Question<string> = { info, ask: () => Promise.resolve('yes') };
    const answered = await tracedQuestion(tracer, question, async ({ ask }) => {
      const answer = await ask({} as QuestionContext);
      return { kind: 'answered', answer, how: 'click' };
    });
    assert.deepEqual(answered, { kind: 'answered', answer: 'yes', how: 'click' });
    await tracedQuestion(tracer, question, () =>
      Promise.resolve({ kind: 'withdrawn', reason: 'windowClosed' }),
    );
    const failed = new Error('no');
    await assert.rejects(
      tracedQuestion(tracer, question, () => Promise.reject(failed)),
      failed,
    );
    assert.deepEqual(
      spans.map(({ name, parent, ended }) => [name, parent, ended?.error]),
      [undefined, undefined, '_OTHER'].map((error) => ['mcp_workbench.question call', span, error]),
    );
    const [first, second] = spans.map(({ ended }) => ended?.attributes ?? {});
    assert.equal(first?.['mcp_workbench.outcome'], 'answered');
    assert.equal(typeof first['mcp_workbench.user_seconds'], 'number');
    assert.equal(second?.['mcp_workbench.outcome'], 'withdrawn');
    assert.equal(second['mcp_workbench.user_seconds'], undefined);
  });

  for (const [text, headers] of [
    ['', {}],
    ['a=b', { a: 'b' }],
    ['Authorization=Bearer%20x, X-Team=tools', { Authorization: 'Bearer x', 'X-Team': 'tools' }],
    ['a=b=c', { a: 'b=c' }],
    ['a', undefined],
    ['a b=c', undefined],
    ['a=%0d%0aEvil: x', undefined],
    ['a=%', undefined],
    ['a=%00', undefined],
    ['a=%E4%B8%AD', undefined],
    ['a=%C3%A9', { a: 'é' }],
  ] as const)
    it(`read headers as the environment writes them: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readHeaders(text), headers));
});
