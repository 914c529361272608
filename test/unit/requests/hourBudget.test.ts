import assert from 'node:assert/strict';
import { HourBudget } from '../../../src/requests/sampling/hourBudget';

const limits = { requests: 3, tokens: 1000 };

function createBudget() {
  let time = 1_000_000;
  const budget = new HourBudget(() => time);
  return { budget, wait: (ms: number) => (time += ms) };
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
    // An hour after the first.
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

  it('of nothing allows nothing', () =>
    assert.equal(createBudget().budget.reserve('a', 0, { requests: 0, tokens: 0 }), undefined));
});
