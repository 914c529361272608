import assert from 'node:assert/strict';
import { LastArguments } from '../../../../src/tools/run/lastArguments';
import { createMemento } from '../../../support/fakes/memento';

describe('The last arguments', () => {
  it('are those of the tool of the server, in the next window too', async () => {
    const store = createMemento();
    await new LastArguments(store).keep('a', 'tool', { x: 1 });
    const next = new LastArguments(store);
    assert.deepEqual(next.get('a', 'tool'), { x: 1 });
    assert.deepEqual(next.get('b', 'tool'), {});
    assert.deepEqual(next.get('a', 'other'), {});
  });

  it('hold nothing that looks like a secret, by name or by form, however deep', async () => {
    const last = new LastArguments(createMemento());
    await last.keep('a', 'tool', {
      path: 'x',
      api_key: 'hunter2',
      header: 'Bearer abcdefghijklmnop',
      nested: { password: 'hunter2' },
      line: 'curl -u me:hunter2 h',
      words: ['docker', 'login', '-p', 'hunter2'],
    });
    assert.deepEqual(last.get('a', 'tool'), { path: 'x' });
  });

  it('are not what a form was left with, which is there until the call is made', async () => {
    const last = new LastArguments(createMemento());
    await last.keepLeft('a', 'tool', { values: { x: 1 }, unfinished: '{' });
    assert.deepEqual(last.get('a', 'tool'), {});
    assert.deepEqual(last.getLeft('a', 'tool'), { values: { x: 1 }, unfinished: '{' });
    await last.keep('a', 'tool', { x: 2 });
    assert.deepEqual(last.get('a', 'tool'), { x: 2 });
    assert.deepEqual(last.getLeft('a', 'tool'), { values: {} });
  });

  it('have what a form was left with in the next window, too, without what may be secret', async () => {
    const store = createMemento();
    const last = new LastArguments(store);
    await last.keepLeft('a', 'tool', { values: { x: 1, api_key: 'hunter2' }, unfinished: '{' });
    assert.deepEqual(new LastArguments(store).getLeft('a', 'tool'), { values: { x: 1 } });
    await last.keep('a', 'tool', { x: 2 });
    assert.deepEqual(new LastArguments(store).getLeft('a', 'tool'), { values: {} });
  });

  it('hold no very long value', async () => {
    const last = new LastArguments(createMemento());
    await last.keep('a', 'tool', { short: 'x', long: 'x'.repeat(30_000) });
    assert.deepEqual(last.get('a', 'tool'), { short: 'x' });
  });

  it('of the tools that ran longest ago are forgotten', async () => {
    const last = new LastArguments(createMemento());
    for (let i = 0; i <= 50; i += 1) await last.keep('a', `tool${i}`, { i });
    assert.deepEqual([last.get('a', 'tool0'), last.get('a', 'tool1')], [{}, { i: 1 }]);
  });
});
