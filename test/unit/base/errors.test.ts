import assert from 'node:assert/strict';
import {
  CancelledError,
  errorDetail,
  errorMessage,
  isCancellation,
  UserError,
} from '../../../src/base/errors';
import { inEnglish, type Translate } from '../../../src/base/translate';
import { ConnectionLostError, RpcError } from '../../../src/mcp/protocol/rpcError';

/** An error that is the cause of its cause. */
function circular(): Error {
  const error = new Error('outer');
  error.cause = new Error('inner', { cause: error });
  return error;
}

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
    ['has each cause once where they lead back to it', circular(), 'outer (inner)'],
    [
      'has no cause of one that is for users',
      new Error('a', { cause: new UserError('b', { cause: new Error('c') }) }),
      'a (b)',
    ],
  ];
  for (const [property, error, message] of table) {
    it(property, () => assert.equal(errorMessage(error), message));
  }
});

describe('the message of an error in another language', () => {
  const shouted: Translate = (message, ...args) => inEnglish(message.toUpperCase(), ...args);
  const lost = new ConnectionLostError((t) => t('{0} is lost.', 'demo'));
  const table: readonly (readonly [string, unknown, string, string])[] = [
    ['of a user', new UserError((t) => t('no {0}', 'way')), 'no way', 'NO way'],
    ['of the connection', lost, 'demo is lost.', 'demo IS LOST.'],
    ['of the protocol', new RpcError(0, (t) => t('no result')), 'no result', 'NO RESULT'],
    [
      'as its cause',
      new Error('failed', { cause: lost }),
      'failed (demo is lost.)',
      'failed (demo IS LOST.)',
    ],
    ['that was worded before', new UserError('worded'), 'worded', 'worded'],
    ['that a server wrote', new RpcError(0, 'its words'), 'its words', 'its words'],
  ];
  for (const [whose, error, english, other] of table)
    it(`is worded anew: ${whose}`, () =>
      assert.deepEqual([errorMessage(error), errorMessage(error, shouted)], [english, other]));
});

describe('the detail of an error', () => {
  it('holds the stacks of all causes', () => {
    const detail = errorDetail(new Error('outer', { cause: new Error('inner') }));
    assert.match(detail, /Error: outer\n +at .*\nCaused by: Error: inner\n +at /s);
  });

  it('holds each stack once where the causes lead back to it', () => {
    const causes = errorDetail(circular()).split('\nCaused by: ');
    assert.deepEqual(
      causes.map((cause) => cause.split('\n', 1)[0]),
      ['Error: outer', 'Error: inner'],
    );
  });

  it('holds a cause that is no error', () =>
    assert.match(errorDetail(new Error('a', { cause: 5 })), /\nCaused by: 5$/));

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
