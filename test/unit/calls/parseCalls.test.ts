import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { maxCallSteps, maxGivenAnswers } from '../../../src/calls/format/calls';
import { parseCalls } from '../../../src/calls/format/parseCalls';
import type { JsonObject, JsonSchema } from '../../../src/mcp/protocol/types';
import { repositoryRoot } from '../../support/paths';
import { schemaCheck } from '../../support/schemaChecks';

const whole = `{
  // what the server of this folder has to do
  "$schema": "./mcp-calls.schema.json",
  "from": { "command": "node", "args": ["server.js"] },
  "session": "step",
  "variables": { "word": "hello" },
  "answers": {
    "sampling": ["Paris", { "content": { "type": "text", "text": "a" }, "stopReason": "endTurn" }],
    "elicitation": [{ "action": "accept", "content": { "name": "A" } }, { "error": { "code": -1, "message": "no" } }],
    "roots": [{ "uri": ".", "name": "here" }] },
  "steps": [
    { "name": "adds", "call": "add", "arguments": { "a": 1 }, "save": { "sum": "$.sum" },
      "expect": { "isError": false, "json": { "sum": { "$type": "number" } }, "paths": { "$.sum": 3 },
        "result": {}, "text": { "equals": "3", "contains": "3", "matches": "3" },
        "schema": true, "snapshot": "snapshots/adds.json", "asked": [{ "method": "elicitation/create" }], "maxMs": 100 } },
    { "prompt": "greet", "arguments": { "name": "\${word}" } },
    { "read": "demo://readme", "expect": { "error": { "code": -32002, "contains": "no" } } },
    { "complete": { "prompt": "greet" }, "argument": "name", "value": "A" },
    { "list": "resourceTemplates" },
    { "call": "add", "answers": { "sampling": ["Rome"] } },
    { "call": "add" },
  ],
}`;

const schema = JSON.parse(
  readFileSync(join(repositoryRoot, 'media', 'mcp-calls.schema.json'), 'utf8'),
) as JsonSchema;

/** Returns the problems of a file, and the validation of the schema that the editor uses. */
async function problemsOf(fields: Record<string, unknown>) {
  const value = { from: 'demo', steps: [], ...fields };
  const { problems } = parseCalls(JSON.stringify(value));
  const validation = await schemaCheck().check(schema, value);
  return { messages: problems.map(({ message }) => message), validation: validation.kind };
}

describe('a file of saved calls', () => {
  it('is read with all its parts', () => {
    const { file, problems } = parseCalls(whole);
    assert.deepEqual(problems, []);
    assert.equal(file?.session, 'step');
    assert.equal(JSON.stringify(file?.variables), '{"word":"hello"}');
    assert.deepEqual(
      file?.steps.map(({ name }) => name),
      [
        'adds',
        'greet',
        'demo://readme',
        'complete name',
        'list resourceTemplates',
        'add',
        'add (2)',
      ],
    );
    assert.equal(file?.steps[0]?.range.line, 11);
    assert.equal(file?.steps[0]?.expect.snapshot, 'snapshots/adds.json');
  });

  it('is what its schema says', async () => {
    assert.deepEqual((await schemaCheck().check(schema, parse(whole))).kind, 'valid');
  });

  const step = (fields: Record<string, unknown>) => ({ steps: [{ call: 'a', ...fields }] });
  const wrong: readonly [what: string, fields: Record<string, unknown>, message: RegExp][] = [
    ['`_meta` that is no object', step({ _meta: 'x' }), /"_meta" must be an object/],
    [
      '`_meta` of the client',
      step({ _meta: { progressToken: 1 } }),
      /"progressToken" in "_meta" is written by this client/,
    ],
    ['`_meta` of a list', { steps: [{ list: 'tools', _meta: {} }] }, /A list is loaded without/],
    ['a task that is no object', step({ task: true }), /"task" must be false, or an object/],
    ['a time without end', step({ task: { ttl: 1e12 } }), /"ttl" is a whole number up to/],
    ['an unknown field', { stepps: [] }, /"stepps" is not known here/],
    [
      'another kind of session',
      { session: 'all' },
      /"session" must be "file", "step" or "running"/,
    ],
    ['an unusable launch', { from: { args: [] } }, /"command"/],
    ['no server', { from: '' }, /"from" must name/],
    ['a step that asks two things', step({ read: 'b' }), /exactly one of/],
    ['a step that asks nothing', { steps: [{ name: 'x' }] }, /exactly one of/],
    ['an unknown list', { steps: [{ list: 'roots' }] }, /"list" must be one of/],
    ['an unknown expectation', step({ expect: { is: 1 } }), /"is" is not known here/],
    ['a flag that is none', step({ expect: { isError: 'no' } }), /"isError" must be true or false/],
    ['a path that is none', step({ save: { a: 1 } }), /"save" must map/],
    ['arguments that are a list', step({ arguments: [] }), /"arguments" must be an object/],
    [
      'an unknown field of what is completed',
      { steps: [{ complete: { prompt: 'a', promt: 'b' }, argument: 'c' }] },
      /"promt" is not known here/,
    ],
    ['answers of an unknown kind', { answers: { ping: [] } }, /"ping" is not known here/],
    ['answers that are no list', { answers: { sampling: 'a' } }, /"sampling" must be a list/],
    ['an answer without content', { answers: { sampling: [{}] } }, /Entry 1 of "sampling" must/],
    ['an answer without an action', { answers: { elicitation: [{}] } }, /must have an "action"/],
    ['a root without a place', { answers: { roots: [{ name: 'a' }] } }, /must have a "uri"/],
    ['roots of a step', step({ answers: { roots: [] } }), /"roots" is not known/],
    [
      'an error without a code',
      step({ answers: { sampling: [{ error: { message: 'a' } }] } }),
      /"error" with "code"/,
    ],
    [
      'too many answers',
      { answers: { sampling: Array.from({ length: maxGivenAnswers + 1 }, () => 'a') } },
      /"sampling" has more than 1000 entries/,
    ],
    ['questions that are no list', step({ expect: { asked: {} } }), /"asked" must be a list/],
    ['a completion of nothing', { steps: [{ complete: {}, argument: 'a' }] }, /needs a "prompt"/],
  ];
  for (const [what, fields, message] of wrong)
    it(`is refused with ${what}, by its schema too`, async () => {
      const { messages, validation } = await problemsOf(fields);
      assert.match(messages.join('\n'), message);
      assert.equal(validation, 'invalid');
    });

  for (const snapshot of ['../a.json', '/a.json', 'a/../../b.json', 'C:/a.json', '..\\a.json', 'a'])
    it(`keeps no snapshot at ${snapshot}`, () => {
      const { problems } = parseCalls(
        JSON.stringify({ from: 'x', steps: [{ call: 'a', expect: { snapshot } }] }),
      );
      assert.match(problems[0]?.message ?? '', /in the folder of this file or below/);
    });

  const later = 'only the "answers" of later steps can use it, not those of the file.';
  const variable: readonly [
    what: string,
    fields: Record<string, unknown>,
    problems: readonly string[],
  ][] = [
    ['that it has itself', { variables: { a: 1 } }, []],
    ['that a run gives', { passed: { a: 1 } }, []],
    ['that nobody defines', {}, ['The variable ${a} in "answers" has no value.']],
    [
      'that a step saves',
      { variables: { a: 1 }, passed: { a: 1 }, ...step({ save: { a: '$' } }) },
      [`A step saves \${a}: ${later}`],
    ],
  ];
  const using: readonly [kind: string, list: readonly unknown[]][] = [
    ['sampling', ['${a} $${none}']],
    ['elicitation', [{ action: 'accept', content: { name: '${a}' } }]],
    ['roots', [{ uri: '${a}/', name: '${none}' }]],
  ];
  for (const [what, { passed, ...fields }, expected] of variable)
    it(`${expected.length > 0 ? 'may not' : 'may'} have a variable in its answers ${what}`, () => {
      for (const [kind, list] of using) {
        const text = JSON.stringify({ from: 'x', steps: [], ...fields, answers: { [kind]: list } });
        const { problems } = parseCalls(text, passed as JsonObject | undefined);
        assert.deepEqual(
          problems.map(({ message }) => message),
          expected,
          kind,
        );
      }
    });

  it('says where two steps have one name', () => {
    const { problems, steps } = parseCalls(
      '{"from": "x", "steps": [{"name": "a", "call": "t"},\n{"name": "a", "call": "t"}]}',
    );
    assert.equal(steps.length, 1);
    assert.equal(problems[0]?.range.line, 1);
  });

  it('says where it is no JSON', () => {
    assert.match(parseCalls('{\n"from" "x"}').problems[0]?.message ?? '', /Line 2 is not valid/);
    assert.match(parseCalls('[]').problems[0]?.message ?? '', /must be an object/);
    assert.match(parseCalls('').problems[0]?.message ?? '', /must be an object/);
  });

  it('has its first ten thousand steps read', () => {
    const steps = Array.from({ length: maxCallSteps + 1 }, () => ({ call: 'a' }));
    const parsed = parseCalls(JSON.stringify({ from: 'x', steps }));
    assert.equal(parsed.steps.length, maxCallSteps);
    assert.match(parsed.problems[0]?.message ?? '', /Only the first 10000 of 10001/);
  });
});
