import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  findRoot,
  isTold as isToldBy,
  isToldAny as isToldAnyBy,
  maxHiddenRoots,
  maxAddedRoots,
  maxRootLength,
  mergeRoots,
  readAdded,
  readHidden,
  rootProblem,
  rootsFor as rootsForBy,
  withAdded,
  withChoice,
  withoutAdded,
  type HiddenRoots,
  type RootEntry,
} from '../../../src/roots/rootChoices';
import { leeway, processMs } from '../../support/processes/ownLoad';
import { Setting } from '../../../src/ui/ids';
import { mergeLevels, settingRules } from '../../../src/ui/settings/settingRules';

const app: RootEntry = { uri: 'file:///w/app', name: 'app', key: 'app', added: false };
const docs: RootEntry = { uri: 'file:///w/docs', name: 'docs', key: 'docs', added: false };
const servers = ['a', 'b', 'c'];

const isTold = (hidden: HiddenRoots, root: RootEntry, server: string) =>
  isToldBy(readHidden(hidden), root, server);
const isToldAny = (hidden: HiddenRoots, root: RootEntry, of: readonly string[]) =>
  isToldAnyBy(readHidden(hidden), root, of);
const rootsFor = (roots: readonly RootEntry[], hidden: HiddenRoots, server: string) =>
  rootsForBy(roots, readHidden(hidden), server);

describe('choices of roots', () => {
  it('of many roots are read once, up to a bound', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, i) => `file:///w/${i}`);
    const many = Object.fromEntries(keys(100_000).map((key) => [key, ['a']]));
    const hidden = readHidden(many);
    assert.equal(hidden.size, maxHiddenRoots);
    const roots = readAdded(keys(100).map((uri) => ({ uri })));
    const began = processMs();
    for (let server = 0; server < 100; server += 1)
      assert.equal(
        rootsForBy(roots, hidden, server === 0 ? 'a' : 'b').length,
        server === 0 ? 0 : 100,
      );
    assert.ok((processMs() - began) / leeway() < 2000);
    const tooLong = `file:///${'x'.repeat(maxRootLength)}`;
    assert.equal(readHidden({ [tooLong]: ['a'], app: ['a'] }).size, 1);
  });

  it('are written back with the roots and entries that are not read', () => {
    const all = Array.from({ length: maxAddedRoots + 5 }, (_, at) => ({ uri: `file:///w/${at}` }));
    const odd = [{ uri: 'odd' }, 7, ...all];
    const [root = assert.fail()] = readAdded(odd);
    assert.deepEqual(
      withoutAdded(odd, (uri) => uri === root.uri),
      odd.filter((one) => one !== all[0]),
    );
    assert.deepEqual(
      withoutAdded(undefined, () => true),
      [],
    );
    assert.equal(withAdded(all, { uri: 'file:///w/new' }), undefined);
    assert.equal(withAdded(all.slice(0, maxAddedRoots), { uri: 'file:///w/new' }), undefined);
    const most = withAdded([7, ...all.slice(0, maxAddedRoots - 2)], { uri: 'file:///w/new' });
    assert.deepEqual([most?.length, most?.[0]], [maxAddedRoots, 7]);
    assert.equal(readAdded(most).at(-1)?.uri, 'file:///w/new');
  });

  it('take a folder of Windows for one root, however its drive is written', () => {
    const work = { ...app, uri: 'file:///c:/work' };
    for (const uri of ['file:///C:/work', 'file:///c%3A/work/', 'file:///C:/work/'])
      assert.deepEqual(mergeRoots([work], readAdded([{ uri }])), [work]);
    assert.equal(mergeRoots([work], readAdded([{ uri: 'file:///D:/work' }])).length, 2);
  });

  it('hold for a folder of Windows, however its drive is written', () => {
    const [root = assert.fail()] = readAdded([{ uri: 'file:///c%3A/work' }]);
    const hidden = { 'file:///C:/work/': ['a'] };
    assert.deepEqual(
      servers.map((server) => isTold(hidden, root, server)),
      [false, true, true],
    );
    assert.deepEqual(withChoice(hidden, root, { server: 'a', told: true, servers }), {});
    assert.deepEqual(withChoice(hidden, root, { server: 'b', told: false, servers }), {
      [root.key]: ['a', 'b'],
    });
  });

  it('tell every server of everything at first', () =>
    assert.deepEqual(rootsFor([app, docs], {}, 'a'), [
      { uri: 'file:///w/app', name: 'app' },
      { uri: 'file:///w/docs', name: 'docs' },
    ]));

  it('hide a root from one server alone', () => {
    const hidden = withChoice({}, app, { server: 'b', told: false, servers });
    assert.deepEqual(
      servers.map((server) => rootsFor([app, docs], hidden, server).length),
      [2, 1, 2],
    );
    assert.ok(isToldAny(hidden, app, servers));
  });

  it('hide a root from all, servers of the future included', () => {
    const hidden = withChoice({}, app, { server: '*', told: false, servers });
    assert.deepEqual(rootsFor([app], hidden, 'new'), []);
    assert.equal(isToldAny(hidden, app, servers), false);
  });

  it('tell one server of a root that was hidden from all', () => {
    const none = withChoice({}, app, { server: '*', told: false, servers });
    const hidden = withChoice(none, app, { server: 'b', told: true, servers });
    assert.deepEqual(hidden, { app: ['a', 'c'] });
  });

  it('come back to nothing when everything is told again', () =>
    assert.deepEqual(
      withChoice({ app: ['a'], docs: ['b'] }, app, { server: 'a', told: true, servers }),
      { docs: ['b'] },
    ));

  it('always end in what was chosen last', () => {
    const choice = fc.record({ server: fc.constantFrom(...servers), told: fc.boolean() });
    fc.assert(
      fc.property(fc.array(choice), (choices) => {
        let hidden: HiddenRoots = {};
        const last = new Map<string, boolean>();
        for (const { server, told } of choices) {
          hidden = withChoice(hidden, app, { server, told, servers });
          last.set(server, told);
        }
        for (const server of servers)
          assert.equal(isTold(hidden, app, server), last.get(server) ?? true);
      }),
    );
  });

  for (const key of ['constructor', 'toString', '__proto__'])
    it(`are made for a folder named ${key} as for any other`, () => {
      const root: RootEntry = { uri: `file:///w/${key}`, name: key, key, added: false };
      const told = (hidden: HiddenRoots) => servers.filter((one) => isTold(hidden, root, one));
      assert.deepEqual(told({}), servers);
      assert.ok(isToldAny({}, root, []));
      const hidden = withChoice({}, root, { server: 'b', told: false, servers });
      assert.deepEqual(told(hidden), ['a', 'c']);
      const none = withChoice(hidden, root, { server: '*', told: false, servers });
      assert.equal(isToldAny(none, root, []), false);
      const one = withChoice(none, root, { server: 'a', told: true, servers });
      assert.deepEqual(told(one), ['a']);
      assert.deepEqual(withChoice(one, root, { server: '*', told: true, servers }), {});
    });

  it('take malformed settings for none', () => {
    for (const value of [undefined, null, 1, 'x', [], { app: 'b' }, { app: [1] }])
      assert.ok(isTold(mergeLevels(settingRules[Setting.hiddenRoots], value, []), app, 'b'));
    for (const value of [undefined, null, {}, [1], [{}], [{ uri: 'nonsense' }]])
      assert.deepEqual(readAdded(value), []);
  });

  it('are about the place where an address leads, which is also what servers are told', () => {
    const uri = `file:///w/project${'%20'.repeat(200)}/x/../..%2F..`;
    const [root = assert.fail()] = readAdded([{ uri, name: 'Project' }]);
    assert.equal(root.uri, 'file:///');
    assert.deepEqual(rootsFor([root], {}, 'a'), [{ uri: 'file:///', name: 'Project' }]);
    assert.equal(
      isTold(withChoice({}, root, { server: 'a', told: false, servers }), root, 'a'),
      false,
    );
  });

  it('are made for so many added roots, and for addresses of such a length', () => {
    const many = Array.from({ length: maxAddedRoots + 1 }, (_, index) => ({
      uri: `file:///${index}`,
    }));
    assert.equal(readAdded(many).length, maxAddedRoots);
    const long = `file:///${'a'.repeat(maxRootLength)}`;
    assert.deepEqual(readAdded([{ uri: long }]), []);
    assert.equal(readAdded([{ uri: long.slice(0, maxRootLength) }]).length, 1);
  });

  const addedAt = (uri: string): RootEntry => ({ uri, name: 'Other', key: uri, added: true });

  for (const uri of ['file:///w/app', 'file:///w/app/', 'file:///w/./app', 'FILE:///w/app'])
    it(`tell of ${uri} once when it is a folder of the workspace as well`, () => {
      assert.equal(findRoot([app, docs], uri), app);
      assert.deepEqual(mergeRoots([app, docs], [addedAt(uri)]), [app, docs]);
    });

  it('tell once of what was added twice, and of all that only looks alike', () => {
    const others = ['file:///w/app2', 'file:///w/App', 'https://example.com/w/app'].map(addedAt);
    assert.deepEqual(mergeRoots([app], [...others, ...others]), [app, ...others]);
  });

  for (const [uri, problem] of [
    ['file:///w/x', undefined],
    ['https://example.com/repo', undefined],
    ['ftp://example.com', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://', 'form'],
    ['plain', 'form'],
  ] as const)
    it(`find ${problem ?? 'no'} problem with ${uri}`, () =>
      assert.equal(rootProblem(uri), problem));
});
