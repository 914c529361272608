import assert from 'node:assert/strict';
import { PendingWork, deferred } from '../../../../src/base/async';

describe('pending work', () => {
  it('is waited for until all of it has ended, the failed too', async () => {
    const pending = new PendingWork();
    const [one, two] = [deferred<number>(), deferred<number>()];
    const [first, second] = [pending.track(one.promise), pending.track(two.promise)];
    let isSettled = false;
    const settled = pending.settled().then(() => (isSettled = true));
    one.resolve(1);
    assert.equal(await first, 1);
    assert.equal(isSettled, false);
    two.reject(new Error('failed'));
    await assert.rejects(second);
    await settled;
    await pending.settled();
  });
});
