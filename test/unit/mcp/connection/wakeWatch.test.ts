import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { watchWake } from '../../../../src/mcp/createServers';
import { checkLeaks } from '../../../support/processes/leakCheck';

describe('the watch for a machine that slept', () => {
  checkLeaks();
  let now = 0;
  let wakes = 0;
  let stop: () => void;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    now = 0;
    wakes = 0;
    const watch = watchWake(
      () => (wakes += 1),
      () => now,
    );
    stop = () => watch.dispose();
  });

  afterEach(() => {
    stop();
    mock.timers.reset();
  });

  /** Lets the timer run once, `ms` milliseconds after the last time. */
  function pass(ms: number): void {
    now += ms;
    mock.timers.tick(15_000);
  }

  it('says nothing while the timer comes in time, or a little late', () => {
    for (const ms of [15_000, 15_100, 20_000, 29_999, 15_000]) pass(ms);
    assert.equal(wakes, 0);
  });

  it('says once that the timer came much too late', () => {
    pass(15_000);
    pass(3_600_000);
    assert.equal(wakes, 1);
    pass(15_000);
    assert.equal(wakes, 1);
  });

  it('says nothing when the clock was set back', () => {
    pass(15_000);
    pass(-7_200_000);
    pass(15_000);
    assert.equal(wakes, 0);
  });

  it('ends when it is disposed', () => {
    stop();
    pass(3_600_000);
    assert.equal(wakes, 0);
  });
});
