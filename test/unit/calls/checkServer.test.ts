import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer } from '../../../cli/launch';
import { SecretMask } from '../../../src/base/secretMask';
import { type CheckedSession, maxCheckedTools } from '../../../src/calls/check/behaviorCheck';
import { type CheckOptions, checkServer } from '../../../src/calls/check/checkServer';
import { type CheckResult, checkText } from '../../../src/calls/check/checkResult';
import { rules } from '../../../src/calls/check/rules';
import { inEnglish } from '../../../src/base/translate';
import { filesOf, readTexts } from '../../../tools/docs/languages';
import { DeniedCallError } from '../../../src/calls/session';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import { defaultLimits } from '../../../src/mcp/serverConfig';
import { schemaCheck } from '../../support/schemaChecks';

const good = {
  name: 'look',
  description: 'Looks at a thing.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
};

/** The source of a server with these tools; `extra` is code that changes its behavior. */
const source = (tools: string, extra = '') => `
const list = ${tools};
const fail = (code, message) => ({ error: { code, message } });
const answers = {
  initialize: ({ protocolVersion }) => ({ result: { protocolVersion, capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} }, serverInfo: { name: 'plain', version: '1' } } }),
  'tools/list': () => ({ result: { tools: list } }),
  ping: () => ({ result: {} }),
  'prompts/list': () => ({ result: { prompts: [{ name: 'p', arguments: [{ name: 'a' }] }] } }),
  'completion/complete': () => ({ result: { completion: { values: ['b'] } } }),
  'resources/list': () => ({ result: { resources: [{ uri: 'a://b', name: 'b' }] } }),
  'resources/subscribe': () => ({ result: {} }),
  'resources/unsubscribe': () => ({ result: {} }),
  'resources/templates/list': () => ({ result: { resourceTemplates: [] } }),
  'prompts/get': () => fail(-32602, 'unknown prompt'),
  'resources/read': () => fail(-32002, 'unknown resource'),
  'tools/call': ({ name }) => name === 'now'
    ? { result: { content: [], structuredContent: { at: 'noon' } } }
    : fail(-32602, 'unknown tool'),
};
let other = (method) => fail(-32601, 'no ' + method);
let notified = () => {};
let answered = () => {};
let slow = 0;
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
${extra}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined) return answered();
  if (id === undefined) return notified(method);
  setTimeout(() => send({ id, ...(answers[method]?.(params ?? {}) ?? other(method)) }), slow);
});
`;
const tools = (...all: object[]) => JSON.stringify(all);
const now = {
  name: 'now',
  description: 'Tells the time.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
};
const timeouts = { quietMs: 50, answersMs: 5000, endMs: 30_000 };

/** What is not as usual in a check. */
interface Changed extends Partial<CheckOptions> {
  readonly call?: CheckedSession['call'];
  readonly traffic?: TrafficRecorder;
}

describe('a check of a server', function () {
  this.timeout(60_000);
  let folder = '';
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-check-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  let files = 0;
  async function check(
    text: string,
    { call, traffic = new TrafficRecorder((one) => one), ...options }: Changed = {},
  ): Promise<readonly CheckResult[]> {
    const file = join(folder, `server${(files += 1)}.js`);
    await writeFile(file, text);
    const config = { type: 'stdio', command: process.execPath, args: [file], env: {} } as const;
    const { signal } = new AbortController();
    const launch = { name: 'plain', config, limits: defaultLimits };
    const { endMs } = options.timeouts ?? timeouts;
    const watch = { traffic, afterEndMs: endMs };
    const session = await openServer(launch, {
      verbose: false,
      secrets: new SecretMask(),
      signal,
      watch,
    });
    try {
      return await checkServer(
        { ...session, traffic, ...(call && { call }) },
        {
          schemas: schemaCheck(),
          signal,
          timeouts: timeouts,
          allowCalls: async () => true,
          ...options,
        },
      );
    } finally {
      await session.end();
    }
  }

  it('finds nothing in one that does what it should', async () => {
    const results = await check(source(tools(good, now)));
    assert.deepEqual(
      results.filter(({ outcome }) => outcome !== 'passed'),
      [],
    );
    assert.deepEqual(results.map(({ id }) => id).toSorted(), Object.keys(rules).toSorted());
  });

  const named = (name: string) => ({ ...good, name });
  const changed = (fields: object) => tools({ ...good, ...fields });
  const broken: readonly [id: string, text: string, outcome: string, seen: RegExp][] = [
    ['lists', source(tools(good, { name: 'x' })), 'failed', /"x" was left out/],
    ['unique', source(tools(good, good)), 'failed', /second "look"/],
    ['names', source(tools(good, named('a b'))), 'advice', /"a b"/],
    ['descriptions', source(changed({ description: '' })), 'advice', /"look" has none/],
    ['schemas', source(changed({ inputSchema: { type: 'array' } })), 'failed', /not "object"/],
    [
      'schemas',
      source(changed({ inputSchema: { type: 'object', properties: { a: { type: 'text' } } } })),
      'failed',
      /input schema of "look"/,
    ],
    ['hidden', source(changed({ description: 'Looks\u200B.' })), 'failed', /⟨U\+200B⟩/],
    ['size', source(changed({ description: 'a'.repeat(50_000) })), 'advice', /about 12/],
    [
      'cursors',
      source(
        tools(good),
        "answers['tools/list'] = () => ({ result: { tools: list, nextCursor: 'a' } });",
      ),
      'failed',
      /repeats itself/,
    ],
    [
      'stable',
      source(
        tools(good),
        "let n = 0; answers['tools/list'] = () => ({ result: { tools: [{ ...list[0], title: String(n++) }] } });",
      ),
      'failed',
      /list of tools/,
    ],
    [
      'unknownTool',
      source(tools(good), "answers['tools/call'] = () => ({ result: { content: [] } });"),
      'failed',
      /no error/,
    ],
    [
      'unknownPrompt',
      source(tools(good), "answers['prompts/get'] = () => fail(-1, 'no');"),
      'advice',
      /error -1/,
    ],
    [
      'unknownResource',
      source(tools(good), "answers['resources/read'] = () => ({ result: { contents: [] } });"),
      'failed',
      /a result/,
    ],
    ['stdout', source(tools(good), "console.log('ready');"), 'failed', /ready/],
    ['exit', source(tools(good), 'setInterval(() => {}, 1000);'), 'failed', /2 seconds later/],
    [
      'declared',
      source(tools(good), "delete answers['prompts/list'];"),
      'failed',
      /^prompts\/list/,
    ],
    [
      'declared',
      source(tools(good), "delete answers['resources/templates/list'];"),
      'advice',
      /templates/,
    ],
    [
      'templates',
      source(
        tools(good),
        "answers['resources/templates/list'] = () => ({ result: { resourceTemplates: [{ name: 'a', uriTemplate: 'a://{b' }] } });",
      ),
      'failed',
      /"a:\/\/\{b"/,
    ],
    ['ping', source(tools(good), "answers.ping = () => fail(-1, 'no');"), 'failed', /error -1/],
    [
      'subscribe',
      source(tools(good), "delete answers['resources/subscribe'];"),
      'failed',
      /error -32601/,
    ],
    [
      'completions',
      source(
        tools(good),
        "answers['completion/complete'] = () => ({ result: { completion: { values: [1] } } });",
      ),
      'failed',
      /list of texts/,
    ],
    [
      'content',
      source(
        tools(now),
        "answers['tools/call'] = ({ name }) => name === 'now' ? { result: { structuredContent: { at: 'noon' } } } : fail(-32602, 'no');",
      ),
      'failed',
      /"now" answered without/,
    ],
    [
      'structured',
      source(
        tools(now),
        "answers['tools/call'] = ({ name }) => name === 'now' ? { result: { content: [], structuredContent: { at: 1 } } } : fail(-32602, 'no');",
      ),
      'failed',
      /"now": /,
    ],
    ['unknownMethod', source(tools(good), 'other = () => ({ result: {} });'), 'failed', /a result/],
    [
      'unknownMethod',
      source(tools(good), "other = () => fail(-32000, 'no');"),
      'advice',
      /error -32000/,
    ],
    [
      'notification',
      source(tools(good), "notified = () => send({ id: null, ...fail(-32601, 'no') });"),
      'failed',
      /-32601/,
    ],
    [
      'cancel',
      source(
        tools(good),
        "notified = (method) => { if (method === 'notifications/cancelled') process.exit(1); };",
      ),
      'failed',
      /next request failed/,
    ],
  ];
  for (const [id, text, outcome, seen] of broken)
    it(`finds what breaks the rule "${id}": ${seen.source}`, async () => {
      // Only where the server does not end by itself is its end not waited for.
      const short = id === 'exit' ? { timeouts: { ...timeouts, endMs: 2000 } } : {};
      const results = await check(text, short);
      const found = results.find((result) => result.id === id);
      assert.equal(found?.outcome, outcome);
      assert.match(found?.seen.join(' ') ?? '', seen);
    });

  const unseen: readonly [what: string, answer: string][] = [
    ['is cut', "{ content: [{ type: 'text', text: 'a'.repeat(1_100_000) }] }"],
    ['is a task', "{ content: [], task: { taskId: 'a' } }"],
    ['is an error', 'undefined'],
  ];
  for (const [what, answer] of unseen)
    it(`says nothing of the results of tools where each ${what}`, async () => {
      const answers = `answers['tools/call'] = ({ name }) => name === 'now' && ${answer} ? { result: ${answer} } : fail(-32602, 'no');`;
      const results = await check(source(tools(good, now), answers));
      for (const id of ['content', 'structured']) {
        const found = results.find((result) => result.id === id);
        assert.equal(found?.outcome, 'untried', found?.seen.join(' '));
        assert.match(found?.seen.join(' ') ?? '', /could be looked at/);
      }
    });

  const readings: readonly [what: string, answer: string, outcome: string, seen: RegExp][] = [
    ['fails at first', 'n === 2', 'passed', /^$/],
    ['fails now and then', 'n % 2 === 1', 'passed', /^$/],
    ['fails from the second on', 'n > 2', 'untried', /Not read twice: tools\./],
    ['is another each time', 'another(n) && false', 'failed', /at 3 of 3/],
    ['is another and fails', 'another(n) && n === 4', 'failed', /at 2 of 2/],
  ];
  for (const [what, fails, outcome, seen] of readings)
    it(`compares what was read of a list that ${what}`, async () => {
      // The first time is the start of the server.
      const answer = `let n = 0; const another = (at) => list.splice(0, 1, { ...list[0], title: String(at) });
        answers['tools/list'] = () => { n += 1; return ${fails} ? fail(-32603, 'no') : { result: { tools: list } }; };`;
      const found = (await check(source(tools(good), answer))).find(({ id }) => id === 'stable');
      assert.equal(found?.outcome, outcome, found?.seen.join(' '));
      assert.match(found?.seen.join(' ') ?? '', seen);
    });

  it('listens to no traffic once its time for answers is up', async () => {
    const traffic = new TrafficRecorder((one) => one);
    const { onDidChange } = traffic;
    let listeners = 0;
    const counted: typeof onDidChange = (listener) => {
      const listening = onDidChange(listener);
      listeners += 1;
      return { dispose: () => ((listeners -= 1), listening.dispose()) };
    };
    Object.defineProperty(traffic, 'onDidChange', { value: counted });
    // The recorder finds no answer by an id that is this long.
    const asks = "send({ id: 'r'.repeat(300), method: 'roots/list' });";
    const notified = `notified = (method) => { if (method === 'notifications/initialized') ${asks} };`;
    const short = { ...timeouts, answersMs: 100 };
    await check(source(tools(good), notified), { traffic, timeouts: short });
    assert.equal(listeners, 0);
  });

  it('withdraws no call that was not sent, whatever else came meanwhile', async () => {
    const traffic = new TrafficRecorder((one) => one);
    let withdrawn = false;
    const call: CheckedSession['call'] = async (_name, _args, { signal }) => {
      traffic.noteStderr('a line');
      withdrawn ||= signal.aborted;
      throw new Error('no');
    };
    const results = await check(source(tools(good)), { call, traffic });
    assert.equal(results.find(({ id }) => id === 'cancel')?.outcome, 'untried');
    assert.ok(!withdrawn);
  });

  it('takes what the user or an administrator forbids for no fault of the server', async () => {
    const call = () => Promise.reject(new DeniedCallError('No.'));
    const results = await check(source(tools(good, now)), { call });
    const found = results.filter(({ outcome }) => outcome !== 'passed');
    assert.deepEqual(
      found.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(),
      ['cancel', 'content', 'structured', 'unknownTool'].map((id) => `${id} untried`),
    );
  });

  for (const [what, extra] of [
    ['repeats itself', "'a'"],
    ['is new on each page', 'String((pages += 1))'],
  ])
    it(`has one finding where the cursor of a list has no end: it ${what}`, async function () {
      this.timeout(180_000);
      const endless = `let pages = 0; answers['tools/list'] = () => ({ result: { tools: list, nextCursor: ${extra} } });`;
      const results = await check(source(tools(good, now), endless));
      const found = results.filter(({ outcome }) => outcome === 'failed');
      assert.deepEqual(
        found.map(({ id }) => id),
        ['cursors'],
      );
    });

  const speeds: readonly [what: string, extra: string][] = [
    ['is fast', ''],
    ['is slow', 'slow = 60;'],
    ['answers at different speeds', 'setInterval(() => (slow = (slow + 7) % 40), 5).unref();'],
    ['changes a list once', 'setTimeout(() => list.splice(1, 1), 150).unref();'],
    [
      'waits for an answer to what it asks some time after its start',
      "setTimeout(() => send({ id: 'r', method: 'roots/list' }), 350); const waits = setInterval(() => {}, 1000); answered = () => clearInterval(waits);",
    ],
    [
      'ends some time after its input',
      "process.stdin.on('end', () => setTimeout(() => process.exit(), 700));",
    ],
  ];
  for (const [what, extra] of speeds)
    it(`finds the same ten times in a row in one that ${what}`, async function () {
      this.timeout(120_000);
      const text = source(tools(good, now), extra);
      const steady = { quietMs: 700, answersMs: 10_000, endMs: 20_000 };
      const runs = await Promise.all(
        Array.from({ length: 10 }, () => check(text, { timeouts: steady })),
      );
      for (const results of runs)
        assert.deepEqual(
          results.filter(({ outcome }) => outcome === 'failed' || outcome === 'advice'),
          [],
        );
    });

  it('calls none of its tools that nobody allowed, whatever they say of themselves', async () => {
    const log = join(folder, 'called');
    const calls = `answers['tools/call'] = ({ name }) => {
      require('node:fs').appendFileSync(${JSON.stringify(log)}, name + '\\n');
      return fail(-32602, 'unknown tool');
    };`;
    const claims = { ...good.annotations, idempotentHint: true, destructiveHint: false };
    const old = 'mcp-workbench-no-such-name';
    let asked: readonly string[] = [];
    const allowCalls: CheckOptions['allowCalls'] = async (those) => {
      asked = those.map(({ name }) => name);
      return false;
    };
    const withNow = source(
      tools(good, { ...named('sure'), annotations: claims }, named(old), now),
      calls,
    );
    const results = await check(withNow, { allowCalls });
    assert.deepEqual(asked, ['now']);
    assert.equal(results.find(({ id }) => id === 'content')?.outcome, 'untried');
    const called = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
    assert.ok(called.length > 0);
    for (const name of called) assert.ok(!['look', 'sure', 'now', old].includes(name), name);
  });

  it('asks for ten tools at most', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...now, name: `now${index}` }));
    let asked = 0;
    const allowCalls: CheckOptions['allowCalls'] = async ({ length }) => {
      asked = length;
      return false;
    };
    await check(source(tools(...many)), { allowCalls });
    assert.equal(asked, maxCheckedTools);
  });

  it('is a document that says why and how to mend it', async () => {
    const text = checkText('plain', await check(source(tools(good, good))), inEnglish);
    assert.match(text, /^# Check of plain\n\n\d+ passed, 1 failed, 2 not tried\.\n/);
    assert.match(text, /### ✗ No two tools.*\*\*Why:\*\*.*\*\*How to fix it:\*\* Rename one/s);
  });

  it('is worded in the language of the editor, all but what a server wrote and what a program is told', async () => {
    const texts = readTexts(filesOf('zh-cn').code);
    const t = (text: string, ...args: string[]) =>
      inEnglish(texts[text] ?? `UNTRANSLATED ${text}`, ...args);
    const odd = { ...good, name: 'a b', description: '', inputSchema: { type: 'array' } };
    const extra = `answers.ping = () => fail(-1, 'no'); answers['tools/call'] = () => ({ result: {} });
      answers['completion/complete'] = () => ({ result: {} });`;
    const results = await check(source(tools(good, good, odd, now), extra), { t });
    // What a session notes is worded by whoever started it.
    const own = results.filter(({ id }) => id !== 'handshake');
    const text = checkText('plain', own, t);
    assert.match(text, /^# plain 的检查\n\n\d+ 项通过、\d+ 项失败、/);
    assert.match(text, /### ✗ 没有两个工具、提示词或模板同名。/);
    assert.match(text, /“now”的应答没有/);
    assert.doesNotMatch(text, /UNTRANSLATED/);
    // Three words of English in a row are a sentence that nobody translated.
    const lines = text.split('\n').filter((line) => !/^\[|^- ✓/.test(line));
    assert.deepEqual(
      lines.filter((line) => /[a-z]{2,} [a-z]{2,} [a-z]{2,}/.test(line)),
      [],
    );
  });
});
