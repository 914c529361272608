import assert from 'node:assert/strict';
import type { Expectation } from '../../../src/calls/format/calls';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import type { StepAnswered } from '../../../src/calls/expect/answer';
import { judge } from '../../../src/calls/expect/judge';
import {
  escapeVariables,
  fillKnown,
  fillVariables,
  variablesOf,
  fillExpectation,
} from '../../../src/calls/format/variables';
import type { CallStep } from '../../../src/calls/format/calls';
import {
  addStep,
  lastNameRange,
  newCallsFile,
  updateExpectation,
} from '../../../src/calls/writeStep';
import type { Json, JsonObject, Tool } from '../../../src/mcp/protocol/types';
import { schemaCheck } from '../../support/schemaChecks';

const tools = {
  schemas: schemaCheck(),
  update: false,
  snapshots: { read: async () => undefined, write: async () => {} },
};
const tool: Tool = { name: 'make', inputSchema: {}, outputSchema: { type: 'object' } };
const answer = (fields: object): StepAnswered => ({
  kind: 'result',
  tool,
  result: { content: [], isError: false, ...fields },
});
const text = (value: string) => answer({ content: [{ type: 'text', text: value }] });

/** Updates a step of a file after it ran with these values of variables. */
const updatedText = (
  file: string,
  step: CallStep,
  answered: StepAnswered,
  values: JsonObject = {},
) => {
  const expect = fillExpectation(step.expect, (value) => fillKnown(value, values));
  return updateExpectation(file, { step, answer: answered, expect }, tools);
};

describe('a call that is saved as a test', () => {
  it('is written with lines that end as those of its file', async () => {
    const file = newCallsFile('demo').replaceAll('\n', '\r\n');
    const saved = addStep(file, {
      tool: 'make',
      arguments: { a: [1, { b: 2 }] },
      answer: text('x'),
    });
    const [step] = parseCalls(saved).steps;
    assert.ok(step);
    const updated = await updatedText(saved, step, text('other'));
    assert.notEqual(updated, saved);
    for (const one of [saved, updated]) assert.doesNotMatch(one, /(?<!\r)\n/);
  });

  const answers: readonly [what: string, first: StepAnswered, later: StepAnswered][] = [
    ['a text', text('done'), text('done')],
    [
      'a text with a time',
      text('at 2026-01-02T03:04:05Z (ok)'),
      text('at 2027-06-07T08:09:10Z (ok)'),
    ],
    [
      'structured content with ids and secrets',
      answer({ structuredContent: { id: 'a1', userId: 3, apiKey: 'x', createdAt: 1, name: 'n' } }),
      answer({ structuredContent: { id: 'b2', userId: 4, apiKey: 'y', createdAt: 2, name: 'n' } }),
    ],
    [
      'a text that is JSON with ids in it',
      text('{"ref":"123e4567-e89b-12d3-a456-426614174000"}'),
      text('{"ref":"00000000-e89b-12d3-a456-426614174000"}'),
    ],
    [
      'a failure',
      answer({ isError: true, content: [{ type: 'text', text: 'no' }] }),
      answer({ isError: true, content: [{ type: 'text', text: 'no' }] }),
    ],
    [
      'an error',
      { kind: 'error', code: -32602, message: 'a' },
      { kind: 'error', code: -32602, message: 'b' },
    ],
    [
      'an image',
      answer({ content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }),
      answer({ content: [{ type: 'image', data: 'BB==', mimeType: 'image/png' }] }),
    ],
  ];
  for (const [what, first, later] of answers)
    it(`expects ${what} as it came, and leaves open what changes`, async () => {
      const written = addStep(newCallsFile('demo'), { tool: 'make', arguments: {}, answer: first });
      const { steps, problems } = parseCalls(written);
      assert.deepEqual(problems, []);
      assert.deepEqual(await judge(first, steps[0]?.expect ?? {}, tools), []);
      assert.deepEqual(await judge(later, steps[0]?.expect ?? {}, tools), []);
    });

  const names: readonly [leftOpen: boolean, names: readonly string[]][] = [
    [true, ['id', 'ID', 'userId', 'userID', 'user_id', 'USER-ID', 'page2Id', 'createdAt', 'Time']],
    [false, ['valid', 'format', 'paid', 'Paid', 'items', 'lifetime', 'REPEAT', 'Update']],
  ];
  for (const [leftOpen, fields] of names)
    for (const name of fields)
      it(`${leftOpen ? 'leaves open' : 'expects'} what came in a field “${name}”`, async () => {
        const [first, later] = ['a', 'b'].map((value) =>
          answer({ structuredContent: { [name]: value } }),
        );
        assert.ok(first && later);
        const saved = { tool: 'make', arguments: {}, answer: first };
        const [step] = parseCalls(addStep(newCallsFile('demo'), saved)).steps;
        assert.equal((await judge(later, step?.expect ?? {}, tools)).length, leftOpen ? 0 : 1);
      });

  for (const [asTask, task] of [
    [false, false],
    [0, { ttl: 0 }],
    [60_000, { ttl: 60_000 }],
  ] as const)
    it(`runs as a task, or without one, as the call did: ${asTask}`, () => {
      const call = { tool: 'make', arguments: {}, asTask };
      const written = addStep(newCallsFile('demo'), call);
      assert.deepEqual(JSON.parse(written).steps[0].task, task);
      assert.deepEqual(parseCalls(written).problems, []);
      const request = parseCalls(written).steps[0]?.request;
      assert.equal(request && 'asTask' in request && request.asTask, asTask);
    });

  it('has what was sent beside its arguments, without secrets', () => {
    const meta = { 'example.org/trace': '${t1}', password: 'hunter2' };
    const written = addStep(newCallsFile('demo'), { tool: 'make', arguments: {}, meta });
    const [step] = parseCalls(written).steps;
    assert.deepEqual(
      { ...step?.request.meta },
      {
        'example.org/trace': '$${t1}',
        password: '${password}',
      },
    );
  });

  it('fails once something else comes back', async () => {
    const written = addStep(newCallsFile('demo'), {
      tool: 'make',
      arguments: {},
      answer: text('a'),
    });
    const [step] = parseCalls(written).steps;
    assert.equal((await judge(text('b'), step?.expect ?? {}, tools)).length, 1);
  });

  it('has a variable in place of each secret of its arguments', () => {
    const written = addStep(newCallsFile('demo'), {
      tool: 'make',
      arguments: { api_key: 'abc', b: 1 },
    });
    assert.match(written, /"api_key": "\$\{api_key\}"/);
    assert.doesNotMatch(written, /abc/);
  });

  for (const [given, written] of [
    ['curl -u me:hunter2 h', 'curl -u me:${line} h'],
    ['TOKEN=hunter2 run ${x}', 'TOKEN=${line} run $${x}'],
    ['-pa$ https://me:hunter2@h', '-pa$ https://me:${line}@h'],
    [
      ['mysql', '-phunter2'],
      ['mysql', '-p${line}'],
    ],
    [
      ['-u', 'me$:hunter2'],
      ['-u', 'me$:${line}'],
    ],
  ] as const)
    it(`has a variable in place of a secret within a text: ${String(given)}`, () => {
      const saved = { tool: 'make', arguments: { line: given } };
      const [step] = parseCalls(addStep(newCallsFile('demo'), saved)).steps;
      assert.ok(step?.request.kind === 'call');
      assert.deepEqual(structuredClone(step.request.arguments), { line: written });
      assert.deepEqual(
        structuredClone(fillVariables(step.request as unknown as Json, { line: 'hunter2' })),
        { kind: 'call', name: 'make', arguments: { line: given } },
      );
    });

  for (const [what, answered] of [
    ['a text', text('as -u me:hunter2 sent')],
    ['a long text', text(`TOKEN=hunter2 ${'x'.repeat(5000)}`)],
    ['a value', answer({ structuredContent: { line: 'see https://me:hunter2@h/' } })],
    ['an error', { kind: 'error', message: 'wrong: TOKEN=hunter2' } as const],
    ['a list', answer({ structuredContent: { run: ['mysql', '-phunter2'] } })],
    ['arguments', answer({ structuredContent: { command: 'mysql', args: ['-phunter2'] } })],
  ] as const)
    it(`expects what came back without a secret within it: ${what}`, async () => {
      const saved = { tool: 'make', arguments: {}, answer: answered };
      const written = addStep(newCallsFile('demo'), saved);
      assert.doesNotMatch(written, /hunter2|‹/);
      const [step] = parseCalls(written).steps;
      assert.deepEqual(await judge(answered, step?.expect ?? {}, tools), []);
    });

  for (const literal of [
    '${x}',
    'echo ${HOME} $${y} $$${z} $ {a} ${} ${a b}',
    '$'.repeat(5),
    '$${x}',
  ])
    it(`sends and expects ${literal} as it is`, async () => {
      const args = { line: literal, list: [{ [literal]: literal }], api_key: 'abc' };
      for (const answered of [
        text(literal),
        answer({ structuredContent: { line: [literal] } }),
        { kind: 'error', message: literal } as const,
      ]) {
        const saved = { tool: literal, arguments: args, answer: answered };
        const written = addStep(newCallsFile('demo'), saved);
        const [first] = parseCalls(written).steps;
        assert.ok(first);
        const updated = parseCalls(await updatedText(written, first, answered)).steps[0];
        assert.deepEqual(updated?.expect, first.expect);
        assert.deepEqual([...variablesOf(first.request as unknown as Json)], ['api_key']);
        const wanted = { kind: 'call', name: literal, arguments: { ...args, api_key: 1 } };
        for (const fill of [fillVariables, fillKnown])
          assert.deepEqual(fill(first.request as unknown as Json, { api_key: 1, x: 2 }), wanted);
        const expect = fillVariables(first.expect as unknown as Json, {}) as Expectation;
        assert.deepEqual(await judge(answered, expect, tools), []);
      }
    });

  it('has variables beside what only looks like one', () => {
    const value = ['$$${price}', '$${price}', '${price}', 'a${price}'];
    const filled = ['$5', '${price}', 5, 'a5'];
    assert.deepEqual(fillVariables(value, { price: 5 }), filled);
    assert.deepEqual(fillKnown(value, { price: 5 }), filled);
    assert.deepEqual(fillKnown(value, {}), ['$${price}', '${price}', '${price}', 'a${price}']);
  });

  it('takes no time for many dollars', function () {
    this.timeout(5000);
    const many = '$'.repeat(300_000);
    assert.equal(fillVariables(escapeVariables(many), {}), many);
  });

  it('keeps the comments of its file, and has a name of its own', () => {
    const before = '{\n  // mine\n  "from": "demo",\n  "steps": [{ "call": "make" }]\n}\n';
    const written = addStep(before, { tool: 'make', arguments: {} });
    assert.match(written, /\/\/ mine/);
    assert.deepEqual(
      parseCalls(written).steps.map(({ name }) => name),
      ['make', 'make (2)'],
    );
  });

  for (const name of ['make', '掷骰子', 'say "hi"'])
    it(`can be given another name by typing over the old one: ${name}`, () => {
      const lines = addStep(newCallsFile('demo'), { tool: name, arguments: {} }).split('\n');
      const { line, character, endLine, endCharacter } =
        lastNameRange(lines.join('\n')) ?? assert.fail();
      assert.equal(endLine, line);
      const named = lines[line] ?? '';
      lines[line] = `${named.slice(0, character)}mine${named.slice(endCharacter)}`;
      assert.deepEqual(
        parseCalls(lines.join('\n')).steps.map((step) => step.name),
        ['mine'],
      );
    });

  it('is updated in its place', async () => {
    const before =
      '{ "from": "demo", "steps": [{ "call": "other" }, { "call": "make", "expect": { "maxMs": 5, "isError": true } }] }';
    const [, step] = parseCalls(before).steps;
    assert.ok(step);
    const after = parseCalls(await updatedText(before, step, text('new'))).steps[1];
    assert.deepEqual(after?.expect, { maxMs: 5, isError: false });
  });

  const ranAs = '"call": "make", "expect": { "isError": true }';
  for (const [what, ran, now, updated] of [
    [
      'a step stands above it now',
      `"name": "a", ${ranAs}`,
      `{ "call": "b" }, { "name": "a", ${ranAs} }`,
      1,
    ],
    ['it moved', `"name": "a", ${ranAs}`, `{ "name": "a", ${ranAs} }, { "call": "b" }`, 0],
    ['it is gone', `"name": "a", ${ranAs}`, `{ "name": "b", ${ranAs} }`, 'no longer exists'],
    [
      'it asks something else now',
      '"name": "a", "call": "make"',
      '{ "name": "a", "call": "b" }',
      'was changed',
    ],
    [
      'it expects something else now',
      `"name": "a", ${ranAs}`,
      '{ "name": "a", "call": "make" }',
      'was changed',
    ],
    ['another is called as it was', ranAs, `{ "call": "make" }, { ${ranAs} }`, 'was changed'],
    ['the text cannot be read', ranAs, `{ ${ranAs} },, {`, 'no longer exists'],
  ] as const)
    it(`is updated where it is, or not at all: ${what}`, async () => {
      const file = (steps: string) => `{ "from": "demo", "steps": [${steps}] }`;
      const [step] = parseCalls(file(`{ ${ran} }`)).steps;
      assert.ok(step);
      const update = () => updatedText(file(now), step, text('new'));
      if (typeof updated === 'string') return assert.rejects(update, new RegExp(updated));
      const before = parseCalls(file(now)).steps.map(({ expect }) => expect);
      const after = parseCalls(await update()).steps.map(({ expect }) => expect);
      assert.deepEqual(after, before.with(updated, { isError: false }));
    });
});

describe('an expectation that is updated', () => {
  const structured = (value: object) => answer({ structuredContent: value });
  const failed = answer({ isError: true, content: [{ type: 'text', text: 'no' }] });
  const error: StepAnswered = { kind: 'error', code: -32001, message: 'gone' };
  for (const [what, expect, came, updated] of [
    [
      'has a pattern in place of a text that will be another one the next time',
      '{ "text": { "equals": "done" }, "maxMs": 9 }',
      text('done at 2026-11-29T10:00:00Z'),
      '{ "text": {"matches": "^done at .+$" }, "maxMs": 9 }',
    ],
    [
      'keeps what holds',
      '{ "text": { "contains": "ne" } }',
      text('new'),
      '{ "text": { "contains": "ne" } }',
    ],
    [
      'keeps its words',
      '{ "text": { "contains": "old" } }',
      text('new\nb'),
      '{ "text": { "contains": "new" } }',
    ],
    [
      'keeps its words without a secret',
      '{ "text": { "contains": "old" } }',
      text('as -u me:hunter2'),
      '{ "text": { "contains": "as -u me:" } }',
    ],
    [
      'keeps a list without a secret',
      '{ "json": ["sh", "-p1"] }',
      structured(['mysql', '-phunter2']),
      '{ "json": ["mysql", {"$matches":"^-p.+$"}] }',
    ],
    [
      'keeps an error without a secret',
      '{ "error": { "contains": "gone" } }',
      { kind: 'error', message: 'no TOKEN=hunter2' } as const,
      '{ "error": { "contains": "no TOKEN=" } }',
    ],
    [
      'keeps a whole text',
      '{ "text": { "equals": "old" } }',
      text('new'),
      '{ "text": { "equals": "new" } }',
    ],
    [
      'keeps a pattern',
      '{ "text": { "matches": "^o" } }',
      text('new'),
      '{ "text": { "matches": "^new$" } }',
    ],
    [
      'keeps a variable that holds',
      '{ "json": { "a": "${word}", "b": 1 } }',
      structured({ a: 'w', b: 2 }),
      '{ "json": { "a": "${word}", "b": 2 } }',
    ],
    [
      'writes over one that does not',
      '{ "json": {"a":"${word}"} }',
      structured({ a: '${x}' }),
      '{ "json": {"a":"$${x}"} }',
    ],
    [
      'keeps its keys and matchers',
      '{ "json": { /* mine */ "n": 1,  "id": { "$type": "string" } } }',
      structured({ n: 2, id: 'x', more: true }),
      '{ "json": { /* mine */ "n": 2,  "id": { "$type": "string" } } }',
    ],
    [
      'changes a matcher that does not hold',
      '{ "json": { "n": { "$type": "string" } } }',
      structured({ n: 2 }),
      '{ "json": { "n": {"$type":"number"} } }',
    ],
    [
      'loses a key that is gone',
      '{ "json": { "a": 1, "b": 1 } }',
      structured({ a: 1 }),
      '{ "json": { "a": 1 } }',
    ],
    [
      'has members like the others',
      '{ "json": { "l": [{ "a": 1 }] } }',
      structured({
        l: [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
      }),
      /"l": \[\{ "a": 1 \},\s*\{"a":3\}\]/,
    ],
    [
      'loses members that are gone',
      '{ "json": { "l": [1, 2, 3] } }',
      structured({ l: [1] }),
      '{ "json": { "l": [1] } }',
    ],
    [
      'keeps a path',
      '{ "paths": { "$.a": 1, "$.b": 1 } }',
      structured({ a: 2, b: 1 }),
      '{ "paths": { "$.a": 2, "$.b": 1 } }',
    ],
    [
      'keeps a snapshot alone',
      '{ "snapshot": "a.json" }',
      structured({ a: 2 }),
      '{ "snapshot": "a.json" }',
    ],
    [
      'keeps an error',
      '{ "error": { "code": 1, "contains": "gone" } }',
      error,
      '{ "error": { "code": -32001, "contains": "gone" } }',
    ],
    [
      'says that the tool failed',
      '{ "text": { "equals": "no" } }',
      failed,
      /"text": \{ "equals": "no" \},\s*"isError":\s*true/,
    ],
    [
      'becomes an error',
      '{ "json": 1, "maxMs": 5 }',
      error,
      /"error": \{\s*"code": -32001\s*\},\s*"maxMs": 5/,
    ],
    ['is no longer an error', '{ "error": {} }', text('new'), /"text": \{\s*"equals": "new"/],
    ['is written where there is none', '{}', text('new'), /"text": \{\s*"equals": "new"/],
  ] as const)
    it(`${what}, and all other text stays`, async () => {
      const around = [
        '{ "from":   "demo", // mine\n "variables": {"word": "w"}, "steps": [ {"call":"make",   "expect": ',
        ' }, {"call":  "other"} ] }\n',
      ] as const;
      const before = around.join(expect);
      const [step] = parseCalls(before).steps;
      assert.ok(step);
      const after = await updatedText(before, step, came, { word: 'w' });
      if (typeof updated === 'string') assert.equal(after, around.join(updated));
      else assert.match(after, updated);
      const [again] = parseCalls(after).steps;
      assert.ok(again);
      const filled = fillExpectation(again.expect, (value) => fillKnown(value, { word: 'w' }));
      const { snapshot: _snapshot, ...checked } = filled;
      assert.deepEqual(await judge(came, checked, tools), []);
    });
});
