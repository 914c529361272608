import assert from 'node:assert/strict';
import { HourBudget } from '../../../src/requests/sampling/hourBudget';

const limits = { requests: 3, tokens: 1000 };

function createBudget() {
  let time = 1_000_000;
  const kept = new Map<string, unknown>();
  const store = {
    get: (key: string) => kept.get(key),
    // As JSON, like in the editor's store, from which other windows read it.
    update: (key: string, value: unknown) =>
      Promise.resolve(void kept.set(key, JSON.parse(JSON.stringify(value)))),
  };
  const open = () => new HourBudget(store, () => time);
  return { budget: open(), open, kept, wait: (ms: number) => (time += ms) };
}

describe('the budget of a server', () => {
  it('suffices for as many requests an hour as it says, and for more later', () => {
    const { budget, wait } = createBudget();
    for (let i = 0; i < 3; i += 1) {
      assert.ok(budget.reserve('a', 1, limits));
      wait(60_000);
    }
    assert.equal(budget.reserve('a', 1, limits), undefined);
    assert.ok(budget.reserve('b', 1, limits));
    // An hour after the first request.
    wait(3_600_000 - 180_000);
    assert.ok(budget.reserve('a', 1, limits));
    assert.equal(budget.reserve('a', 1, limits), undefined);
  });

  it('is not exceeded by what a request may cost at most', () => {
    const { budget } = createBudget();
    assert.equal(budget.reserve('a', 1001, limits), undefined);
    assert.ok(budget.reserve('a', 600, limits));
    assert.equal(budget.reserve('a', 600, limits), undefined);
    assert.ok(budget.reserve('a', 400, limits));
  });

  it('gets back what a request did not use', () => {
    const { budget } = createBudget();
    budget.reserve('a', 900, limits)?.settle(100);
    assert.deepEqual(budget.spent('a'), { requests: 1, tokens: 100 });
    assert.ok(budget.reserve('a', 900, limits));
  });

  it('is used up by requests that were asked about, too', () => {
    const { budget } = createBudget();
    budget.spend('a', 950);
    assert.equal(budget.reserve('a', 100, limits), undefined);
  });

  it('is one for all windows, and outlives them', () => {
    const { budget, open } = createBudget();
    const reserved = budget.reserve('a', 900, limits);
    assert.equal(open().reserve('a', 200, limits), undefined);
    reserved?.settle(100);
    assert.deepEqual(open().spent('a'), { requests: 1, tokens: 100 });
  });

  it('keeps nothing that is older than an hour, and takes nothing odd for a spending', () => {
    const { budget, kept, wait } = createBudget();
    budget.spend('a', 1);
    wait(3_600_000);
    budget.spend('b', 2);
    const [key, value] = [...kept][0] ?? [];
    assert.ok(key !== undefined && Array.isArray(value));
    assert.equal(value.length, 1);
    kept.set(key, [...(value as unknown[]), null, 'odd', { server: 'b', time: 'now', tokens: {} }]);
    assert.deepEqual(budget.spent('b'), { requests: 1, tokens: 2 });
  });

  it('of nothing allows nothing', () =>
    assert.equal(createBudget().budget.reserve('a', 0, { requests: 0, tokens: 0 }), undefined));
});
