import assert from 'node:assert/strict';
import { errorDetail, errorMessage } from '../../../../src/base/errors';
import { withoutDump } from '../../../../src/base/text/jsonText';

const issue = (more: object) => ({
  expected: 'string',
  code: 'invalid_type',
  path: ['a', 0, 'b'],
  message: 'Invalid input: expected string, received undefined',
  ...more,
});
const dump = (...issues: readonly object[]) => JSON.stringify(issues, undefined, 2);

describe('what a schema checker dumps', () => {
  const rows: readonly (readonly [string, string])[] = [
    [dump(issue({})), 'field "a.0.b" is missing'],
    [dump(issue({ path: [] })), 'the value is missing'],
    [dump(issue({ message: 'Required' })), 'field "a.0.b" is missing'],
    [dump(issue({ message: 'received number' })), 'field "a.0.b" is not a string'],
    [dump(issue({ message: 'x', expected: 'array' })), 'field "a.0.b" is not a list'],
    [dump(issue({ code: 'too_small' })), 'field "a.0.b" is not as expected'],
    [
      dump(issue({ code: 'unrecognized_keys', path: [], keys: ['x', 'y'] })),
      'the value has unknown fields: "x", "y"',
    ],
    [
      dump(...[1, 2, 3, 4, 5].map((at) => issue({ path: [at] }))),
      'field "1" is missing, field "2" is missing, field "3" is missing and 2 more',
    ],
    [`Invalid result for x: ${dump(issue({}))}`, 'Invalid result for x: field "a.0.b" is missing'],
    [`MCP error -32602: ${dump(issue({}))} (x)`, 'MCP error -32602: field "a.0.b" is missing (x)'],
  ];
  for (const [text, words] of rows)
    it(`is said in words: ${words}`, () => assert.equal(withoutDump(text), words));

  for (const text of [
    '',
    'no list',
    'a [list] of words',
    '[{"name":"a tool"}]',
    '[{"path":[],"code":"x"',
    '[{"path":"x","code":"x","message":"y"}]',
    `[{"x":"${'y'.repeat(200_000)}"}]`,
  ])
    it(`is not what looks a little like it: ${text.slice(0, 40)}`, () =>
      assert.equal(withoutDump(text), text));

  it('stands in no message and no detail of an error, nor in one of its causes', () => {
    const error = new Error('outer', { cause: new Error(dump(issue({}))) });
    for (const text of [errorMessage(error), errorDetail(error)]) {
      assert.match(text, /field "a\.0\.b" is missing/);
      assert.doesNotMatch(text, /invalid_type/);
    }
  });
});
