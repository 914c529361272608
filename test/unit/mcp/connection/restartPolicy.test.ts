import assert from 'node:assert/strict';
import { RestartPolicy, defaultRestarts } from '../../../../src/mcp/connection/connectionDeps';

const minute = 60_000;

/** Returns the delays after crashes at these times. */
const delays = (policy: RestartPolicy, times: readonly number[]) =>
  times.map((time) => policy.crashed(time));

describe('the restarts of a crashed server', () => {
  it('wait twice as long each time, and end after five in ten minutes', () => {
    const times = [0, 1, 2, 3, 4, 5, 6].map((crash) => crash * 1000);
    assert.deepEqual(delays(new RestartPolicy(), times), [
      1000,
      2000,
      4000,
      8000,
      16_000,
      undefined,
      undefined,
    ]);
  });

  it('begin anew with a crash that comes ten minutes later', () => {
    const policy = new RestartPolicy();
    delays(policy, [0, 1, 2]);
    assert.equal(policy.crashed(10 * minute + 2), 1000);
  });

  it('count only the crashes of the last ten minutes', () => {
    const policy = new RestartPolicy();
    const times = [0, 3, 6, 9, 12, 15, 18].map((time) => time * minute);
    assert.deepEqual(delays(policy, times), [1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  });

  it('begin anew after a user started the server', () => {
    const policy = new RestartPolicy();
    delays(policy, [0, 1, 2, 3, 4, 5]);
    policy.reset();
    assert.equal(policy.crashed(6), 1000);
  });

  it('are told of for ten minutes, or until a user started the server', () => {
    const policy = new RestartPolicy();
    const isTold = (at: number) => policy.hasCrashedLately(at);
    assert.equal(isTold(0), false);
    policy.crashed(0);
    assert.deepEqual([isTold(10 * minute - 1), isTold(10 * minute)], [true, false]);
    policy.reset();
    assert.equal(isTold(1), false);
  });

  it('never wait longer than a minute', () => {
    const policy = new RestartPolicy({ ...defaultRestarts, maxRestarts: 20 });
    const all = delays(
      policy,
      Array.from({ length: 20 }, (_one, index) => index),
    );
    assert.equal(Math.max(...all.map((delay) => delay ?? 0)), minute);
    assert.equal(all.at(-1), minute);
  });
});
