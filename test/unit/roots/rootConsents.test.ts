import assert from 'node:assert/strict';
import { askWorkspaceRoots } from '../../../src/roots/askRoot';
import { readAdded, withoutLinks } from '../../../src/roots/rootChoices';
import { RootConsents } from '../../../src/roots/roots';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';
import { createMementoOf } from '../../support/fakes/memento';

describe('roots that a workspace adds', () => {
  it('are told to nobody before the user agreed, which is asked once', () => {
    const consents = new RootConsents(createMementoOf());
    assert.equal(consents.allows('file:///'), false);
    assert.deepEqual([...consents.takeUnasked(['file:///'])], ['file:///']);
    assert.deepEqual([...consents.takeUnasked(['file:///', 'file:///a'])], ['file:///a']);
    assert.equal(consents.allows('file:///'), false);
  });

  for (const [what, uri, expected] of [
    ['steps that lead up', `file:///w/app${'%20'.repeat(300)}/x/../../..`, '/'],
    ['a long path', `file:///w/${'deep/'.repeat(60)}end`, `/w/${'deep/'.repeat(60)}end`],
    ['what looks like an icon', 'file:///w/$(trash)', '/w/$\u2060(trash)'],
    ['hidden characters', 'file:///w/a%E2%80%AEb', '/w/a⟨U+202E⟩b'],
    ['an address', 'https://example.com/a/../b', 'https://example.com/b'],
  ] as const)
    it(`are asked about with all of where they are: ${what}`, async () => {
      const picks = watchPicks();
      try {
        const asked = askWorkspaceRoots(newQuestions(), readAdded([{ uri, name: 'harmless' }]));
        const shown = await picks.next(/^Share these places/);
        const end = shown.labels.indexOf('Share');
        const rows = shown.labels.slice(0, end).map((row) => row.replace(/^\u2003+/, ''));
        assert.equal(rows.join(''), expected);
        shown.choose('Do Not Share');
        assert.equal(await asked, false);
      } finally {
        picks.dispose();
      }
    });

  for (const [what, uri, expected] of [
    ['out of the folder', 'file:///w/app/docs', ['/', '/w/app/docs']],
    [
      'out of the folder, with more behind it',
      'file:///w/app/docs/etc',
      ['/etc', '/w/app/docs/etc'],
    ],
    ['to another folder in it', 'file:///w/app/here', ['/w/app/there']],
    ['nowhere', 'file:///w/app/plain', ['/w/app/plain']],
    ['to a folder outside, from outside', 'file:///other/docs', ['/']],
    ['on the network of Windows, which nobody looks up', 'file://host/share', ['\\\\host\\share']],
  ] as const)
    it(`are asked about, and told, where their links lead: ${what}`, async () => {
      const links = { '/w/app/docs': '', '/w/app/here': '/w/app/there', '/other/docs': '' };
      const realPath = (path: string) => {
        assert.doesNotMatch(path, /^\\\\/);
        const link = Object.entries(links).find(([from]) => path.startsWith(from));
        return Promise.resolve(link ? path.replace(...link) || '/' : path);
      };
      const roots = await withoutLinks(readAdded([{ uri }]), ['file:///w/app'], realPath);
      const picks = watchPicks();
      try {
        const asked = askWorkspaceRoots(newQuestions(), [...roots.values()]);
        const shown = await picks.next(/^Share these places/);
        const rows = shown.labels.slice(0, shown.labels.indexOf('Share'));
        const [path, link] = expected;
        const warning = link && `A link leads there, out of the workspace: ${link}`;
        assert.deepEqual(rows.join('').replaceAll('\u2003', ''), `${path}${warning ?? ''}`);
        shown.choose('Do Not Share');
        await asked;
      } finally {
        picks.dispose();
      }
    });

  it('stay as they were decided, in later windows too, each for itself', async () => {
    const store = createMementoOf();
    await new RootConsents(store).decide(['file:///a', 'file:///b'], true);
    await new RootConsents(store).decide(['file:///b', '__proto__'], false);
    const later = new RootConsents(store);
    assert.deepEqual(
      ['file:///a', 'file:///b', '__proto__', 'constructor'].map((uri) => later.allows(uri)),
      [true, false, false, false],
    );
    assert.deepEqual(
      [...later.takeUnasked(['file:///a', 'file:///b', 'constructor'])],
      ['constructor'],
    );
  });

  it('are one folder of Windows, however its drive is written', async () => {
    const store = createMementoOf();
    await new RootConsents(store).decide(['file:///c%3A/work'], true);
    const later = new RootConsents(store);
    for (const uri of ['file:///C:/work', 'file:///c:/work/', 'file:///c%3A/work']) {
      assert.equal(later.allows(uri), true);
      assert.deepEqual([...later.takeUnasked([uri])], []);
    }
    assert.deepEqual([...later.takeUnasked(['file:///D:/work'])], ['file:///D:/work']);
    assert.deepEqual([...later.takeUnasked(['file:///d%3A/work'])], []);
  });

  for (const broken of [7, {}, [['file:///']], [[1, true]], 'x'])
    it(`are not shared where the store holds ${JSON.stringify(broken)}`, () =>
      assert.equal(new RootConsents(createMementoOf(broken)).allows('file:///'), false));
});
