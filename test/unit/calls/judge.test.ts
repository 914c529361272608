import assert from 'node:assert/strict';
import { type StepAnswered, compareJson, maxDifferences } from '../../../src/calls/expect/answer';
import { judge } from '../../../src/calls/expect/judge';
import type { Expectation } from '../../../src/calls/format/calls';
import {
  FillBudget,
  maxFilled,
  fillVariables,
  variablesOf,
} from '../../../src/calls/format/variables';
import { createSchemaCheck } from '../../../src/mcp/schema/jsonSchema';
import { schemaCheck, schemaThread } from '../../support/schemaChecks';

const files = new Map<string, string>();
const tools = {
  schemas: schemaCheck(),
  update: false,
  snapshots: {
    read: async (path: string) => files.get(path),
    write: async (path: string, text: string) => void files.set(path, text),
  },
};
const result = (fields: object): StepAnswered => ({
  kind: 'result',
  result: { content: [], isError: false, ...fields },
});
const text = (value: string) => result({ content: [{ type: 'text', text: value }] });
const failed = result({ isError: true, content: [{ type: 'text', text: 'disk full' }] });
const error: StepAnswered = { kind: 'error', code: -32602, message: 'Unknown tool: x' };
const lost: StepAnswered = { kind: 'error', message: 'No answer' };
const sum = { ...result({ structuredContent: { sum: 3, of: [1, 2] } }) } as Extract<
  StepAnswered,
  { kind: 'result' }
>;
const outputSchema = (type: string) => ({ properties: { sum: { type } } });
const withTool = (type: string): StepAnswered => ({
  ...sum,
  tool: { name: 'add', inputSchema: {}, outputSchema: outputSchema(type) },
});

describe('an expectation', () => {
  const cases: readonly [
    what: string,
    answer: StepAnswered,
    expect: Expectation,
    failure?: RegExp,
  ][] = [
    ['nothing, of a result', text('a'), {}],
    ['nothing, of a failure', failed, {}, /The tool failed: disk full/],
    ['a failure, of one', failed, { isError: true }],
    ['a failure, of none', text('a'), { isError: true }, /expected to fail/],
    ['a failure, of an error', error, { isError: true }],
    [
      'a failure that says so, of an error',
      error,
      { isError: true, text: { matches: '^Unknown' } },
    ],
    [
      'a failure that says something else, of an error',
      error,
      { isError: true, text: { contains: 'disk full' } },
      /does not contain "disk full"/,
    ],
    ['a failure without its schema, of an error', error, { isError: true, schema: false }],
    ['a failure, of a lost request', lost, { isError: true }, /No answer/],
    ['nothing, of an error', error, {}, /The request failed: Unknown tool: x \(-32602\)/],
    ['an error by its code', error, { error: { code: -32602, contains: 'tool' } }],
    ['another error', error, { error: { code: -32601 } }, /Another error/],
    ['an error that says more', error, { error: { contains: 'prompt' } }, /says something else/],
    ['an error, of a result', text('a'), { error: {} }, /there is a result/],
    ['a text', text('a\nb'), { text: { equals: 'a\nb', contains: 'b', matches: '^a' } }],
    ['another text', text('a'), { text: { equals: 'b' } }, /The text is another/],
    ['a part that is missing', text('a'), { text: { contains: 'b' } }, /does not contain "b"/],
    ['another pattern', text('a'), { text: { matches: '^b' } }, /does not match/],
    ['a pattern that is none', text('a'), { text: { matches: '(' } }, /^\( is not a regular/],
    ['part of structured content', sum, { json: { sum: 3 } }],
    ['part of a text that is JSON', text('{"a":1,"b":2}'), { json: { a: 1 } }],
    ['another part', sum, { json: { sum: 4 } }, /differs at sum: expected 4, got 3/],
    ['a value of a type', sum, { json: { sum: { $type: 'number' }, of: { $type: 'array' } } }],
    ['a value of another type', sum, { json: { sum: { $type: 'string' } } }, /at sum/],
    ['a longer list', sum, { json: { of: [1, 2, 3] } }, /at of/],
    ['part of the whole result', sum, { result: { structuredContent: { sum: 3 } } }],
    ['a value at a path', sum, { paths: { '$.of[1]': 2 } }],
    ['another value at a path', sum, { paths: { '$.of[1]': 1 } }, /expected 1, got 2/],
    ['a value where nothing is', sum, { paths: { '$.x': 1 } }, /nothing at \$\.x/],
    ['a value where two are', sum, { paths: { '$.of[*]': 1 } }, /more than one/],
    ['its schema', withTool('number'), { schema: true }],
    ['another schema', withTool('string'), { schema: true }, /does not match the output schema/],
    ['a schema, where there is none', sum, { schema: true }, /no output schema/],
  ];
  for (const [what, answer, expect, failure] of cases)
    it(`of ${what}`, async () => {
      const failures = await judge(answer, expect, tools);
      const messages = failures.map(({ message }) => message).join('\n');
      if (failure) assert.match(messages, failure);
      else assert.equal(messages, '');
    });

  const ofResults: readonly Expectation[] = [
    { json: 1 },
    { json: null },
    { json: false },
    { result: {} },
    { paths: { $: 1 } },
    { schema: true },
    { snapshot: 'a.json' },
  ];
  for (const more of ofResults)
    it(`of a failure is not met by an error where it has ${JSON.stringify(more)}`, async () => {
      const failures = await judge(error, { isError: true, ...more }, tools);
      const messages = failures.map(({ message }) => message);
      assert.deepEqual(messages, ['The request failed: Unknown tool: x (-32602)']);
    });

  it('of a path that is none says so', async () => {
    await assert.rejects(judge(sum, { paths: { 'sum[': 1 } }, tools), /is not a JSON path/);
  });

  it('says of a pattern that was not checked no more than that', async () => {
    const schemas = createSchemaCheck(async () => ({ kind: 'unchecked', reason: 'unavailable' }));
    const expect = { text: { matches: '^a' }, json: { content: [{ text: { $matches: '^a' } }] } };
    const failures = await judge(text('a'), expect, { ...tools, schemas });
    const told = 'The pattern ^a was not checked: the checker could not be started.';
    assert.deepEqual(failures, [{ message: told }, { message: told }]);
  });

  it('runs no more patterns once fifty were not checked', async () => {
    let runs = 0;
    const schemas = createSchemaCheck(async () => {
      runs += 1;
      return { kind: 'unchecked', reason: 'time' };
    });
    const patterns = Array.from({ length: 200 }, (_, index) => ({ $matches: `^${index}` }));
    const answer = result({ structuredContent: { of: patterns.map(() => 'a') } });
    const failures = await judge(answer, { json: { of: patterns } }, { ...tools, schemas });
    assert.deepEqual([failures.length, runs], [maxDifferences, maxDifferences]);
  });

  const slow = '^(a+)+$';
  const endless = `${'a'.repeat(60)}!`;
  const structured = result({ structuredContent: { list: [{ t: endless }] } });
  const patterns: readonly [where: string, answer: StepAnswered, expect: Expectation][] = [
    ['of a text', text(endless), { text: { matches: slow } }],
    ['in a value', structured, { json: { list: [{ t: { $matches: slow } }] } }],
    ['in a result', text(endless), { result: { content: [{ text: { $matches: slow } }] } }],
    ['at a path', structured, { paths: { '$.list[0].t': { $matches: slow } } }],
    ['of a search in a path', structured, { paths: { [`$.list[?search(@.t,'${slow}')]`]: 1 } }],
    ['of a match in a path', structured, { paths: { [`$.list[?match(@.t,'${slow}')]`]: 1 } }],
    [
      'from the answer',
      result({ structuredContent: { t: endless, p: slow } }),
      { paths: { '$[?search(@, $.p)]': 1 } },
    ],
    ['in a snapshot', text(endless), { snapshot: 'slow.json' }],
  ];
  for (const [where, answer, expect] of patterns)
    it(`holds nothing up by a pattern ${where} that never ends`, async function () {
      this.timeout(30_000);
      files.set('slow.json', JSON.stringify({ content: [{ text: { $matches: slow } }] }));
      const thread = schemaThread({ ms: 200, megabytes: 64 });
      const schemas = createSchemaCheck(thread.run);
      let turns = 0;
      const turning = setInterval(() => (turns += 1), 10);
      try {
        const messages = await judge(answer, expect, { ...tools, schemas }).then(
          (failures) => failures.map(({ message }) => message),
          ({ message }: Error) => [message],
        );
        assert.match(messages.join(), /was not (?:checked|looked up): the check took too long\./);
        assert.ok(turns > 5, 'The thread of the caller is free meanwhile.');
      } finally {
        clearInterval(turning);
        thread.dispose();
        files.delete('slow.json');
      }
    });

  it('looks up no path, and runs no pattern, once it is stopped', async () => {
    const stop = new AbortController();
    let runs = 0;
    const schemas = createSchemaCheck(async () => {
      runs += 1;
      stop.abort();
      return { kind: 'unchecked', reason: 'time' };
    });
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`$.a${index}`, 1]));
    const all = { json: Object.keys(many).map(($matches) => ({ $matches })) };
    const strings = result({ structuredContent: Object.keys(many) });
    for (const expect of [{ paths: many }, all]) {
      runs = 0;
      const judged = judge(strings, expect, { ...tools, schemas, signal: stop.signal });
      await assert.rejects(judged, { name: /Abort|Error/ });
      assert.ok(runs <= 1);
    }
  });

  it('looks up no path that is endless, and none in a value that is', async () => {
    const schemas = createSchemaCheck(() => assert.fail('It was sent.'));
    for (const [value, path] of [
      [{}, `$.${'a'.repeat(10_001)}`],
      [{ a: 'a'.repeat(2_000_001) }, '$.a'],
    ] as const)
      await assert.rejects(
        judge(
          result({ structuredContent: value }),
          { paths: { [path]: 1 } },
          { ...tools, schemas },
        ),
        /was not looked up: too large to check\.$/,
      );
  });

  it('of a snapshot fails until that is written, and once it differs', async () => {
    const expect = { snapshot: 'a.json' };
    const failures = async (answer: StepAnswered, update = false) =>
      (await judge(answer, expect, { ...tools, update })).map(({ message }) => message).join();
    assert.match(await failures(text('one')), /does not exist yet/);
    assert.equal(await failures(text('one'), true), '');
    assert.equal(await failures(text('one')), '');
    assert.match(await failures(text('two')), /snapshot a\.json differs at content\[0\]\.text/);
    assert.match(await failures(result({ more: 1 })), /differs/);
  });

  it('of a snapshot is written with lines that end as those before', async () => {
    const write = async (answer: StepAnswered) => {
      await judge(answer, { snapshot: 'lines.json' }, { ...tools, update: true });
      return files.get('lines.json') ?? '';
    };
    files.set('lines.json', '{}\r\n');
    const written = await write(text('one'));
    assert.doesNotMatch(written, /(?<!\r)\n/);
    files.delete('lines.json');
    assert.equal(await write(text('one')), written.replaceAll('\r', ''));
  });

  for (const held of ['{"name":"app","version":"1.0.0"}', '{"editor.tabSize":2}', '"text"', '{'])
    it(`of a snapshot replaces no file that holds ${held}`, async () => {
      files.set('package.json', held);
      const failures = await judge(
        text('one'),
        { snapshot: 'package.json' },
        { ...tools, update: true },
      );
      assert.match(failures.map(({ message }) => message).join(), /and was not replaced/);
      assert.equal(files.get('package.json'), held);
    });

  for (const snapshot of [
    '../evil.json',
    'a/../../evil.json',
    '/evil.json',
    'a\\..\\evil.json',
    '.vscode/settings.json',
    'a/.claude/settings.json',
    '.mcp.json',
  ])
    it(`reads and writes no snapshot ${snapshot}, wherever its path comes from`, async () => {
      const failures = await judge(text('one'), { snapshot }, { ...tools, update: true });
      assert.match(failures.map(({ message }) => message).join(), /in the folder of this file/);
      assert.equal(files.has(snapshot), false);
    });
});

describe('a comparison of values', () => {
  it('tells the first fifty differences', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`k${index}`, index]),
    );
    const matches = async () => true;
    const found = await compareJson(many, {}, { exact: false, matches });
    assert.equal(found.length, maxDifferences);
  });
});

describe('a variable', () => {
  it('keeps its type where it stands alone', () => {
    const filled = fillVariables({ a: '${n}', b: ['x${n}', '${o}'] }, { n: 1, o: { p: 2 } });
    assert.deepEqual(filled, { a: 1, b: ['x1', { p: 2 }] });
  });

  it('has to have a value of its own', () => {
    assert.throws(() => fillVariables('${toString}', {}), /\$\{toString\} has no value/);
  });

  for (const [what, written, a] of [
    ['alone', '${a}', 'x'.repeat(1_000_000)],
    ['within a text', '${a}'.repeat(20), 'x'.repeat(1_000_000)],
    ['as JSON', 'x${a}', Array.from({ length: 1000 }, () => 'x'.repeat(1000))],
  ] as const)
    it(`puts no more than so much into a file where it is long and stands there ${what}`, () => {
      const budget = new FillBudget();
      const value = Array.from({ length: 20 }, () => written);
      assert.doesNotThrow(() => fillVariables('${a}', { a }, budget));
      assert.throws(() => fillVariables(value, { a }, budget), {
        name: 'UserError',
        message: `Variables put more than ${maxFilled} characters into the steps of the file.`,
      });
    });

  it('is found wherever it stands', () => {
    assert.deepEqual([...variablesOf({ a: ['${x} ${y}'], b: null })], ['x', 'y']);
  });
});

describe('what is shown of a value that is not as expected', () => {
  const value = { z: 1, name: 'Ann', at: '12:00', list: [{ id: 1, more: true }] };
  const expected = {
    name: 'Bob',
    at: { $matches: '^1' },
    list: [{ id: { $type: 'number' } }],
    gone: 1,
  };
  it('has what the expectation is about, in its order, and what holds as it is written there', async () => {
    const [failure] = await judge(result({ structuredContent: value }), { json: expected }, tools);
    assert.deepEqual(JSON.parse(failure?.actual ?? ''), {
      name: 'Ann',
      at: expected.at,
      list: expected.list,
    });
  });

  it('has all of what is compared as a whole', async () => {
    const paths = { '$.list[0]': { id: 2 } };
    const [failure] = await judge(result({ structuredContent: value }), { paths }, tools);
    assert.deepEqual(JSON.parse(failure?.actual ?? ''), { id: 1, more: true });
  });
});
