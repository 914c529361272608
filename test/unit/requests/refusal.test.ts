import assert from 'node:assert/strict';
import { withdrawals } from '../../../src/contracts/questionOutcome';
import { rejected, withdrawnRefusal } from '../../../src/requests/requestDecisions';

describe('A refusal', () => {
  it('is the user’s in the words and with the code of the protocol', () => {
    const { message, code, decidedBy } = rejected({ kind: 'user', how: 'key' });
    assert.deepEqual([message, code], ['User rejected sampling request', -1]);
    assert.deepEqual(decidedBy, { kind: 'user', how: 'key' });
  });

  for (const because of withdrawals)
    it(`is nobody’s where the question was withdrawn, and says so: ${because}`, () => {
      const { message, code, decidedBy } = withdrawnRefusal(because);
      assert.match(message, /^The request was withdrawn before the user decided: \w/);
      assert.doesNotMatch(message, /rejected/i);
      assert.equal(code, -32603);
      assert.deepEqual(decidedBy, { kind: 'nobody', because });
    });
});
