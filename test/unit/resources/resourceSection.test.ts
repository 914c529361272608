import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { once } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import type { Resource } from '../../../src/mcp/protocol/types';
import type { Server } from '../../../src/mcp/server';
import { SavedResources } from '../../../src/resources/live/savedResources';
import { LiveResources } from '../../../src/resources/live/liveResources';
import { ResourceSection } from '../../../src/resources/tree/resourceSection';
import { ResourceStore } from '../../../src/resources/documents/resourceStore';
import { ViewOptions } from '../../../src/resources/tree/viewOptions';
import type { TreeNode } from '../../../src/ui/tree';
import { FakeServer, FakeServers, text } from '../../support/fakes/fakeServer';

const named = (uri: string, more: Partial<Resource> = {}): Resource => ({
  uri,
  name: uri.slice(uri.lastIndexOf('/') + 1),
  ...more,
});

/** Returns a text of an item, which must be a plain string. */
function plain(value: unknown): string {
  assert.equal(typeof value, 'string');
  return value as string;
}

/** The resource rows of fake servers. */
class Tree {
  readonly fake: FakeServer;
  readonly live: LiveResources;
  readonly saved: SavedResources;
  readonly options: ViewOptions;
  readonly store: ResourceStore;
  readonly section: ResourceSection;
  readonly parent: TreeNode = { id: 'top', parent: undefined, item: () => new vscode.TreeItem('') };

  constructor(resources: readonly Resource[], ...others: FakeServer[]) {
    this.fake = new FakeServer({ id: 'one', resources });
    const servers = new FakeServers(this.fake, ...others);
    const values = new Map<string, unknown>();
    const state = {
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    };
    this.store = new ResourceStore(servers);
    this.saved = new SavedResources(state);
    this.options = new ViewOptions(state);
    this.live = new LiveResources(servers, this.store, silentLogger);
    this.section = new ResourceSection(servers, this);
  }

  get server(): Server {
    return this.fake;
  }

  top(): readonly TreeNode[] {
    return this.section.nodes(this.server, this.parent);
  }

  /** Returns the labels of rows, or of those below a path of folders. */
  async labels(rows: readonly TreeNode[] = this.top(), ...path: string[]): Promise<string[]> {
    const [label, ...rest] = path;
    if (label === undefined) return rows.map((row) => plain(row.item().label));
    const folder = rows.find((row) => row.item().label === label);
    const below = await folder?.children?.();
    assert.ok(below, `a folder ${label}`);
    return this.labels(below, ...rest);
  }
}

const itemOf = (rows: readonly TreeNode[], label: string) => {
  const item = rows.map((row) => row.item()).find((one) => one.label === label);
  assert.ok(item, `a row ${label}`);
  return item;
};

describe('the rows of resources', () => {
  it('are nested by URI, folders first, in the natural order of their names', async () => {
    const tree = new Tree(
      ['x://h/b2', 'x://h/b10', 'x://h/d/a', 'x://h/B1'].map((uri) => named(uri)),
    );
    assert.deepEqual(await tree.labels(), ['d', 'B1', 'b2', 'b10']);
    assert.deepEqual(await tree.labels(undefined, 'd'), ['a']);
  });

  it('are one list when the user wants it, sorted as they want', async () => {
    const tree = new Tree([named('x://h/d/a', { size: 1 }), named('y://h/b', { size: 9 })]);
    await tree.options.setFlat(true);
    assert.deepEqual(await tree.labels(), ['a', 'b']);
    await tree.options.setSort('size');
    assert.deepEqual(await tree.labels(), ['b', 'a']);
    assert.equal(itemOf(tree.top(), 'b').description, '9 B');
  });

  it('of one name have their folders beside it in a list, and only those', async () => {
    const long = `x://h/${'deep/'.repeat(30)}end`;
    const uris = ['x://h/one/code.py', `${long}/code.py`, 'x://h/other.py', 'note:a', 'note:b'];
    const tree = new Tree(
      uris.map((uri) => (uri.startsWith('note:') ? named(uri, { name: 'note' }) : named(uri))),
    );
    const beside = () =>
      tree.top().map((row) => {
        const { label, description } = row.item();
        return [plain(label), typeof description === 'string' ? description : ''] as const;
      });
    await tree.options.setFlat(true);
    const described = beside();
    assert.deepEqual(
      described.filter(([label]) => label !== 'code.py'),
      [
        ['note', 'note:a'],
        ['note', 'note:b'],
        ['other.py', ''],
      ],
    );
    const folders = described.flatMap(([label, at]) => (label === 'code.py' ? [at] : []));
    assert.ok(folders.includes('x://h/one'));
    assert.ok(folders.some((folder) => /^…[depn/]{50,60}\/end$/.test(folder)));
    await tree.options.setSort('size');
    assert.ok(beside().some(([, folder]) => folder === 'x://h/one'));
  });

  it('show what matches the filter, and how to see all again', async () => {
    const tree = new Tree([named('x://h/d/alpha'), named('x://h/beta')]);
    tree.options.setFilter('alph');
    const [note, ...others] = await tree.labels();
    assert.match(note ?? '', /alph.*1.*2/);
    assert.deepEqual(others, ['alpha']);
    assert.equal(tree.top()[0]?.item().command?.command, 'mcpWorkbench.clearResourceFilter');
  });

  it('are filtered for one server alone where that is wanted', async () => {
    const other = new FakeServer({ id: 'two', resources: [named('x://h/beta')] });
    const tree = new Tree([named('x://h/alpha'), named('x://h/beta')], other);
    const rowsOf = async () => [
      await tree.labels(),
      await tree.labels(tree.section.nodes(other, tree.parent)),
    ];
    tree.options.setFilter('alpha', 'one');
    assert.deepEqual(await rowsOf(), [['“alpha”: 1 of 2', 'alpha'], ['beta']]);
    tree.options.setFilter('alpha');
    assert.deepEqual(await rowsOf(), [['“alpha”: 1 of 2', 'alpha'], ['“alpha”: 0 of 1']]);
    tree.options.setFilter('');
    assert.deepEqual(await rowsOf(), [['alpha', 'beta'], ['beta']]);
  });

  it('that match a filter are in open folders, but for those that are read when they are opened', () => {
    const directory = named('x://h/alphas', { mimeType: 'inode/directory' });
    const all = [directory, named('x://h/alphas/a'), named('x://h/d/alpha'), named('x://h/e/f')];
    const tree = new Tree(all);
    const states = () =>
      tree.top().flatMap((row) => {
        const { id, label, collapsibleState, contextValue } = row.item();
        return contextValue === 'note' ? [] : [[plain(label), collapsibleState, id] as const];
      });
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const before = states();
    assert.ok(before.every(([, state]) => state === Collapsed));
    tree.options.setFilter('ALPH');
    const found = states();
    assert.deepEqual(
      found.map(([label, state]) => [label, state]),
      [
        ['alphas', Collapsed],
        ['d', Expanded],
      ],
    );
    tree.options.setFilter('alpha');
    assert.deepEqual(states(), found);
    tree.options.setFilter('aph');
    assert.deepEqual(states(), []);
    tree.options.setFilter('');
    assert.deepEqual(states(), before);
  });

  it('come in pages where there are thousands', async () => {
    const tree = new Tree(Array.from({ length: 1200 }, (_, i) => named(`x://h/${i}`)));
    assert.equal(tree.top().length, 501);
    const more = tree.top().at(-1)?.item();
    assert.match(plain(more?.label), /700/);
    const changed = once(tree.section.onDidChange);
    tree.section.showMore(more?.command?.arguments?.[0] as TreeNode);
    assert.equal(await changed, tree.parent);
    assert.equal(tree.top().length, 1001);
  });

  it('of a directory are read when it is opened, beside those that are listed', async () => {
    const directory = named('x://h/d', { mimeType: 'inode/directory' });
    const tree = new Tree([directory, named('x://h/d/listed'), named('x://h/e')]);
    tree.fake.answer = (uri) =>
      Promise.resolve({
        contents: [
          { uri: `${uri}/read.md`, text: '#' },
          { uri: `${uri}/sub/deep.md`, text: '#' },
        ],
      });
    assert.deepEqual(await tree.labels(), ['d', 'e']);
    assert.equal(tree.fake.calls.length, 0);
    assert.deepEqual(await tree.labels(undefined, 'd'), ['sub', 'listed', 'read.md']);
    assert.deepEqual(await tree.labels(undefined, 'd', 'sub'), ['deep.md']);
    assert.equal(tree.fake.calls.length, 1);
  });

  it('of a directory that cannot be read say why, and keep the listed', async () => {
    const tree = new Tree([named('x://h/d/'), named('x://h/d/listed'), named('x://h/e')]);
    tree.fake.answer = () => Promise.reject(new Error('no permission'));
    assert.deepEqual(await tree.labels(undefined, 'd'), ['no permission', 'listed']);
  });

  it('of a directory do not start a server that is off', async () => {
    const tree = new Tree([named('x://h/d/'), named('x://h/e')]);
    tree.fake.become('stopped');
    const [note] = await tree.labels(undefined, 'd');
    assert.match(note ?? '', /Start the server/);
    assert.equal(tree.fake.calls.length, 0);
  });

  it('become a folder when a resource turns out to have several documents', async () => {
    const tree = new Tree([named('x://h/several'), named('x://h/other')]);
    const ref = { serverId: 'one', uri: 'x://h/several' };
    tree.fake.answer = (uri) =>
      Promise.resolve({
        contents: ['a.txt', 'b.md'].map((n) => ({ uri: `${uri}/${n}`, text: n })),
      });
    const changed = once(tree.section.onDidChange);
    await tree.store.read(ref);
    assert.equal(await changed, tree.server);
    assert.deepEqual(await tree.labels(undefined, 'several'), ['a.txt', 'b.md']);
  });

  it('of pinned resources stand at the top with a pin, and not there twice', async () => {
    const tree = new Tree([named('x://h/a'), named('x://h/b'), named('x://h/c/d')]);
    await tree.saved.setPinned('one', named('x://h/b'), true);
    await tree.saved.setPinned('one', named('x://h/c/d'), true);
    for (const flat of [false, true]) {
      await tree.options.setFlat(flat);
      assert.deepEqual(await tree.labels(), ['d', 'b', 'a']);
    }
    const iconOf = (label: string) => (itemOf(tree.top(), label).iconPath as vscode.ThemeIcon).id;
    assert.deepEqual(['b', 'a'].map(iconOf), ['pinned', 'file']);
    tree.options.setFilter('d');
    assert.deepEqual((await tree.labels()).slice(1), ['d']);
    tree.options.setFilter('');
    await tree.saved.setPinned('one', named('x://h/c/d'), false);
    assert.deepEqual(await tree.labels(), ['b', 'a', 'd']);
    assert.match(itemOf(tree.top(), 'b').contextValue ?? '', /^resource\.pinned/);
    assert.match(itemOf(tree.top(), 'a').contextValue ?? '', /^resource\.loose/);
  });

  it('are marked when the resource changed', async () => {
    const tree = new Tree([named('x://h/a')]);
    const ref = { serverId: 'one', uri: 'x://h/a' };
    tree.live.watch([ref]);
    await tree.store.read(ref);
    tree.fake.answer = (uri) => Promise.resolve(text(uri, 'new'));
    const changed = once(tree.section.onDidChange);
    tree.fake.update('x://h/a');
    assert.equal(await changed, tree.server);
    assert.match(itemOf(tree.top(), 'a').contextValue ?? '', /\.changed/);
    tree.live.dispose();
  });

  it('keep apart two resources with one URI, and tell each by its id over refreshes', () => {
    const tree = new Tree([
      named('x://h/twice', { name: 'first' }),
      named('x://h/twice', { name: 'second' }),
    ]);
    const ids = tree.top().map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
    assert.deepEqual(
      tree.top().map(({ id }) => id),
      ids,
    );
  });

  it('show hidden characters, parse no icons, and stay short', () => {
    const evil = 'a\u202Eb\u200Bc $(trash)\u0000';
    const huge = `x://h/${'x'.repeat(1_000_000)}`;
    const tree = new Tree([
      named('x://h/evil', { name: evil, description: `${evil}\n[Run](command:x)` }),
      named(huge, { name: 'huge' }),
    ]);
    const [first, second] = tree.top().map((row) => row.item());
    assert.match(plain(first?.label), /a⟨U\+202E⟩b⟨U\+200B⟩c \$\u2060\(trash\)⟨U\+0000⟩/);
    assert.match(plain(first?.tooltip), /⟨U\+202E⟩/);
    assert.ok((second?.id ?? '').length < 1000 && plain(second?.tooltip).length < 2000);
  });

  it('tell in the tooltip all that the list says', () => {
    const lastModified = '2025-01-12T15:00:58Z';
    const tree = new Tree([
      named('x://h/doc', {
        title: 'A Document',
        description: 'What it is about',
        mimeType: 'text/markdown',
        size: 2048,
        annotations: { audience: ['user'], priority: 0.8, lastModified },
      }),
    ]);
    const tooltip = plain(itemOf(tree.top(), 'A Document').tooltip);
    assert.deepEqual(tooltip.split('\n'), [
      'A Document (doc)',
      'x://h/doc',
      'one · text/markdown · 2 kB',
      `Last changed: ${new Date(lastModified).toLocaleString(vscode.env.language)}`,
      'Meant for: user',
      'Importance: 80%',
      '',
      'What it is about',
    ]);
  });

  it('go by the media type for their icon', () => {
    const tree = new Tree([named('x://h/doc', { mimeType: 'text/markdown' })]);
    assert.match(itemOf(tree.top(), 'doc').resourceUri?.path ?? '', /\/doc\.md$/);
  });

  it('inside a root are those of all servers, each with its server’s name', async () => {
    const other = new FakeServer({
      id: 'two',
      resources: [
        named('file:///w/app/src/b.ts'),
        named('file:///w/app/../secret'),
        named('file:///elsewhere/c.ts'),
      ],
    });
    const tree = new Tree([named('file:///w/app/src/a.ts'), named('x://h/app')], other);
    const rows = tree.section.nodesInRoot({ uri: 'file:///w/app' }, tree.parent);
    assert.deepEqual(await tree.labels(rows), ['src']);
    const inside = (await rows[0]?.children?.()) ?? [];
    assert.deepEqual(
      inside.map((row) => [row.item().label, row.item().description]),
      [
        ['a.ts', 'one'],
        ['b.ts', 'two'],
      ],
    );
    assert.equal(inside[1]?.server?.id, 'two');
    assert.deepEqual(tree.section.nodesInRoot({ uri: 'https://example.com' }, tree.parent), []);
  });
});
