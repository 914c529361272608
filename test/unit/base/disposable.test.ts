import assert from 'node:assert/strict';
import { DisposableHolder, DisposableStore, toDisposable } from '../../../src/base/disposable';

function recorder() {
  const released: string[] = [];
  return { released, item: (name: string) => toDisposable(() => released.push(name)) };
}

describe('a disposable', () => {
  it('releases once', () => {
    const { released, item } = recorder();
    const one = item('one');
    one.dispose();
    one.dispose();
    assert.deepEqual(released, ['one']);
  });

  it('does not release again when it is disposed while it releases', () => {
    let count = 0;
    const one = toDisposable(() => {
      count += 1;
      one.dispose();
    });
    one.dispose();
    assert.equal(count, 1);
  });
});

describe('a store of disposables', () => {
  it('disposes the latest first', () => {
    const { released, item } = recorder();
    const store = new DisposableStore();
    for (const name of ['one', 'two', 'three']) store.add(item(name));
    store.dispose();
    assert.deepEqual(released, ['three', 'two', 'one']);
  });

  it('disposes at once what comes after its end', () => {
    const { released, item } = recorder();
    const store = new DisposableStore();
    store.dispose();
    store.add(item('late'));
    assert.deepEqual(released, ['late']);
  });

  it('can be filled again after it was cleared', () => {
    const { released, item } = recorder();
    const store = new DisposableStore();
    store.add(item('one'));
    store.clear();
    store.add(item('two'));
    assert.deepEqual(released, ['one']);
    store.dispose();
    assert.deepEqual(released, ['one', 'two']);
  });

  it('lets one item go ahead of the rest, and no stranger', () => {
    const { released, item } = recorder();
    const store = new DisposableStore();
    const one = store.add(item('one'));
    store.add(item('two'));
    store.delete(one);
    store.delete(item('stranger'));
    assert.deepEqual(released, ['one']);
    store.dispose();
    assert.deepEqual(released, ['one', 'two']);
  });
});

describe('a holder of one disposable', () => {
  it('disposes the one before when it gets another', () => {
    const { released, item } = recorder();
    const holder = new DisposableHolder();
    holder.value = item('one');
    const two = item('two');
    holder.value = two;
    assert.deepEqual(released, ['one']);
    assert.equal(holder.value, two);
    holder.value = undefined;
    assert.deepEqual(released, ['one', 'two']);
  });

  it('keeps what it holds when it gets the same again', () => {
    const { released, item } = recorder();
    const holder = new DisposableHolder();
    const one = item('one');
    holder.value = one;
    holder.value = one;
    assert.deepEqual(released, []);
  });

  it('disposes at once what comes after its end', () => {
    const { released, item } = recorder();
    const holder = new DisposableHolder();
    holder.value = item('one');
    holder.dispose();
    holder.value = item('late');
    assert.deepEqual(released, ['one', 'late']);
    assert.equal(holder.value, undefined);
  });
});
