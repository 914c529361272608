import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Emitter, once } from '../../../src/base/event';

describe('an event', () => {
  it('reaches the listeners in the order of registration', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    emitter.event((value) => heard.push(`first ${value}`));
    emitter.event((value) => heard.push(`second ${value}`));
    emitter.fire(1);
    assert.deepEqual(heard, ['first 1', 'second 1']);
  });

  it('no longer reaches a listener that was disposed', () => {
    const emitter = new Emitter<number>();
    const heard: number[] = [];
    const listener = emitter.event((value) => heard.push(value));
    emitter.fire(1);
    listener.dispose();
    listener.dispose();
    emitter.fire(2);
    assert.deepEqual(heard, [1]);
  });

  it('counts the same function twice where it was registered twice', () => {
    const emitter = new Emitter<void>();
    let calls = 0;
    const count = () => (calls += 1);
    const first = emitter.event(count);
    emitter.event(count);
    emitter.fire();
    first.dispose();
    emitter.fire();
    assert.equal(calls, 3);
  });

  it('reaches the others when one listener throws, and reports the error', () => {
    const errors: unknown[] = [];
    const emitter = new Emitter<void>((error) => errors.push(error));
    const boom = new Error('boom');
    let reached = false;
    emitter.event(() => {
      throw boom;
    });
    emitter.event(() => (reached = true));
    emitter.fire();
    assert.equal(reached, true);
    assert.deepEqual(errors, [boom]);
  });

  it('reaches those who listened when it was fired, whatever a listener adds or removes', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    emitter.event(() => {
      heard.push('first');
      second.dispose();
      emitter.event(() => heard.push('late'));
    });
    const second = emitter.event(() => heard.push('second'));
    emitter.fire();
    assert.deepEqual(heard, ['first', 'second']);
    emitter.fire();
    assert.deepEqual(heard, ['first', 'second', 'first', 'late']);
  });

  it('reaches nobody after the emitter was disposed', () => {
    const emitter = new Emitter<void>();
    emitter.event(() => assert.fail('heard'));
    emitter.dispose();
    emitter.fire();
  });
});

describe('the first event that passes', () => {
  it('resolves the promise, and nobody listens any more', async () => {
    const emitter = new Emitter<number>();
    const abort = new AbortController();
    let asked = 0;
    const accept = (value: number) => {
      asked += 1;
      return value > 1;
    };
    const first = once(emitter.event, accept, abort.signal);
    emitter.fire(1);
    emitter.fire(2);
    emitter.fire(3);
    assert.equal(await first, 2);
    assert.equal(asked, 2);
    assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
  });

  for (const when of ['before', 'while'] as const) {
    it(`rejects with the signal's reason when it aborts ${when} waiting`, async () => {
      const emitter = new Emitter<number>();
      const abort = new AbortController();
      const reason = new Error('withdrawn');
      if (when === 'before') abort.abort(reason);
      const first = once(emitter.event, () => assert.fail('asked'), abort.signal);
      abort.abort(reason);
      await assert.rejects(first, reason);
      emitter.fire(1);
      assert.deepEqual(getEventListeners(abort.signal, 'abort'), []);
    });
  }
});
