import * as assert from 'node:assert/strict';
import { format, formatEnd, parseCounts, sum } from '../../support/run/counts';

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

  it('end with a line for each remark, failures first, and with the total', () => {
    const remarks = ['tried twice: b', `failed: a: one\ntwo ${'x'.repeat(900)}`];
    const [failure = '', second, total, ...rest] = formatEnd({
      passed: 1,
      failed: 1,
      skipped: 0,
      remarks,
    });
    assert.match(failure, /^failed: a: one two x+$/);
    assert.ok(failure.length <= 300, String(failure.length));
    assert.deepEqual([second, total, rest], ['tried twice: b', '1 passed, 1 failed', []]);
  });

  it('fit onto half a page, however many failed', () => {
    const remarks = Array.from({ length: 900 }, (_, number) => `failed: ${number}`);
    const lines = formatEnd({ passed: 0, failed: 900, skipped: 0, remarks });
    assert.ok(lines.length < 30, String(lines.length));
    assert.deepEqual(lines.slice(-2), ['… and 875 more, above', '0 passed, 900 failed']);
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
