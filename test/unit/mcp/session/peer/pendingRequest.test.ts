import assert from 'node:assert/strict';
import { PendingRequest } from '../../../../../src/mcp/session/peer/pendingRequest';
import { useFakeClock } from '../../../../support/fakes/fakeClock';

/** Creates a request that records in `expired` how long it waited. */
function pend(request: number, ceiling: number) {
  const expired: number[] = [];
  const pending = new PendingRequest({ request, ceiling }, undefined, (waited) => {
    expired.push(waited);
    pending.succeed('expired');
  });
  return { pending, expired };
}

describe('a pending request', () => {
  const clock = useFakeClock();

  const never = 365 * 24 * 3600_000;
  const table: readonly {
    readonly name: string;
    readonly request: number;
    readonly ceiling: number;
    readonly progressAt: readonly number[];
    readonly expiresAt: number;
    readonly waited: number;
  }[] = [
    {
      name: 'at its deadline',
      request: 100,
      ceiling: 1000,
      progressAt: [],
      expiresAt: 100,
      waited: 100,
    },
    {
      name: 'a deadline after the last progress',
      request: 100,
      ceiling: 1000,
      progressAt: [90, 180],
      expiresAt: 280,
      waited: 100,
    },
    {
      name: 'at the ceiling though there is progress',
      request: 100,
      ceiling: 250,
      progressAt: [90, 180, 240],
      expiresAt: 250,
      waited: 250,
    },
    {
      name: 'at the ceiling that lies before the deadline',
      request: 500,
      ceiling: 200,
      progressAt: [],
      expiresAt: 200,
      waited: 200,
    },
    {
      name: 'at a deadline that equals the ceiling',
      request: 100,
      ceiling: 100,
      progressAt: [],
      expiresAt: 100,
      waited: 100,
    },
  ];
  for (const { name, request, ceiling, progressAt, expiresAt, waited } of table) {
    it(`expires ${name}`, async () => {
      const { pending, expired } = pend(request, ceiling);
      let now = 0;
      for (const time of progressAt) {
        await clock.tick(time - now);
        now = time;
        pending.progress({ progress: 1 });
      }
      await clock.tick(expiresAt - now - 1);
      assert.deepEqual(expired, []);
      await clock.tick(1);
      assert.deepEqual(expired, [waited]);
    });
  }

  it('does not expire at once when its bounds are longer than a timer can be', async () => {
    const { pending, expired } = pend(never, never);
    await clock.tick(60_000);
    assert.deepEqual(expired, []);
    pending.succeed(undefined);
  });

  for (const how of ['succeed', 'fail'] as const) {
    it(`never expires after it was settled by ${how}`, async () => {
      const { pending, expired } = pend(100, 1000);
      pending[how](new Error('x'));
      await pending.promise.catch(() => {});
      await clock.tick(2000);
      assert.deepEqual(expired, []);
    });
  }

  it('settles once', async () => {
    const { pending } = pend(100, 1000);
    pending.succeed(1);
    pending.fail(new Error('too late'));
    pending.succeed(2);
    assert.equal(await pending.promise, 1);
  });

  it('does not count the time in which a question of the server is answered', async () => {
    const { pending, expired } = pend(100, 1000);
    await clock.tick(60);
    pending.pause();
    pending.pause();
    await clock.tick(5000);
    pending.progress({ progress: 1 });
    await clock.tick(5000);
    pending.resume();
    await clock.tick(5000);
    assert.deepEqual(expired, []);
    pending.resume();
    await clock.tick(99);
    assert.deepEqual(expired, []);
    await clock.tick(1);
    assert.deepEqual(expired, [100]);
  });

  it('keeps its ceiling but for that time', async () => {
    const { pending, expired } = pend(100, 150);
    await clock.tick(90);
    pending.pause();
    await clock.tick(5000);
    pending.resume();
    await clock.tick(59);
    assert.deepEqual(expired, []);
    await clock.tick(1);
    assert.deepEqual(expired, [150]);
  });

  it('may be settled while its clock stands still', async () => {
    const { pending, expired } = pend(100, 1000);
    pending.pause();
    pending.succeed('done');
    await clock.tick(5000);
    assert.equal(await pending.promise, 'done');
    assert.deepEqual(expired, []);
  });
});
