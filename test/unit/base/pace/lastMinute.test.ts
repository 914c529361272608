import assert from 'node:assert/strict';
import { LastMinute } from '../../../../src/base/pace';

describe('what happened within the last minute', () => {
  it('is counted until the minute is over', () => {
    let time = 0;
    const minute = new LastMinute(() => time);
    minute.add();
    time = 30_000;
    minute.add();
    assert.equal(minute.count, 2);
    time = 60_000;
    assert.equal(minute.count, 1);
  });

  it('is taken back alone, whatever else happened', () => {
    let time = 0;
    const minute = new LastMinute(() => time);
    const takeBack = minute.add();
    time = 30_000;
    minute.add();
    takeBack();
    assert.equal(minute.count, 1);
    time = 60_000;
    assert.equal(minute.count, 1);
  });

  it('is let through up to the most, and what is refused does not count', () => {
    let time = 0;
    const minute = new LastMinute(() => time);
    assert.deepEqual(
      [1, 2, 3, 4].map(() => minute.take(2)),
      [true, true, false, false],
    );
    time = 60_000;
    assert.equal(minute.take(2), true);
    assert.equal(minute.count, 1);
  });
});
