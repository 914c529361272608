import assert from 'node:assert/strict';
import { signalOf } from '../../../src/base/async';

describe('the signal of a cancellation', () => {
  it('aborts with it, for the reason that is given', () => {
    let cancel = () => {};
    const token = {
      isCancellationRequested: false,
      onCancellationRequested: (listener: () => void) => (cancel = listener),
    };
    const signal = signalOf(token, 'why');
    assert.equal(signal.aborted, false);
    cancel();
    assert.deepEqual([signal.aborted, signal.reason], [true, 'why']);
  });

  it('is aborted where that was cancelled before', () =>
    assert.equal(
      signalOf({ isCancellationRequested: true, onCancellationRequested: () => {} }).aborted,
      true,
    ));
});
