import assert from 'node:assert/strict';
import { type Deferred, SharedWork, deferred } from '../../../../src/base/async';

describe('shared work', () => {
  let shared: SharedWork<string>;
  let runs: { readonly result: Deferred<string>; readonly signal: AbortSignal }[];
  beforeEach(() => {
    shared = new SharedWork();
    runs = [];
  });

  const join = (signal?: AbortSignal) =>
    shared.join((until) => {
      const result = deferred<string>();
      runs.push({ result, signal: until });
      return result.promise;
    }, signal);

  it('is done once for all who want it at the same time, and anew for those who want it later', async () => {
    const both = [join(), join()];
    assert.equal(shared.isRunning, true);
    runs[0]?.result.resolve('first');
    const again = both.map(async (one) => [await one, await join()]);
    await Promise.all(both);
    assert.equal(runs.length, 2);
    runs[1]?.result.resolve('second');
    assert.deepEqual(await Promise.all(again), [
      ['first', 'second'],
      ['first', 'second'],
    ]);
    assert.equal(shared.isRunning, false);
    assert.ok(runs.every(({ signal }) => !signal.aborted));
  });

  it('fails for all of them', async () => {
    const both = [join(), join()];
    runs[0]?.result.reject(new Error('down'));
    for (const one of both) await assert.rejects(one, /down/);
    assert.equal(shared.isRunning, false);
  });

  for (const who of [0, 1])
    it(`goes on for the other when number ${who} leaves`, async () => {
      const leaving = [new AbortController(), new AbortController()];
      const both = leaving.map(({ signal }) => join(signal));
      leaving[who]?.abort(new Error('gone'));
      await assert.rejects(both[who] ?? assert.fail(), /gone/);
      assert.equal(runs[0]?.signal.aborted, false);
      runs[0]?.result.resolve('done');
      assert.equal(await both[1 - who], 'done');
    });

  it('is aborted when the last one leaves, and not joined after that', async () => {
    const leaving = new AbortController();
    const both = [join(leaving.signal), join(leaving.signal)];
    leaving.abort();
    await Promise.allSettled(both);
    assert.equal(runs[0]?.signal.aborted, true);
    const later = join();
    runs[0]?.result.resolve('old');
    runs[1]?.result.resolve('new');
    assert.equal(await later, 'new');
  });

  it('is not begun for somebody who has left', async () => {
    await assert.rejects(join(AbortSignal.abort()));
    assert.equal(runs.length, 0);
  });

  it('ends for all when it is cancelled, whatever becomes of it', async () => {
    const both = [join(), join()];
    shared.cancel();
    assert.equal(runs[0]?.signal.aborted, true);
    for (const one of both) await assert.rejects(one, { name: 'CancelledError' });
    assert.equal(shared.isRunning, false);
  });
});
