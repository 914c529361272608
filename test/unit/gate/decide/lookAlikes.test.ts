import assert from 'node:assert/strict';
import { findLookAlikes } from '../../../../src/gate/decide/lookAlikes';

const server = (id: string, ...names: string[]) => ({
  id,
  name: id,
  tools: { items: names.map((name) => ({ name })) },
});

describe('Look-alike tools', () => {
  const alike: readonly [string, string][] = [
    ['calculate', 'c\u0430lculate'],
    ['read_file', 'readFile'],
    ['read-file', 'read.file'],
    ['list', 'l1st'],
    ['tool', 't0ol'],
    ['modern', 'modem'],
    ['résumé', 'resume'],
    ['search', 'se\u200Barch'],
    ['ｆｅｔｃｈ', 'fetch'],
  ];
  for (const [one, other] of alike)
    it(`finds ${JSON.stringify(other)} beside ${JSON.stringify(one)}, on its own server too`, () => {
      assert.deepEqual(findLookAlikes('a', one, [server('a', one, other)]), [
        { server: { id: 'a', name: 'a' }, tool: other, same: false },
      ]);
      assert.equal(findLookAlikes('a', other, [server('a', other), server('b', one)]).length, 1);
    });

  it('finds the same name on another server', () => {
    const servers = [server('a', 'search', 'fetch'), server('b', 'search')];
    assert.deepEqual(findLookAlikes('a', 'search', servers), [
      { server: { id: 'b', name: 'b' }, tool: 'search', same: true },
    ]);
    assert.deepEqual(findLookAlikes('a', 'fetch', servers), []);
  });

  it('leaves names alone that only share letters', () => {
    const servers = [server('a', 'get_user', 'get_users', 'set_user', 'user_get')];
    assert.deepEqual(findLookAlikes('a', 'get_user', servers), []);
  });

  it('reads the names of a list once, however many calls ask', () => {
    let reads = 0;
    const items = Array.from({ length: 1000 }, (_, i) => ({
      get name() {
        reads += 1;
        return `tool-${i}`;
      },
    }));
    const servers = [{ id: 'b', name: 'b', tools: { items } }];
    for (let i = 0; i < 100; i += 1) assert.equal(findLookAlikes('a', 'tool_7', servers).length, 1);
    assert.equal(reads, 1000);
    assert.equal(findLookAlikes('a', 'new', [server('b', 'n3w', 'new')]).length, 1);
  });
});
