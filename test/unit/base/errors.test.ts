import assert from 'node:assert/strict';
import {
  CancelledError,
  errorDetail,
  errorMessage,
  isCancellation,
  UserError,
} from '../../../src/base/errors';

describe('the message of an error', () => {
  const refused = new Error('connect ECONNREFUSED');
  const table: readonly (readonly [string, unknown, string])[] = [
    ['is its own', new Error('boom'), 'boom'],
    ['has its cause behind it', new Error('no', { cause: refused }), 'no (connect ECONNREFUSED)'],
    [
      'has all causes',
      new Error('a', { cause: new Error('b', { cause: new Error('c') }) }),
      'a (b (c))',
    ],
    [
      'does not repeat a cause that it names',
      new Error('failed: connect ECONNREFUSED', { cause: refused }),
      'failed: connect ECONNREFUSED',
    ],
    ['is the value itself for what is no error', 'text', 'text'],
    ['exists for nothing at all', undefined, 'undefined'],
    ['leaves out a cause that is no error', new Error('a', { cause: 5 }), 'a'],
  ];
  for (const [property, error, message] of table) {
    it(property, () => assert.equal(errorMessage(error), message));
  }
});

describe('the detail of an error', () => {
  it('holds the stacks of all causes', () => {
    const detail = errorDetail(new Error('outer', { cause: new Error('inner') }));
    assert.match(detail, /Error: outer\n +at .*\nCaused by: Error: inner\n +at /s);
  });

  it('exists for what is no error', () => assert.equal(errorDetail(7), '7'));
});

describe('a cancellation', () => {
  const table: readonly (readonly [unknown, boolean])[] = [
    [new CancelledError(), true],
    [new DOMException('Aborted', 'AbortError'), true],
    [AbortSignal.abort().reason, true],
    [new UserError('no'), false],
    [new Error('cancelled'), false],
    ['cancelled', false],
  ];
  for (const [error, expected] of table) {
    it(`${expected ? 'is' : 'is not'} ${String(error)}`, () =>
      assert.equal(isCancellation(error), expected));
  }
});
