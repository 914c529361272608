import assert from 'node:assert/strict';
import { SavedResources } from '../../../../src/resources/live/savedResources';
import { ViewOptions } from '../../../../src/resources/tree/viewOptions';
import { createMemento } from '../../../support/fakes/memento';

const resource = (n: number) => ({ uri: `x://${n}`, name: `n${n}`, mimeType: 'text/plain' });
const uris = (kept: readonly { readonly uri: string }[]) => kept.map(({ uri }) => uri);

describe('kept resources', () => {
  it('are pinned over sessions until the pin is taken off', async () => {
    const state = createMemento();
    await new SavedResources(state).setPinned('s', resource(1), true);
    const next = new SavedResources(state);
    assert.ok(next.isPinned({ serverId: 's', uri: 'x://1' }));
    assert.ok(!next.isPinned({ serverId: 'other', uri: 'x://1' }));
    await next.setPinned('s', resource(1), false);
    assert.deepEqual(next.all, []);
  });

  it('are forgotten with their server, and no others', async () => {
    const state = createMemento();
    const saved = new SavedResources(state);
    await saved.setPinned('s', resource(1), true);
    await saved.addResult('s', 'x://{n}', resource(2));
    await saved.setPinned('other', resource(1), true);
    const changed: string[] = [];
    saved.onDidChange((id) => changed.push(id));
    for (const id of ['s', 'nobody']) await saved.forgetOf(id);
    assert.deepEqual(changed, ['s']);
    assert.deepEqual(
      new SavedResources(state).all.map(({ serverId }) => serverId),
      ['other'],
    );
  });

  it('hold the last results of a template, the latest first, each once', async () => {
    const saved = new SavedResources(createMemento());
    for (const n of [...Array.from({ length: 12 }, (_, i) => i), 11, 5])
      await saved.addResult('s', 'x://{n}', resource(n));
    assert.deepEqual(uris(saved.resultsOf('s', 'x://{n}')), [
      'x://5',
      'x://11',
      'x://10',
      'x://9',
      'x://8',
      'x://7',
      'x://6',
      'x://4',
    ]);
    assert.deepEqual(saved.resultsOf('s', 'y://{n}'), []);
  });

  it('never lose a pinned result to newer ones', async () => {
    const saved = new SavedResources(createMemento());
    await saved.addResult('s', 't', resource(0));
    await saved.setPinned('s', resource(0), true);
    for (let n = 1; n < 20; n += 1) await saved.addResult('s', 't', resource(n));
    assert.ok(uris(saved.resultsOf('s', 't')).includes('x://0'));
    await saved.addResult('s', 't', resource(0));
    assert.ok(saved.isPinned({ serverId: 's', uri: 'x://0' }));
  });

  it('stay results when the pin is taken off, and go when they are forgotten', async () => {
    const saved = new SavedResources(createMemento());
    await saved.addResult('s', 't', resource(0));
    await saved.setPinned('s', resource(0), true);
    await saved.setPinned('s', resource(0), false);
    assert.deepEqual(uris(saved.resultsOf('s', 't')), ['x://0']);
    await saved.forget({ serverId: 's', uri: 'x://0' });
    assert.deepEqual(saved.all, []);
  });

  it('are not written down with a huge URI', async () => {
    const saved = new SavedResources(createMemento());
    await saved.addResult('s', 't', { uri: `x://${'a'.repeat(1_000_000)}`, name: 'big' });
    assert.deepEqual(saved.all, []);
  });

  it('are none when what is stored is malformed', () => {
    for (const stored of [1, 'x', {}, [1], [{}], [{ serverId: 's' }]])
      assert.deepEqual(new SavedResources(createMemento({ 'resources.kept': stored })).all, []);
  });

  it('announce the server whose resources changed', async () => {
    const saved = new SavedResources(createMemento());
    const seen: string[] = [];
    saved.onDidChange((serverId) => seen.push(serverId));
    await saved.setPinned('s', resource(1), true);
    assert.deepEqual(seen, ['s']);
  });
});

describe('the options of the tree', () => {
  it('are remembered but for the filter', async () => {
    const state = createMemento();
    const options = new ViewOptions(state);
    await options.setFlat(true);
    await options.setSort('size');
    options.setFilter('x');
    const next = new ViewOptions(state);
    assert.deepEqual([next.flat, next.sort, next.filter.text], [true, 'size', '']);
  });

  it('are the usual ones when what is stored is malformed', () => {
    const options = new ViewOptions(
      createMemento({ 'resources.sort': 'colour', 'resources.flat': 1 }),
    );
    assert.deepEqual([options.flat, options.sort], [false, 'name']);
  });

  it('announce a change, and none when nothing changed', () => {
    const options = new ViewOptions(createMemento());
    let count = 0;
    options.onDidChange(() => (count += 1));
    options.setFilter('x');
    options.setFilter('x');
    assert.equal(count, 1);
  });
});
