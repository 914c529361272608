import assert from 'node:assert/strict';
import { once } from 'node:events';
import { open, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchSecrets, startOf } from '../../../cli/recordings';
import type { JsonRecord } from '../../../src/base/json';
import { redacted } from '../../../src/base/secrets';
import { exchangesOf, RequestMatcher } from '../../../src/calls/recording/exchanges';
import {
  maskedMessage,
  maxCommentedLength,
  maxRecordedLine,
  maxRecordedMessages,
  maxRecordedMs,
  maxRecordingLength,
  maxRecordingParts,
  maxRecordingRules,
  parseRecording,
  recordedMessage,
  type RecordedMessage,
  type Recording,
  recordingText,
} from '../../../src/calls/recording/recording';
import {
  maxReplayedMs,
  Replay,
  type ReplayChannel,
} from '../../../src/calls/recording/replayRecording';
import {
  maxServedAtOnce,
  maxServedDelayMs,
  RecordedServer,
} from '../../../src/calls/recording/serveRecording';
import { settled, useFakeClock } from '../../support/fakes/fakeClock';
import { built, repositoryRoot } from '../../support/paths';
import { createCensus } from '../../support/processes/processCensus';
import { thisSystem } from '../../../src/mcp/node/system';
import { poll } from '../../support/poll';
import { execute } from '../../support/run/execute';

const client = (at: number, message: object): RecordedMessage => ({
  at,
  from: 'client',
  message: { jsonrpc: '2.0', ...message },
});
const server = (at: number, message: object): RecordedMessage => ({
  ...client(at, message),
  from: 'server',
});
const call = (name: string, args: object) => ({
  method: 'tools/call',
  params: { name, arguments: args },
});
const recordingOf = (messages: readonly RecordedMessage[], rules: readonly object[] = []) =>
  parseRecording(JSON.stringify({ recording: 1, server: 'a', rules, messages }));

const adds = [
  client(0, { id: 1, ...call('add', { a: 1, b: 2 }) }),
  server(5, { id: 1, result: { sum: 3 } }),
  client(10, { id: 2, ...call('add', { a: 1, b: 2 }) }),
  server(11, { id: 2, result: { sum: 33 } }),
  client(12, { id: 3, ...call('now', { at: 'x', zone: 'utc' }) }),
  server(13, { id: 3, error: { code: -5, message: 'late' } }),
];

describe('a recording', () => {
  it('is read as it was written, one message a line', () => {
    const recording = recordingOf(adds, [{ method: 'tools/call', name: 'now', ignore: ['a.*'] }]);
    const text = recordingText(recording);
    assert.deepEqual(parseRecording(text), recording);
    assert.equal(text.split('\n').filter((line) => line.includes('"at":')).length, adds.length);
  });

  it('may have comments', () =>
    assert.equal(
      parseRecording('{ "recording": 1, // mine\n "messages": [], }').messages.length,
      0,
    ));

  it('may be long without them', () =>
    assert.deepEqual(
      parseRecording(`{"recording":1,"messages":[]${' '.repeat(maxCommentedLength)}}`).messages,
      [],
    ));

  for (const [what, text, told] of [
    ['empty', '', /empty|not/],
    ['no JSON', '{', /not valid JSON/],
    ['another file', '{}', /"recording" must be 1/],
    ['no messages', '{"recording":1}', /"messages" must be a list/],
    ['a message of nobody', '{"recording":1,"messages":[{"at":1}]}', /^Message 1: "from"/],
    [
      'a message of no time',
      '{"recording":1,"messages":[{"from":"client","at":-1}]}',
      /Message 1: "at"/,
    ],
    [
      'no message in it',
      '{"recording":1,"messages":[{"from":"client","at":1}]}',
      /must be an object/,
    ],
    ['a rule that is none', '{"recording":1,"messages":[],"rules":[1]}', /^Rule 1/],
    [
      'a rule with another field',
      '{"recording":1,"messages":[],"rules":[{"x":1}]}',
      /^Rule 1: x is not known/,
    ],
    [
      'paths that are none',
      '{"recording":1,"messages":[],"rules":[{"ignore":[1]}]}',
      /lists of paths/,
    ],
    [
      'nested without end',
      `{"recording":1,"messages":${'['.repeat(200_000)}`,
      /nested too deep|not valid/,
    ],
    [
      'a message nested too deep',
      `{"recording":1,"messages":[{"at":1,"from":"client","message":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}]}`,
      /nested too deep/,
    ],
    [
      'too many messages',
      JSON.stringify({ recording: 1, messages: Array.from({ length: maxRecordedMessages + 1 }) }),
      /100000 messages at most/,
    ],
    [
      'too many rules',
      JSON.stringify({
        recording: 1,
        messages: [],
        rules: Array.from({ length: maxRecordingRules + 1 }),
      }),
      /1000 rules at most/,
    ],
    [
      'rules of too many paths',
      JSON.stringify({
        recording: 1,
        messages: [],
        rules: [
          { ignore: ['a'], ignoreInAnswer: Array.from({ length: maxRecordingRules }, () => 'a') },
        ],
      }),
      /1000 paths at most/,
    ],
    [
      'a rule of too many paths',
      JSON.stringify({
        recording: 1,
        messages: [],
        rules: [{ ignore: Array.from({ length: maxRecordingRules + 1 }, () => 'a') }],
      }),
      /1000 paths at most/,
    ],
    [
      'long and with comments',
      `{"recording":1,"messages":[${'0,'.repeat(maxCommentedLength / 2)}]}`,
      /more than 5000000 characters must be JSON without comments: .+/,
    ],
    [
      'of too many values',
      `{"recording":1,"messages":[${'0,'.repeat(maxRecordingParts)}0]}`,
      /10000000 names and values at most/,
    ],
    ['too long', ' '.repeat(maxRecordingLength + 1), /50000000 characters at most/],
  ] as const)
    it(`is refused with a sentence: ${what}`, () =>
      assert.throws(() => parseRecording(text), { name: 'UserError', message: told }));

  it('has no secrets, but the schemas and counts of what is called like one', () => {
    const mask = (text: string) => text.replaceAll('known-secret', '‹redacted›');
    const message = {
      params: { apiKey: 'abc', pin: 1234, note: 'it is known-secret', _meta: { progressToken: 7 } },
      result: {
        maxTokens: 5,
        inputSchema: {
          properties: { password: { type: 'string' } },
          dependentRequired: { password: ['user'] },
        },
        text: 'token=abc',
      },
    };
    assert.deepEqual(maskedMessage(message, mask), {
      params: {
        apiKey: '‹redacted›',
        pin: '‹redacted›',
        note: 'it is ‹redacted›',
        _meta: { progressToken: 7 },
      },
      result: {
        maxTokens: 5,
        inputSchema: {
          properties: { password: { type: 'string' } },
          dependentRequired: { password: ['user'] },
        },
        text: 'token=‹redacted›',
      },
    });
  });

  it('has other ids for those that have a secret, and each answer with its request', () => {
    const mask = (text: string) => text.replaceAll('1000', '‹redacted›');
    const form = `ghp_${'a1'.repeat(18)}`;
    const ids = new Map<unknown, string>();
    const recorded = (message: JsonRecord) =>
      recordedMessage('client', 0, message, mask, ids)?.message['id'];
    const asked = [1, 1000, '1000', 'of-1000', form, '{"token":"x"}'].map((id) => [
      recorded({ id, method: 'a' }),
      recorded({ id, result: {} }),
    ]);
    assert.deepEqual(asked, [
      [1, 1],
      ...[1, 2, 3, 4, 5].map((place) => [`‹redacted› ${place}`, `‹redacted› ${place}`]),
    ]);
    assert.equal(recorded({ method: 'a' }), undefined);
  });

  const asIs = (text: string) => text;
  const spaced = '{ "a": 12345678901234567890 }';
  const nested = (levels: number): string =>
    levels === 0 ? '{}' : JSON.stringify([nested(levels - 1)]);
  for (const [what, value, masked] of [
    ['an object below a secret name', { credentials: { user: 'ada', key: 1 } }, '‹redacted›'],
    ['a list below a secret name', { tokens: ['a', { b: 'c' }] }, '‹redacted›'],
    ['a password in a list', { run: ['mysql', '-pabc'] }, ['mysql', '-p‹redacted›']],
    [
      'a password in arguments',
      { in: { command: 'mysql', args: ['-pabc'] } },
      { command: 'mysql', args: ['-p‹redacted›'] },
    ],
    ['nothing of an empty object', { 'a.b/client-credentials': {} }, {}],
    ['JSON in a text', { text: '{"password":"abc","a":[1]}' }, '{"password":"‹redacted›","a":[1]}'],
    [
      'JSON in a text of JSON',
      { text: JSON.stringify([JSON.stringify({ auth: { a: 1 } })]) },
      JSON.stringify([JSON.stringify({ auth: '‹redacted›' })]),
    ],
    ['nothing of JSON without a secret', { text: spaced }, spaced],
    ['a text that is nested too deep', { text: '['.repeat(5000) + ']'.repeat(5000) }, '‹redacted›'],
    ['a text in too many texts', { text: nested(9) }, '["[\\"[\\\\\\"‹redacted›\\\\\\"]\\"]"]'],
    [
      'the parameter of a URL',
      { text: 'at https://a.example/?api_key=abc&b=1' },
      'at https://a.example/?api_key=‹redacted›&b=1',
    ],
  ] as const)
    it(`masks ${what}`, () => {
      const copy = maskedMessage({ result: value }, asIs) as { result: JsonRecord };
      assert.deepEqual(Object.values(copy.result), [masked]);
    });

  it('can be read again, however long the session was', () => {
    const message = { method: 'a' };
    const messages = [-1, 0.6, maxRecordedMs + 1].map((ms) =>
      recordedMessage('client', ms, message, asIs, new Map()),
    );
    const text = JSON.stringify({ recording: 1, messages });
    assert.deepEqual(
      parseRecording(text).messages.map(({ at }) => at),
      [0, 1, maxRecordedMs],
    );
  });
});

describe('a request', () => {
  const find = (
    request: ReturnType<typeof call> | { method: string; params: JsonRecord },
    rules: readonly object[] = [],
    times = 1,
  ) => {
    const matcher = new RequestMatcher(recordingOf(adds, rules));
    let found = matcher.find(request.method, request.params);
    for (let count = 1; count < times; count += 1)
      found = matcher.find(request.method, request.params);
    return 'missing' in found
      ? found.missing
      : (found.answer?.['result'] ?? found.answer?.['error']);
  };
  const ignoreAt = { method: 'tools/call', name: 'now', ignore: ['arguments.at'] };
  for (const [what, request, rules, times, found] of [
    ['the recorded one', call('add', { b: 2, a: 1 }), [], 1, { sum: 3 }],
    ['the next one the second time', call('add', { a: 1, b: 2 }), [], 2, { sum: 33 }],
    ['the last one from then on', call('add', { a: 1, b: 2 }), [], 5, { sum: 33 }],
    [
      'one with another value that is ignored',
      call('now', { at: 'y', zone: 'utc' }),
      [ignoreAt],
      1,
      { code: -5, message: 'late' },
    ],
    ['any of its name in order', call('add', { a: 9 }), [{ inOrder: true }], 2, { sum: 33 }],
    [
      'none, and hears the difference',
      call('add', { a: 1, b: 5 }),
      [],
      1,
      'Not in the recording: tools/call add. The nearest recorded request is tools/call add, which differs in arguments.b: recorded 2, asked 5.',
    ],
    [
      'none of another name',
      call('sub', { a: 1, b: 2 }),
      [],
      1,
      'Not in the recording: tools/call sub. The nearest recorded request is tools/call add, which differs in name: recorded "add", asked "sub".',
    ],
    [
      'none of its method',
      { method: 'prompts/get', params: {} },
      [],
      1,
      'Not in the recording: prompts/get. Recorded are: tools/call.',
    ],
  ] as const)
    it(`finds ${what}`, () => assert.deepEqual(find(request, rules, times), found));

  it('with a secret finds the one whose secret was masked', () => {
    const masked = [
      client(0, { id: 1, ...call('in', { key: '‹redacted›' }) }),
      server(1, { id: 1, result: {} }),
    ];
    const found = new RequestMatcher(recordingOf(masked)).find(
      'tools/call',
      call('in', { key: 'x' }).params,
    );
    assert.ok(!('missing' in found));
  });
});

describe('many requests without an answer', () => {
  it('take no time to speak of to be told from each other', () => {
    const each = Array.from({ length: maxRecordedMessages / 2 }, (_, at) => at);
    const about = (progressToken: number) => ({
      method: 'a',
      params: { _meta: { progressToken } },
    });
    const progress = (progressToken: number) => ({
      method: 'notifications/progress',
      params: { progressToken },
    });
    const messages = [
      ...each.map((id) => client(id, { id, ...about(id) })),
      ...each.map((at) => server(at, progress(at % 2 === 0 ? at : -1))),
    ];
    const { user } = process.cpuUsage();
    const found = exchangesOf({ messages });
    assert.ok(process.cpuUsage().user - user < 5_000_000);
    assert.deepEqual(
      [found[2], found.at(-1)].map((one) => one?.events.length),
      [1, each.length / 2],
    );
  });
});

describe('a server that answers from a recording', () => {
  const served = (messages: readonly RecordedMessage[], delays = false) => {
    const sent: JsonRecord[] = [];
    const one = new RecordedServer(recordingOf(messages), {
      delays,
      send: (message) => sent.push(message),
    });
    const settle = async () => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    };
    return { one, sent, settle };
  };

  it('tells of progress by the token of today, and of nothing else where none is wanted', async () => {
    const meta = { _meta: { progressToken: 'was' } };
    const messages = [
      client(0, { id: 1, method: 'tools/call', params: { name: 'a', ...meta } }),
      server(1, {
        method: 'notifications/progress',
        params: { progressToken: 'was', progress: 1 },
      }),
      server(2, { method: 'notifications/message', params: { data: 'x' } }),
      server(3, { id: 1, result: {} }),
    ];
    const { one, sent, settle } = served(messages);
    one.receive({
      jsonrpc: '2.0',
      id: 'x',
      method: 'tools/call',
      params: { name: 'a', _meta: { progressToken: 9 } },
    });
    await settle();
    assert.deepEqual(
      sent.map(({ id, method, params }) => id ?? `${String(method)} ${JSON.stringify(params)}`),
      [
        'notifications/progress {"progressToken":9,"progress":1}',
        'notifications/message {"data":"x"}',
        'x',
      ],
    );
    sent.length = 0;
    one.receive({ jsonrpc: '2.0', id: 'y', method: 'tools/call', params: { name: 'a' } });
    await settle();
    assert.deepEqual(
      sent.map(({ id, method }) => id ?? method),
      ['notifications/message', 'y'],
    );
  });

  it('asks what was asked, and answers once it is answered, or not at all where the request was cancelled', async () => {
    const messages = [
      client(0, { id: 1, method: 'tools/call', params: { name: 'a' } }),
      server(1, { id: 7, method: 'elicitation/create', params: { message: 'Name?' } }),
      client(500, { id: 7, result: { action: 'decline' } }),
      server(501, { id: 1, result: {} }),
    ];
    const { one, sent, settle } = served(messages);
    const ask = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'a' } };
    one.receive({ ...ask, id: 'x' });
    await settle();
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['elicitation/create'],
    );
    one.receive({ jsonrpc: '2.0', id: sent[0]?.['id'], result: { action: 'accept' } });
    await settle();
    assert.equal(sent.at(-1)?.['id'], 'x');
    sent.length = 0;
    one.receive({ ...ask, id: 'y' });
    await settle();
    one.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'y' } });
    await settle();
    assert.deepEqual(
      sent.map(({ id }) => id).filter((id) => id === 'y'),
      [],
    );
  });

  describe('with its delays', () => {
    const clock = useFakeClock();
    for (const [what, recorded, waited] of [
      ['as recorded', 200, 200],
      ['a minute at most', maxServedDelayMs * 5, maxServedDelayMs],
    ] as const)
      it(`waits ${what}`, async () => {
        const { one, sent, settle } = served(
          [client(0, { id: 1, method: 'tools/list' }), server(recorded, { id: 1, result: {} })],
          true,
        );
        one.receive({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
        await settle();
        await clock.tick(waited - 1);
        await settle();
        assert.equal(sent.length, 0);
        await clock.tick(1);
        await settle();
        assert.equal(sent.length, 1);
      });
  });

  it('answers so many requests at a time', async () => {
    const { one, sent, settle } = served(
      [client(0, { id: 1, method: 'tools/list' }), server(50_000, { id: 1, result: {} })],
      true,
    );
    for (let id = 0; id <= maxServedAtOnce; id += 1)
      one.receive({ jsonrpc: '2.0', id, method: 'tools/list' });
    await settle();
    assert.deepEqual(
      sent.map(({ id }) => id),
      [maxServedAtOnce],
    );
    one.dispose();
  });

  it('survives whatever it is sent', async () => {
    const { one, sent, settle } = served(adds);
    for (const hostile of [
      null,
      1,
      'x',
      [],
      [[1]],
      {},
      { id: {} },
      { method: 5 },
      { id: 1, method: '__proto__' },
      { id: 1, method: 'tools/call', params: [] },
      { method: 'notifications/cancelled', params: null },
    ])
      one.receive(hostile);
    await settle();
    assert.ok(sent.every(({ error }) => error !== undefined));
  });
});

describe('a replay', () => {
  const replay = (
    messages: readonly RecordedMessage[],
    answer: (message: JsonRecord) => object | undefined,
    rules: readonly object[] = [],
  ) => {
    const channel: ReplayChannel = {
      onMessage: () => {},
      onEnd: () => {},
      send: async (message) => {
        const answered = answer(message);
        if (answered) channel.onMessage({ jsonrpc: '2.0', id: message['id'], ...answered });
        else if (message['id'] !== undefined) channel.onEnd();
      },
    };
    return new Replay(recordingOf(messages, rules), channel).run(new AbortController().signal);
  };
  const one = adds.slice(0, 2);
  for (const [what, messages, answer, rules, outcome, told] of [
    ['as recorded', one, { result: { sum: 3 } }, [], 'passed', undefined],
    ['otherwise', one, { result: { sum: 4 } }, [], 'failed', /sum: recorded 3, got 4/],
    [
      'otherwise where that is ignored',
      one,
      { result: { sum: 4 } },
      [{ ignoreInAnswer: ['sum'] }],
      'passed',
      undefined,
    ],
    [
      'with an error',
      one,
      { error: { code: 1, message: 'x' } },
      [],
      'failed',
      /^An error came back/,
    ],
    ['by ending', one, undefined, [], 'failed', /ended before it answered/],
    [
      'though it was not recorded',
      adds.slice(0, 1),
      { result: {} },
      [],
      'skipped',
      /was not answered/,
    ],
    [
      'though a secret was masked',
      [client(0, { id: 1, ...call('in', { k: '‹redacted›' }) }), server(1, { id: 1, result: {} })],
      { result: {} },
      [],
      'skipped',
      /was masked/,
    ],
  ] as const)
    it(`${outcome} where the server answers ${what}`, async () => {
      const [result] = await replay(messages, () => answer, rules);
      assert.equal(result?.outcome, outcome);
      if (told) assert.match(result?.failures[0]?.message ?? '', told);
    });

  describe('whose server is slow, refuses or is gone', () => {
    const clock = useFakeClock();
    const request = one[0];
    const notification = client(0, { method: 'notifications/initialized' });
    const never = () => new Promise<void>(() => {});
    const replayWith = (
      messages: readonly RecordedMessage[],
      answer: (message: JsonRecord, channel: ReplayChannel) => Promise<void>,
      more: Partial<ReplayChannel> = {},
    ) => {
      const channel: ReplayChannel = {
        onMessage: () => {},
        onEnd: () => {},
        send: (message) => answer(message, channel),
        ...more,
      };
      const stop = new AbortController();
      return { stop, results: new Replay(recordingOf(messages), channel).run(stop.signal) };
    };
    assert.ok(request);

    for (const [what, messages] of [
      ['a request', one],
      ['a notification', [notification, ...one]],
    ] as const) {
      it(`ends at once where it is stopped while ${what} is being sent`, async () => {
        const { stop, results } = replayWith(messages, never);
        let ended: unknown;
        results.catch((error: unknown) => (ended = error));
        await settled();
        stop.abort(new Error('stopped'));
        await settled();
        assert.deepEqual(ended, new Error('stopped'));
      });

      it(`waits so long where ${what} is being sent`, async () => {
        const { results } = replayWith(messages, ({ id }, channel) => {
          if (messages.length > one.length && id !== undefined)
            channel.onMessage({ id, result: { sum: 3 } });
          return never();
        });
        let told: unknown;
        void results.then(([first]) => (told = first?.failures[0]?.message));
        await clock.tick(maxReplayedMs - 1);
        assert.equal(told, undefined);
        await clock.tick(1);
        assert.match(String(told), /within 60 s\.$/);
      });
    }

    it('goes on after a message that was refused, and says why', async () => {
      const { results } = replayWith([notification, ...adds], ({ id }, channel) => {
        if (id === undefined || id === 1) return Promise.reject(new Error('HTTP status 500'));
        channel.onMessage({
          id,
          result: { sum: 33 },
          error: adds[id === 3 ? 5 : 0]?.message['error'],
        });
        return Promise.resolve();
      });
      assert.deepEqual(
        (await results).map(({ outcome, failures }) => [
          outcome,
          ...failures.map(({ message }) => message),
        ]),
        [
          ['failed', 'It could not be sent: HTTP status 500'],
          ['failed', 'It could not be sent: HTTP status 500'],
          ['passed'],
          ['passed'],
        ],
      );
    });

    it('sends nothing to a server that is gone', async () => {
      const sent: unknown[] = [];
      const { results } = replayWith([...adds, notification], ({ id }, channel) => {
        sent.push(id);
        channel.onEnd();
        return Promise.resolve();
      });
      assert.deepEqual(
        (await results).map(({ failures }) => failures[0]?.message),
        [1, 2, 3].map(() => 'The server ended before it answered.'),
      );
      assert.deepEqual(sent, [1]);
    });
  });

  it('groups what the server sent by the request that it is about', () =>
    assert.deepEqual(
      exchangesOf(recordingOf(adds)).map(({ events }) => events.length),
      [1, 1, 1],
    ));
});

describe('the secrets of what is recorded', () => {
  const dir = '/workspace';
  for (const [what, args, env, secrets] of [
    ['a number, such as of tokens', ['--max-tokens', '1000'], {}, []],
    ['a short word', ['--auth', 'none', '--token=stdin'], {}, []],
    ['anything else, however short', ['--password', 'hunter2'], {}, ['hunter2']],
    ['a long word', ['--secret=correcthorse'], {}, ['correcthorse']],
    ['a variable, unless it is short', [], { A_TOKEN: 'abcd1234', B_TOKEN: 'abc' }, ['abcd1234']],
    ['a path that is there', [], { PASSWORD_STORE_DIR: dir }, []],
    ['what looks like a path', [], { A_SECRET: '/w0rkspace+x' }, ['/w0rkspace+x']],
    ['a variable of another name', [], { HOME: 'abcd1234' }, []],
  ] as const)
    it(`are ${secrets.length > 0 ? '' : 'not '}${what}`, () =>
      assert.deepEqual(
        launchSecrets(['run', ...args], env, (path) => path === dir),
        secrets,
      ));
});

describe('the commands about recordings', function () {
  this.timeout(120_000);
  const census = createCensus();
  const command = built('command', 'mcp-workbench.js');
  const inEditor = join(repositoryRoot, 'dist', 'recordedServer.js');
  const env = { ...process.env, ...census.env };
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-recording-'));
    await mkdir(join(folder, 'files'));
    await writeFile(join(folder, 'files', 'a.txt'), 'hello');
  });
  afterEach(async () => {
    assert.deepEqual(await census.commands(), []);
    await rm(folder, { recursive: true, force: true });
  });
  const run = (...args: string[]) =>
    execute(process.execPath, [command, ...args], { cwd: folder, env });
  const script = (name: string, path: string) =>
    join(repositoryRoot, 'node_modules', '@modelcontextprotocol', name, path);
  const everything = script('server-everything', 'dist/index.js');
  const files = script('server-filesystem', 'dist/index.js');
  const budget = script('server-budget-allocator', 'dist/index.js');

  for (const [name, launch, steps] of [
    [
      'server-everything',
      [everything],
      [
        { list: 'tools' },
        { list: 'resources' },
        { call: 'echo', arguments: { message: 'hi' }, expect: { text: { contains: 'hi' } } },
        { call: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 2 } },
        { prompt: 'simple-prompt' },
      ],
    ],
    [
      'server-filesystem',
      [files, 'files'],
      [
        { list: 'tools' },
        {
          call: 'read_text_file',
          arguments: { path: 'a.txt' },
          expect: { text: { contains: 'hello' } },
        },
        { call: 'read_text_file', arguments: { path: '/etc/passwd' }, expect: { isError: true } },
      ],
    ],
    [
      'server-budget-allocator',
      [budget, '--stdio'],
      [{ list: 'tools' }, { list: 'resources' }, { call: 'get-budget-data' }],
    ],
  ] as const)
    it(`record ${name}, serve it, and replay it without a difference`, async () => {
      const write = (from: readonly string[]) =>
        writeFile(
          join(folder, 'a.mcp-calls.jsonc'),
          JSON.stringify({ from: { command: process.execPath, args: [command, ...from] }, steps }),
        );
      await write(['record', '--output', 'a.jsonc', '--', process.execPath, ...launch]);
      const recorded = await run('test');
      assert.equal(recorded.code, 0, recorded.output);
      await write(['serve', 'a.jsonc', '--no-delays']);
      const served = await run('test');
      assert.equal(served.code, 0, served.output);
      // As the editor does.
      await writeFile(
        join(folder, 'a.mcp-calls.jsonc'),
        JSON.stringify({ from: { command: process.execPath, args: [inEditor, 'a.jsonc'] }, steps }),
      );
      const servedInEditor = await run('test');
      assert.equal(servedInEditor.code, 0, servedInEditor.output);
      const line = [process.execPath, ...launch].map((part) => `"${part}"`).join(' ');
      const replayed = await run('replay', 'a.jsonc', '--against', line);
      assert.equal(replayed.code, 0, replayed.output);
      assert.match(replayed.output, /^\.+\n\d+ passed/);
    });

  it('pass on every byte, and record lines that are no messages as missing', async () => {
    await writeFile(
      join(folder, 'odd.js'),
      `process.stdin.on('data', (data) => process.stdout.write('no message é\\n' + data)).on('end', () => process.exit(3));`,
    );
    const child = spawn(
      process.execPath,
      [command, 'record', '--output', 'b.jsonc', '--', process.execPath, 'odd.js'],
      { cwd: folder, env },
    );
    let [out, told] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (told += data.toString()));
    const line = '{"jsonrpc":"2.0",  "id":1,"method":"ping"}\n';
    child.stdin.write(line);
    await once(child.stdout, 'data');
    child.stdin.end();
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 3);
    assert.equal(out, `no message é\n${line}`);
    assert.match(told, /Recorded 2 messages in b\.jsonc\. 1 lines are not in it/);
    const { messages } = parseRecording(await readFile(join(folder, 'b.jsonc'), 'utf8'));
    assert.deepEqual(
      messages.map(({ from }) => from),
      ['client', 'server'],
    );
  });

  it('have what was recorded in the file before they end, as they may be killed', async () => {
    const echo = `process.stdin.pipe(process.stdout);`;
    await writeFile(join(folder, 'echo.js'), echo);
    const args = ['record', '--output', 'k.jsonc', '--', process.execPath, 'echo.js'];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder, env });
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const file = join(folder, 'k.jsonc');
    await poll('both messages in the recording', 30_000, async () => {
      const reading = readFile(file, 'utf8').then(parseRecording);
      // It may not be there yet, or be half written.
      const { messages = [] } = await reading.catch(() => ({ messages: undefined }));
      return messages.length === 2 ? true : undefined;
    });
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  it('record a last line without its end, and count what is too long', async () => {
    await writeFile(
      join(folder, 'long.js'),
      `process.stdout.write('{"id":1,"result":"' + 'x'.repeat(${maxRecordedLine}) + '"}\\n{"id":2,"result":{}}');`,
    );
    const { output } = await run(
      'record',
      '--output',
      'd.jsonc',
      '--',
      process.execPath,
      'long.js',
    );
    assert.match(output, /Recorded 1 messages in d\.jsonc\. 1 lines are not in it/);
    const { messages } = parseRecording(await readFile(join(folder, 'd.jsonc'), 'utf8'));
    assert.deepEqual(
      messages.map(({ message }) => message['id']),
      [2],
    );
  });

  it('record no secret of the arguments and variables that the server gets, whatever it looks like', async () => {
    await writeFile(
      join(folder, 'telling.js'),
      `const { argv, env } = process;
       console.log(JSON.stringify({ id: 1, result: { text: [...argv.slice(2), env.MY_TOKEN, env.PLAIN].join(' ') } }));`,
    );
    const child = spawn(
      process.execPath,
      [
        command,
        'record',
        '--output',
        'f.jsonc',
        '--',
        process.execPath,
        'telling.js',
        '--token',
        'given so',
      ],
      { cwd: folder, env: { ...env, MY_TOKEN: 'inherited so', PLAIN: 'no secret' } },
    );
    child.stdin.end();
    await once(child, 'close');
    const { messages } = parseRecording(await readFile(join(folder, 'f.jsonc'), 'utf8'));
    const text = `--token ${redacted} ${redacted} no secret`;
    assert.deepEqual(
      messages.map(({ message }) => message['result']),
      [{ text }],
    );
  });

  it('record a batch of many messages as far as a recording goes, by its length and not once for each', async () => {
    const count = 2000;
    await writeFile(
      join(folder, 'batch.js'),
      `const all = Array.from({ length: ${count} }, (_, id) => ({ id, result: { text: 'x'.repeat(50) } }));
       console.log(JSON.stringify(all));`,
    );
    const args = ['record', '--output', 'e.jsonc', '--', process.execPath, 'batch.js'];
    assert.match((await run(...args)).output, /Recorded 2000 messages in e\.jsonc\.\n/);
  });

  for (const [what, text, told] of [
    ['is no recording', '{}', /^broken\.jsonc: It is not a recording: "recording" must be 1\.\n$/],
    ['does not exist', undefined, /^ENOENT.*missing\.jsonc/],
  ] as const)
    it(`say what is wrong with a file that ${what}, also where the editor serves it`, async () => {
      const file = text === undefined ? 'missing.jsonc' : 'broken.jsonc';
      if (text !== undefined) await writeFile(join(folder, file), text);
      const { code, output } = await execute(process.execPath, [inEditor, file], { cwd: folder });
      assert.equal(code, 2);
      assert.match(output, told);
    });

  it('read no recording that is too large, and say so', async () => {
    const file = await open(join(folder, 'huge.mcp-recording.jsonc'), 'w');
    await file.truncate(3 * 2 ** 30);
    await file.close();
    const { code, output } = await run('serve', 'huge.mcp-recording.jsonc');
    assert.equal(code, 2);
    assert.equal(output, 'huge.mcp-recording.jsonc is larger than 150 MB.\n');
  });

  it('start a script of Windows by the command prompt', async function () {
    if (thisSystem() === 'win32') return this.skip();
    // Here, such a path is the name of a file.
    const file = 'C:\\bin\\npx.cmd';
    await writeFile(join(folder, file), '@echo off\r\n');
    const before = process.cwd();
    process.chdir(folder);
    try {
      assert.deepEqual(await startOf(file, ['-y', 'a b'], {}, 'win32'), {
        command: 'C:\\Windows\\System32\\cmd.exe',
        args: ['/d', '/q', '/e:on', '/v:off', '/s', '/c', `""${file}" -y "a b""`],
        windowsVerbatimArguments: true,
      });
    } finally {
      process.chdir(before);
    }
  });

  it('replay at a URL in the revision that the server chose', async () => {
    const protocolVersion = '2025-06-18';
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'a', version: '1' } };
    const asked: unknown[] = [];
    const http = createServer((request, response) => {
      let body = '';
      request.on('data', (data: Buffer) => (body += data.toString()));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method } = JSON.parse(body) as JsonRecord;
        asked.push([method, request.headers['mcp-protocol-version']]);
        if (id === undefined) return response.writeHead(202).end();
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await once(http.listen(0, '127.0.0.1'), 'listening');
    try {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
      const recording = recordingOf([
        client(0, { id: 0, method: 'initialize', params }),
        server(1, { id: 0, result }),
        client(2, { method: 'notifications/initialized' }),
        client(3, { id: 1, method: 'tools/list' }),
        server(4, { id: 1, result }),
      ]);
      await writeFile(join(folder, 'e.jsonc'), recordingText(recording));
      const { port } = http.address() as AddressInfo;
      const { code, output } = await run(
        'replay',
        'e.jsonc',
        '--against',
        `http://127.0.0.1:${port}/mcp`,
      );
      assert.equal(code, 0, output);
      assert.deepEqual(asked.slice(1), [
        ['notifications/initialized', protocolVersion],
        ['tools/list', protocolVersion],
      ]);
    } finally {
      http.closeAllConnections();
      http.close();
    }
  });

  it('end with 1 and the differences where a server answers otherwise', async () => {
    const recording: Recording = recordingOf(
      [
        client(0, {
          id: 0,
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'a', version: '1' },
          },
        }),
        server(1, { id: 0, result: {} }),
      ],
      [{ method: 'initialize', ignoreInAnswer: ['*'] }],
    );
    await writeFile(join(folder, 'c.jsonc'), recordingText({ ...recording, rules: [] }));
    const line = `"${process.execPath}" "${everything}"`;
    const { code, output } = await run('replay', 'c.jsonc', '--against', line);
    assert.equal(code, 1, output);
    assert.match(output, /failed {3}c\.jsonc:1 initialize\n {4}The answer differs in /);
    await writeFile(join(folder, 'c.jsonc'), recordingText(recording));
    assert.equal((await run('replay', 'c.jsonc', '--against', line)).code, 0);
  });

  for (const [args, told] of [
    [['record'], /belongs after "--"/],
    [['serve'], /needs one FILE/],
    [['serve', 'none.jsonc'], /ENOENT/],
    [['replay', 'none.jsonc', '--no-delays'], /replay has no option --no-delays/],
  ] as const)
    it(`say what is wrong with ${args.join(' ')}`, async () => {
      const { code, output } = await run(...args);
      assert.equal(code, 2);
      assert.match(output, told);
    });

  for (const one of ['record', 'serve', 'replay'])
    it(`explain ${one}`, async () => {
      const { code, output } = await run(one, '--help');
      assert.equal(code, 0);
      assert.match(output, new RegExp(`^Usage: mcp-workbench ${one} `));
    });
});
