import assert from 'node:assert/strict';
import type { Resource } from '../../../src/mcp/protocol/types';
import { containsWords, matchResource } from '../../../src/resources/tree/match';
import { sortResources } from '../../../src/resources/tree/viewOptions';
import { searchResources } from '../../../src/resources/commands/findResource';

const resources: readonly Resource[] = [
  { uri: 'x://h/deep/config.json', name: 'config.json', size: 10 },
  { uri: 'x://h/readme', name: 'readme', title: 'Read Me First', size: 3000 },
  { uri: 'x://h/item10', name: 'item10', annotations: { lastModified: '2025-01-02T00:00:00Z' } },
  { uri: 'x://h/item9', name: 'Item9', annotations: { lastModified: '2025-01-03T00:00:00Z' } },
  { uri: 'x://h/odd', name: 'odd', annotations: { lastModified: 'yesterday' } },
];
const names = (found: readonly Resource[]) => found.map(({ name }) => name);
const find = async (typed: string, limit = 10) => {
  const entries = resources.map((resource) => ({ resource }));
  const { best, count } = await searchResources(
    entries,
    typed,
    limit,
    new AbortController().signal,
  );
  return { names: best.map(({ resource }) => resource.name), count };
};

describe('finding resources', () => {
  for (const [typed, expected] of [
    ['config', ['config.json']],
    ['CONFIG', ['config.json']],
    ['first', ['readme']],
    ['first read', ['readme']],
    ['deep json', ['config.json']],
    ['itm', ['item10', 'Item9']],
    ['h/item', ['item10', 'Item9']],
    ['nothing like it', []],
  ] as const)
    it(`gives ${expected.join(' and ') || 'none'} for “${typed}”`, async () =>
      assert.deepEqual((await find(typed)).names.toSorted(), [...expected].toSorted()));

  it('puts what begins like the typed text before what only holds its letters', () => {
    const exact = matchResource({ name: 'note', uri: 'x://1' }, 'note') ?? 0;
    const start = matchResource({ name: 'notebook', uri: 'x://1' }, 'note') ?? 0;
    const inside = matchResource({ name: 'keynotes', uri: 'x://1' }, 'note') ?? 0;
    const scattered = matchResource({ name: 'n-o-t-e', uri: 'x://1' }, 'note') ?? 0;
    assert.ok(exact > start && start > inside && inside > scattered && scattered > 0);
  });

  it('gives the first ones, and counts all, for nothing typed', async () =>
    assert.deepEqual(await find('', 2), { names: ['config.json', 'readme'], count: 5 }));

  it('stops when something else was typed', async () => {
    const entries = Array.from({ length: 200_000 }, (_, i) => ({
      resource: { uri: `x://h/${i}`, name: `name ${i}` },
    }));
    const typing = new AbortController();
    const search = searchResources(entries, 'name 1 2 3', 10, typing.signal);
    typing.abort();
    await assert.rejects(search, { name: 'CancelledError' });
  });

  it('looks at no more of a huge URI than a user would', () => {
    const uri = `x://h/${'a'.repeat(1_000_000)}zzz`;
    assert.equal(matchResource({ name: 'x', uri }, 'zzz'), undefined);
  });
});

describe('filtering resources', () => {
  for (const [typed, expected] of [
    ['config', ['config.json']],
    ['FIRST read', ['readme']],
    ['deep json', ['config.json']],
    ['itm', []],
    ['h/item', ['item10', 'Item9']],
  ] as const)
    it(`leaves ${expected.join(' and ') || 'none'} for “${typed}”`, () =>
      assert.deepEqual(names(resources.filter((one) => containsWords(one, typed))), expected));
});

describe('sorting resources', () => {
  for (const [key, expected] of [
    ['name', ['config.json', 'Item9', 'item10', 'odd', 'readme']],
    ['size', ['readme', 'config.json', 'Item9', 'item10', 'odd']],
    ['changed', ['Item9', 'item10', 'config.json', 'odd', 'readme']],
  ] as const)
    it(`by ${key} puts those without a value last`, () =>
      assert.deepEqual(names(sortResources(resources, key)), expected));
});
