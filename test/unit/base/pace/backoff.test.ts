import assert from 'node:assert/strict';
import { backoffMs, patientBackoff } from '../../../../src/base/pace';

describe('the waits between attempts', () => {
  it('double from the first to the longest, and stay there', () => {
    const waits = [0, 1, 2, 5, 6, 7, 5000].map((before) => backoffMs(patientBackoff, before));
    assert.deepEqual(waits, [1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('are never longer than the longest', () =>
    assert.equal(backoffMs({ firstMs: 90, longestMs: 20 }, 0), 20));
});
