import assert from 'node:assert/strict';
import { ToolSelection } from '../../../src/offer/offeredTools';
import { createMemento } from '../../support/fakes/memento';

const entry = (server: string, tool: string) => ({ server: { id: server }, tool: { name: tool } });

describe('The choice of tools', () => {
  let kept: unknown;
  const store = {
    get: () => kept,
    update: (_key: string, value: unknown) => {
      kept = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  };
  const offers = (one: ReturnType<typeof entry>) => new ToolSelection(store).offers(one);
  beforeEach(() => (kept = undefined));

  it('offers every tool at first, and new ones later', async () => {
    assert.ok(offers(entry('a', 'x')));
    await new ToolSelection(store).choose([entry('a', 'x')], []);
    assert.ok(!offers(entry('a', 'x')));
    assert.ok(offers(entry('a', 'new')));
    assert.ok(offers(entry('b', 'x')));
  });

  it('leaves tools as they were that were not there to choose', async () => {
    const selection = new ToolSelection(store);
    await selection.choose([entry('a', 'x')], []);
    await selection.choose([entry('b', 'y')], [entry('b', 'y')]);
    assert.ok(!offers(entry('a', 'x')));
    await selection.choose([entry('a', 'x')], [entry('a', 'x')]);
    assert.ok(offers(entry('a', 'x')));
  });

  it('is the same for an agent until the user makes another for it', async () => {
    const values = createMemento();
    const selection = new ToolSelection(values);
    const ofAgent = selection.ofAgent('one');
    const [x, y] = [entry('a', 'x'), entry('a', 'y')];
    let changes = 0;
    ofAgent.onDidChange(() => (changes += 1));
    await selection.choose([x, y], [x]);
    assert.deepEqual([x, y].map(ofAgent.offers), [true, false]);
    await ofAgent.choose([x, y], [y]);
    await selection.ofAgent('other').choose([x, y], []);
    assert.deepEqual([x, y].map(ofAgent.offers), [false, true]);
    assert.deepEqual([x, y].map(selection.offers), [true, false]);
    await selection.forgetAgent('one');
    assert.deepEqual([x, y].map(ofAgent.offers), [true, false]);
    assert.equal(changes, 3);
  });
});
