import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import {
  costsByServer,
  maxCountedTools,
  maxKeptCounts,
  ToolCosts,
} from '../../../../src/chat/offer/toolCosts';
import { ToolSets, maxToolSets } from '../../../../src/chat/offer/switchToolSet';
import { modelDefinition } from '../../../../src/contracts/modelSchema';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';
import { createMemento } from '../../../support/fakes/memento';
import { until } from '../../../support/until';

const one = (name: string, server = fakeServer({ id: 'a', name: 'files' })) => {
  const given = tool({ name, description: `Does ${name}.` });
  return { name, server, tool: given, definition: modelDefinition(given) };
};

/** Creates a model that counts one token per character, and records what it counted. */
function model(id: string) {
  const asked: string[] = [];
  const countTokens = (text: string) => {
    asked.push(text);
    return Promise.resolve(text.length);
  };
  return { id, asked, countTokens };
}

describe('what the definition of a tool costs', () => {
  it('is estimated by its size where no model counts, and marked as that', async () => {
    const costs = new ToolCosts();
    await costs.count([one('read')]);
    const { tokens, isEstimate } = costs.of(one('read'));
    assert.ok(isEstimate);
    assert.ok(tokens > 10 && tokens < 40, String(tokens));
  });

  it('is counted by the model once for a definition, however often its list is read', async () => {
    const costs = new ToolCosts();
    const counter = model('m');
    costs.use(counter);
    const [first, again] = [one('read'), one('read')];
    await costs.count([first]);
    await costs.count([again]);
    assert.equal(counter.asked.length, 1);
    assert.deepEqual(costs.of(again), { tokens: counter.asked[0]?.length, isEstimate: false });
  });

  it('is counted anew for another model and for a changed definition', async () => {
    const costs = new ToolCosts();
    costs.use(model('m'));
    const read = one('read');
    await costs.count([read]);
    costs.use(model('n'));
    assert.ok(costs.of(read).isEstimate);
    await costs.count([read]);
    assert.ok(!costs.of(read).isEstimate);
    assert.ok(costs.of(one('write')).isEstimate);
  });

  it('stays an estimate where the model cannot count', async () => {
    const costs = new ToolCosts();
    costs.use({ id: 'm', countTokens: () => Promise.reject(new Error('offline')) });
    await costs.count([one('read')]);
    assert.ok(costs.of(one('read')).isEstimate);
    costs.use({ id: 'n', countTokens: () => Promise.resolve(Number.NaN) });
    await costs.count([one('read')]);
    assert.ok(costs.of(one('read')).isEstimate);
  });

  it('is not waited for where the model takes long, and is known later', async () => {
    const costs = new ToolCosts();
    const count = deferred<number>();
    costs.use({ id: 'm', countTokens: () => count.promise });
    const read = one('read');
    await costs.count([read]);
    assert.ok(costs.of(read).isEstimate);
    count.resolve(7);
    await costs.count([read]);
    assert.equal(costs.of(read).tokens, 7);
  });

  it('is counted for the first five hundred of ten thousand tools', async () => {
    const costs = new ToolCosts();
    const counter = model('m');
    costs.use(counter);
    const all = Array.from({ length: 10_000 }, (_, at) => one(`tool${at}`));
    await costs.count(all);
    await until(() => !costs.total(all.slice(0, maxCountedTools)).isEstimate);
    assert.equal(counter.asked.length, maxCountedTools);
    assert.ok(costs.total(all).isEstimate);
  });

  it('is remembered for the last five thousand tools', async () => {
    const costs = new ToolCosts();
    const counter = model('m');
    costs.use(counter);
    const first = one('first');
    await costs.count([first]);
    for (let from = 0; from < maxKeptCounts; from += maxCountedTools)
      await costs.count(
        Array.from({ length: maxCountedTools }, (_, at) => one(`tool${from + at}`)),
      );
    await until(() => costs.of(first).isEstimate);
    assert.equal(counter.asked.length, maxKeptCounts + 1);
  });

  it('is summed up for each server, the most expensive first', () => {
    const notes = fakeServer({ id: 'b', name: 'notes' });
    const tools = [one('read'), one('list', notes), one('write', notes)];
    const told = costsByServer(tools, new ToolCosts());
    assert.deepEqual(
      told.map(({ server }) => server.name),
      ['notes', 'files'],
    );
  });
});

describe('sets of tools', () => {
  const read = { server: { id: 'a' }, tool: { name: 'read' } };
  const write = { server: { id: 'a' }, tool: { name: 'write' } };

  it('are kept by their name, with the tools that were in them', async () => {
    const store = createMemento();
    await new ToolSets(store).save('one', [read]);
    const sets = new ToolSets(store);
    assert.deepEqual(sets.names, ['one']);
    assert.deepEqual([read, write].map(sets.has('one')), [true, false]);
    await sets.save('one', [write]);
    assert.deepEqual([read, write].map(sets.has('one')), [false, true]);
    await sets.delete('one');
    assert.deepEqual(sets.names, []);
  });

  it('are fifty at most, the latest', async () => {
    const sets = new ToolSets(createMemento());
    for (let at = 0; at <= maxToolSets; at += 1) await sets.save(`set ${at}`, []);
    assert.equal(sets.names.length, maxToolSets);
    assert.equal(sets.names[0], 'set 1');
  });

  it('are in the order in which they were saved, also those whose names are numbers', async () => {
    const sets = new ToolSets(createMemento());
    for (const name of ['notes', '2024', '7', '__proto__']) await sets.save(name, [read]);
    assert.deepEqual(sets.names, ['notes', '2024', '7', '__proto__']);
    assert.ok(sets.has('__proto__')(read));
    for (let at = 4; at <= maxToolSets; at += 1) await sets.save(`set ${at}`, []);
    assert.equal(sets.names[0], '2024');
    await sets.save('2024', [write]);
    assert.equal(sets.names.at(-1), '2024');
  });

  for (const stored of ['text', [null, { name: 'one', tools: 'text' }], { one: 'text' }, null])
    it(`are none where the store holds ${JSON.stringify(stored)}`, () => {
      assert.deepEqual(new ToolSets(createMemento({ toolSets: stored })).names, []);
    });
});
