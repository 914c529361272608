import assert from 'node:assert/strict';
import { ToolSelection } from '../../../src/offer/offeredTools';

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
});
