import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { createLimiter, deferred, delay, Timer, within } from '../../../src/base/async';
import { settled, useFakeClock } from '../../support/fakes/fakeClock';

describe('a limiter', () => {
  it('never runs more tasks at once than allowed, and runs all in order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(4)),
        async (limit, turns) => {
          const limiter = createLimiter(limit);
          const started: number[] = [];
          let running = 0;
          let most = 0;
          const tasks = turns.map((count, index) =>
            limiter(async () => {
              started.push(index);
              running += 1;
              most = Math.max(most, running);
              for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
              running -= 1;
              return index;
            }),
          );
          const order = turns.map((_count, index) => index);
          assert.deepEqual(await Promise.all(tasks), order);
          assert.deepEqual(started, order);
          assert.ok(most <= limit);
        },
      ),
    );
  });

  it('hands the place of a task that failed to the next', async () => {
    const limiter = createLimiter(1);
    const failed = limiter(() => Promise.reject(new Error('boom')));
    const next = limiter(() => Promise.resolve('ran'));
    await assert.rejects(failed, /boom/);
    assert.equal(await next, 'ran');
    assert.equal(await limiter(() => Promise.resolve('again')), 'again');
  });

  it('lets go of who no longer waits, and of no place', async () => {
    const limiter = createLimiter(1);
    const first = deferred<void>();
    const running = limiter(() => first.promise);
    const abort = new AbortController();
    const gone = limiter(() => assert.fail('ran'), abort.signal);
    const patient = limiter(() => Promise.resolve('ran'), new AbortController().signal);
    const reason = new Error('withdrawn');
    abort.abort(reason);
    await assert.rejects(gone, reason);
    await assert.rejects(
      limiter(() => assert.fail('ran'), abort.signal),
      reason,
    );
    first.resolve();
    await running;
    assert.equal(await patient, 'ran');
    assert.equal(await limiter(() => Promise.resolve('again')), 'again');
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
  });

  it('leaves no listener on the signal of a task that ran', async () => {
    const limiter = createLimiter(1);
    const { signal } = new AbortController();
    await Promise.all([1, 2, 3].map(() => limiter(() => Promise.resolve(), signal)));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

describe('a deferred', () => {
  it('settles from outside, once', async () => {
    const yes = deferred<number>();
    yes.resolve(1);
    yes.reject(new Error('too late'));
    assert.equal(await yes.promise, 1);
    const no = deferred<number>();
    no.reject(new Error('boom'));
    await assert.rejects(no.promise, /boom/);
  });
});

describe('a timer', () => {
  const clock = useFakeClock();

  it('fires once after its time, and can be started again', async () => {
    let fired = 0;
    const timer = new Timer(() => (fired += 1));
    assert.equal(timer.pending, false);
    timer.start(100);
    assert.equal(timer.pending, true);
    await clock.tick(99);
    assert.equal(fired, 0);
    await clock.tick(1);
    assert.equal(fired, 1);
    assert.equal(timer.pending, false);
    await clock.tick(1000);
    assert.equal(fired, 1);
    timer.start(5);
    await clock.tick(5);
    assert.equal(fired, 2);
  });

  it('moves when it is started while it runs', async () => {
    let fired = 0;
    const timer = new Timer(() => (fired += 1));
    timer.start(100);
    await clock.tick(60);
    timer.start(100);
    await clock.tick(60);
    assert.equal(fired, 0);
    await clock.tick(40);
    assert.equal(fired, 1);
  });

  it('never fires after it was disposed', async () => {
    const timer = new Timer(() => assert.fail('fired'));
    timer.start(100);
    timer.dispose();
    assert.equal(timer.pending, false);
    await clock.tick(1000);
  });
});

describe('waiting within a time', () => {
  const clock = useFakeClock();

  it('ends with true where the promise is in time, with false where it is not', async () => {
    for (const [tick, isInTime] of [
      [99, true],
      [100, false],
    ] as const) {
      const awaited = deferred<void>();
      const waiting = within(awaited.promise, 100);
      await clock.tick(tick);
      awaited.resolve();
      assert.equal(await waiting, isInTime, `${tick} ms`);
    }
  });

  it('rejects as the promise does, and takes no notice of that later', async () => {
    const reason = new Error('refused');
    await assert.rejects(within(Promise.reject(reason), 100), reason);
    const awaited = deferred<void>();
    const waiting = within(awaited.promise, 100);
    await clock.tick(100);
    awaited.reject(reason);
    assert.equal(await waiting, false);
    await settled();
  });
});

describe('a delay', () => {
  const clock = useFakeClock();

  it('ends after its time and leaves no listener', async () => {
    const abort = new AbortController();
    let over = false;
    const waiting = delay(100, abort.signal).then(() => (over = true));
    await clock.tick(99);
    assert.equal(over, false);
    await clock.tick(1);
    await waiting;
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
  });

  for (const when of ['before', 'while'] as const) {
    it(`rejects with the signal's reason when it aborts ${when} waiting`, async () => {
      const abort = new AbortController();
      const reason = new Error('withdrawn');
      if (when === 'before') abort.abort(reason);
      const waiting = delay(100, abort.signal);
      abort.abort(reason);
      await assert.rejects(waiting, reason);
      await settled();
      assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
    });
  }
});
