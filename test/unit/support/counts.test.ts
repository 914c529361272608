import * as assert from 'node:assert/strict';
import { format, parseCounts, sum } from '../../support/run/counts';

describe('counts of a test run', () => {
  it('add up over the parts', () => {
    const parts = [
      { passed: 2, failed: 0, skipped: 1 },
      { passed: 3, failed: 1, skipped: 0, remarks: ['failed: a'] },
    ];
    assert.deepEqual(sum(parts), { passed: 5, failed: 1, skipped: 1, remarks: ['failed: a'] });
  });

  it('name skipped tests only when there are some', () => {
    assert.equal(format({ passed: 5, failed: 0, skipped: 0 }), '5 passed, 0 failed');
    assert.equal(format({ passed: 5, failed: 1, skipped: 2 }), '5 passed, 1 failed, 2 skipped');
  });

  it('come whole from another process', () => {
    const counts = { passed: 1, failed: 1, skipped: 0, remarks: ['failed: a'] };
    assert.deepEqual(parseCounts(JSON.parse(JSON.stringify(counts))), counts);
  });

  for (const value of [undefined, null, 3, {}, { passed: '1', failed: 0, skipped: 0 }]) {
    it(`are not read from ${JSON.stringify(value)}`, () => {
      assert.throws(() => parseCounts(value), /Not the counts/);
    });
  }
});
