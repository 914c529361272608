import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openServer } from '../../../cli/launch';
import { checkServer } from '../../../src/calls/check/checkServer';
import { type CheckResult, checkText } from '../../../src/calls/check/finding';
import { rules } from '../../../src/calls/check/rules';
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
  initialize: ({ protocolVersion }) => ({ result: { protocolVersion, capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: 'plain', version: '1' } } }),
  'tools/list': () => ({ result: { tools: list } }),
  'prompts/list': () => ({ result: { prompts: [] } }),
  'resources/list': () => ({ result: { resources: [] } }),
  'resources/templates/list': () => ({ result: { resourceTemplates: [] } }),
  'prompts/get': () => fail(-32602, 'unknown prompt'),
  'resources/read': () => fail(-32002, 'unknown resource'),
  'tools/call': ({ name, arguments: args }) => name === 'look'
    ? { result: { isError: !args.what, content: [{ type: 'text', text: 'what?' }] } }
    : fail(-32602, 'unknown tool'),
};
${extra}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method]?.(params ?? {}) ?? fail(-32601, 'no ' + method);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;
const tools = (...all: object[]) => JSON.stringify(all);

describe('a check of a server', function () {
  this.timeout(60_000);
  let folder = '';
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-check-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  async function check(text: string): Promise<readonly CheckResult[]> {
    const file = join(folder, 'server.js');
    await writeFile(file, text);
    const config = { type: 'stdio', command: process.execPath, args: [file], env: {} } as const;
    const { signal } = new AbortController();
    const launch = { name: 'plain', config, limits: defaultLimits };
    const session = await openServer(launch, { verbose: false, signal });
    return checkServer(session, {
      schemas: schemaCheck(),
      signal,
    });
  }

  it('finds nothing in one that does what it should', async () => {
    const results = await check(source(tools(good)));
    assert.deepEqual(
      results.filter(({ verdict }) => verdict !== 'passed'),
      [],
    );
    assert.deepEqual(results.map(({ id }) => id).toSorted(), Object.keys(rules).toSorted());
  });

  const named = (name: string) => ({ ...good, name });
  const changed = (fields: object) => tools({ ...good, ...fields });
  const broken: readonly [id: string, text: string, verdict: string, seen: RegExp][] = [
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
    ['exit', source(tools(good), 'setInterval(() => {}, 1000);'), 'failed', /two seconds later/],
  ];
  for (const [id, text, verdict, seen] of broken)
    it(`finds what breaks the rule "${id}": ${seen.source}`, async () => {
      const results = await check(text);
      const found = results.find((result) => result.id === id);
      assert.equal(found?.verdict, verdict);
      assert.match(found?.seen.join(' ') ?? '', seen);
    });

  it('calls none of its tools, whatever they say of themselves', async () => {
    const log = join(folder, 'called');
    const calls = `answers['tools/call'] = ({ name }) => {
      require('node:fs').appendFileSync(${JSON.stringify(log)}, name + '\\n');
      return fail(-32602, 'unknown tool');
    };`;
    const claims = { ...good.annotations, idempotentHint: true, destructiveHint: false };
    const old = 'mcp-workbench-no-such-name';
    const all = tools(good, { ...named('sure'), annotations: claims }, named(old));
    await check(source(all, calls));
    const called = (await readFile(log, 'utf8')).split('\n').filter(Boolean);
    assert.ok(called.length > 0);
    for (const name of called) assert.ok(!['look', 'sure', old].includes(name), name);
  });

  it('is a document that says why and how to mend it', async () => {
    const text = checkText('plain', await check(source(tools(good, good))));
    assert.match(text, /^# Check of plain\n\n15 of 16 rules hold, 1 do not/);
    assert.match(text, /### ✗ No two tools.*\*\*Why:\*\*.*\*\*Mend:\*\* Rename one/s);
  });
});
