import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import type { JsonRecord } from '../../../src/base/json';
import { exchangesOf, RequestMatcher } from '../../../src/calls/recording/exchanges';
import {
  maskedMessage,
  maxRecordedMessages,
  maxRecordingLength,
  maxRecordingRules,
  parseRecording,
  type RecordedMessage,
  type Recording,
  recordingText,
} from '../../../src/calls/recording/recording';
import { Replay, type ReplayChannel } from '../../../src/calls/recording/replayRecording';
import {
  maxServedAtOnce,
  maxServedDelayMs,
  RecordedServer,
} from '../../../src/calls/recording/serveRecording';
import { useFakeClock } from '../../support/fakes/fakeClock';
import { built, repositoryRoot } from '../../support/paths';
import { createCensus } from '../../support/processes/processCensus';
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
    ['too long', ' '.repeat(maxRecordingLength + 1), /50000000 characters at most/],
  ] as const)
    it(`is refused with a sentence: ${what}`, () =>
      assert.throws(() => parseRecording(text), { name: 'UserError', message: told }));

  it('has no secrets, but the schemas and counts of what is called like one', () => {
    const mask = (text: string) => text.replaceAll('known-secret', '‹redacted›');
    const message = {
      params: { apiKey: 'abc', pin: 1234, note: 'it is known-secret', _meta: { progressToken: 7 } },
      result: { maxTokens: 5, properties: { password: { type: 'string' } }, text: 'token=abc' },
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
        properties: { password: { type: 'string' } },
        text: 'token=‹redacted›',
      },
    });
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

  it('groups what the server sent by the request that it is about', () =>
    assert.deepEqual(
      exchangesOf(recordingOf(adds)).map(({ events }) => events.length),
      [1, 1, 1],
    ));
});

describe('the commands about recordings', function () {
  this.timeout(120_000);
  const census = createCensus();
  const command = built('command', 'mcp-workbench.js');
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
