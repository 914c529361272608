import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { Emitter, once } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import type { Configuration } from '../../../src/config/configuration';
import { SavedResources } from '../../../src/resources/live/savedResources';
import { LiveResources } from '../../../src/resources/live/liveResources';
import { ResourceSection } from '../../../src/resources/tree/resourceSection';
import { ResourceStore } from '../../../src/resources/documents/resourceStore';
import { ViewOptions } from '../../../src/resources/tree/viewOptions';
import { OpenRows, maxKnownRows, openFoundRows } from '../../../src/ui/rows/openRows';
import { ServerTree } from '../../../src/tree/serverTree';
import type { TreeNode } from '../../../src/ui/tree';
import { FakeServer, FakeServers, noNotes } from '../../support/fakes/fakeServer';
import { createMementoOf } from '../../support/fakes/memento';

interface Drawn {
  readonly id: string;
  readonly node: TreeNode;
  below: readonly Drawn[] | undefined;
  isOpen: boolean;
}

/**
 * Keeps rows like the editor: it never asks again about a row that it knows, and forgets everything about a removed
 * one.
 */
class Editor {
  readonly expanded = new Emitter<vscode.TreeViewExpansionEvent<TreeNode>>();
  readonly collapsed = new Emitter<vscode.TreeViewExpansionEvent<TreeNode>>();
  readonly onDidExpandElement = this.expanded.event as vscode.Event<{ element: TreeNode }>;
  readonly onDidCollapseElement = this.collapsed.event as vscode.Event<{ element: TreeNode }>;
  readonly onDidChangeVisibility = new Emitter<never>().event as vscode.Event<never>;
  readonly visible = true;
  selection: readonly TreeNode[] = [];
  /** Nothing is revealed before this resolves. */
  ready = Promise.resolve();
  private readonly tree: ServerTree;
  private rows: readonly Drawn[] = [];
  private chosen = '';
  private work: Promise<void> = Promise.resolve();

  constructor(tree: ServerTree) {
    this.tree = tree;
    tree.onDidChangeTreeData(() => this.draw());
  }

  draw(): Promise<void> {
    return this.after(async () => {
      this.rows = await this.drawBelow(undefined, this.rows);
    });
  }

  /** Opens or closes a row, given by the labels on its path, like the user. */
  toggle(...labels: readonly string[]): Promise<void> {
    return this.after(() => this.set(this.find(labels), (row) => !row.isOpen));
  }

  async reveal(
    node: TreeNode,
    { select = true, expand = false }: Parameters<vscode.TreeView<TreeNode>['reveal']>[1] = {},
  ): Promise<void> {
    await this.ready;
    await this.after(async () => {
      for (let { parent } = node; parent; parent = parent.parent)
        await this.set(this.row(parent), () => true);
      await this.set(this.row(node), ({ isOpen }) => isOpen || expand !== false);
      if (select) this.select(this.row(node));
    });
  }

  /** Returns the visible rows: `-` marks open and `+` closed ones, and deeper ones are indented. */
  seen(rows = this.rows, indent = ''): string[] {
    return rows.flatMap(({ node, isOpen, below }) => {
      const label = `${indent}${below ? (isOpen ? '-' : '+') : ''}${labelOf(node)}`;
      return [label, ...(isOpen && below ? this.seen(below, `${indent} `) : [])];
    });
  }

  select({ id, node }: Drawn): void {
    this.selection = [node];
    this.chosen = id;
  }

  /** Resolves when all pending work is done. */
  done(): Promise<void> {
    return this.work;
  }

  /** Returns the id of the selected row if it is drawn. */
  selected(): string | undefined {
    return this.ids().find((id) => id === this.chosen);
  }

  ids(): string[] {
    return this.all().map(({ id }) => id);
  }

  find(labels: readonly string[]): Drawn {
    let [row, rows]: [Drawn | undefined, readonly Drawn[]] = [undefined, this.rows];
    for (const label of labels) {
      row = rows.find(({ node }) => labelOf(node) === label);
      assert.ok(row, `${label} of ${labels.join(' › ')}`);
      rows = row.below ?? [];
    }
    return row ?? assert.fail();
  }

  private after(act: () => Promise<void>): Promise<void> {
    return (this.work = this.work.then(act));
  }

  private row({ id }: TreeNode): Drawn {
    return this.all().find(({ node }) => node.id === id) ?? assert.fail(`no row ${id}`);
  }

  private async set(row: Drawn, wanted: (row: Drawn) => boolean): Promise<void> {
    const isOpen = wanted(row);
    if (isOpen === row.isOpen) return;
    row.isOpen = isOpen;
    if (isOpen) row.below = await this.drawBelow(row.node, row.below ?? []);
    (isOpen ? this.expanded : this.collapsed).fire({ element: row.node });
  }

  private async drawBelow(
    parent: TreeNode | undefined,
    known: readonly Drawn[],
  ): Promise<readonly Drawn[]> {
    const nodes = await this.tree.getChildren(parent);
    const drawn: Drawn[] = [];
    for (const node of nodes) {
      const { id = '', collapsibleState } = this.tree.getTreeItem(node);
      const before = known.find((one) => one.id === id);
      const { None, Expanded } = vscode.TreeItemCollapsibleState;
      const isOpen = before ? before.isOpen : collapsibleState === Expanded;
      const has = collapsibleState !== None && collapsibleState !== undefined;
      const below = isOpen
        ? await this.drawBelow(node, before?.below ?? [])
        : (before?.below ?? []);
      drawn.push({ id, node, isOpen, below: has ? below : undefined });
    }
    return drawn;
  }

  private all(rows: readonly Drawn[] = this.rows): Drawn[] {
    return rows.flatMap((row) => [row, ...this.all(row.below ?? [])]);
  }
}

function labelOf(node: TreeNode): string {
  const { label } = node.item();
  return typeof label === 'string' ? label : (label?.label ?? '');
}

const of = (id: string, ...uris: string[]) =>
  new FakeServer({
    id,
    tools: [{ name: `${id}s tool`, inputSchema: { type: 'object' } }],
    resources: uris.map((uri) => ({ uri, name: uri.slice(uri.lastIndexOf('/') + 1) })),
  });

describe('once a filter of resources has ended', () => {
  let tree: ServerTree;
  let editor: Editor;
  let options: ViewOptions;
  let dispose: () => void;
  /** Makes the tree as the next window does. */
  let open: () => ServerTree;

  beforeEach(async () => {
    const servers = new FakeServers(
      of('one', 'docs://readme', 'docs://other', 'logs://readme'),
      of('two', 'docs://readme', 'logs://today'),
      of('three', 'docs://readme', 'logs://today'),
      of('four', 'logs://today'),
    );
    const values = new Map<string, unknown>();
    const state = {
      get: (key: string) => values.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    };
    const store = new ResourceStore(servers);
    options = new ViewOptions(state);
    const live = new LiveResources(servers, store, silentLogger);
    const section = new ResourceSection(servers, {
      store,
      live,
      saved: new SavedResources(state),
      options,
    });
    const current = {
      problems: [],
      hints: [],
      hasFiles: false,
      servers: [],
      disabled: [],
      duplicates: [],
    };
    const never = new Emitter<void>().event;
    const node: TreeNode = {
      id: 'roots',
      parent: undefined,
      item: () => new vscode.TreeItem('Roots'),
    };
    const none = { nodes: () => [] };
    const openRowsState = createMementoOf();
    open = () =>
      new ServerTree(
        servers,
        { onDidChange: never, ready: Promise.resolve(), current } as unknown as Configuration,
        [{ node, onDidChange: never }],
        { resources: section, resourceTemplates: none, prompts: none, skills: none, tools: none },
        noNotes,
        new OpenRows(openRowsState),
      );
    tree = open();
    editor = new Editor(tree);
    const { onDidFind, openRows } = tree;
    const watching = openRows.watch(editor);
    const opening = openFoundRows(editor, onDidFind, silentLogger, openRows.opening);
    dispose = () => {
      for (const one of [opening, watching, tree, section, live, options, store]) one.dispose();
    };
    await once(tree.onDidChangeTreeData);
    await editor.toggle('one', 'Resources');
    await editor.toggle('one', 'Resources', 'docs://');
    await editor.toggle('three');
  });

  afterEach(() => dispose());

  async function filter(text: string): Promise<void> {
    const drawn = once(tree.onDidChangeTreeData);
    options.setFilter(text);
    await drawn;
    await tree.openRows.opening.settled();
    await editor.done();
  }

  it('the tree is as the user had it', async () => {
    const before = editor.seen();
    assert.deepEqual(before, [
      'Roots',
      '-one',
      ' -Resources',
      '  -docs://',
      '   other',
      '   readme',
      '  +logs://',
      ' +Tools',
      '-two',
      ' +Resources',
      ' +Tools',
      '+three',
      '-four',
      ' +Resources',
      ' +Tools',
    ]);
    await filter('r');
    await filter('readme');
    assert.equal(editor.seen().filter((row) => row.endsWith('readme')).length, 4);
    await filter('');
    assert.deepEqual(editor.seen(), before);
    await editor.toggle('three');
    assert.deepEqual(editor.seen().slice(11, 14), ['-three', ' +Resources', ' +Tools']);
  });

  it('only rows that it had opened are new to the editor', async () => {
    const before = editor.ids();
    await filter('nothing');
    await filter('');
    assert.deepEqual(editor.ids(), before);
    await filter('today');
    await filter('');
    assert.deepEqual(
      editor.ids().filter((id) => id.includes('#')),
      ['server:two/resources#1', 'server:three#1', 'server:four/resources#1'],
    );
  });

  it('what the user opened or closed meanwhile is as they left it', async () => {
    await filter('readme');
    await editor.toggle('two', 'Resources');
    await editor.toggle('two', 'Tools');
    await editor.toggle('four', 'Resources');
    await editor.toggle('one');
    await filter('');
    assert.deepEqual(editor.seen(), [
      'Roots',
      '+one',
      '-two',
      ' +Resources',
      ' -Tools',
      '+three',
      '-four',
      ' -Resources',
      '  today',
      ' +Tools',
    ]);
  });

  it('what the user closed of what it found is open in the next', async () => {
    await filter('readme');
    await editor.toggle('one', 'Resources', 'docs://');
    assert.ok(!editor.find(['one', 'Resources', 'docs://']).isOpen);
    await filter('');
    await filter('readme');
    assert.ok(editor.find(['one', 'Resources', 'docs://']).isOpen);
  });

  for (const [selected, left] of [
    [['three', 'Tools'], ['three']],
    [
      ['two', 'Resources'],
      ['two', 'Resources'],
    ],
    [
      ['one', 'Tools'],
      ['one', 'Tools'],
    ],
  ] as const)
    it(`${selected.join(' › ')} or the row that hides it is selected where it was`, async () => {
      await filter('readme');
      editor.select(editor.find(selected));
      await filter('');
      assert.equal(editor.selected(), editor.find(left).id);
    });

  it('or the window was reloaded, rows are open and closed as the user left them', async () => {
    await editor.toggle('two');
    const before = editor.seen();
    assert.ok(before.includes('+two'));
    const next = open();
    const reloaded = new Editor(next);
    await reloaded.draw();
    assert.deepEqual(reloaded.seen(), before);
    next.dispose();
  });

  it('a row that was still being opened is closed', async () => {
    const before = editor.seen();
    const slow = deferred<void>();
    editor.ready = slow.promise;
    options.setFilter('readme');
    await once(tree.onDidChangeTreeData);
    options.setFilter('');
    await once(tree.onDidChangeTreeData);
    const drawn = once(tree.onDidChangeTreeData);
    slow.resolve();
    await drawn;
    await editor.done();
    assert.deepEqual(editor.seen(), before);
  });

  it('it is known of the last thousand rows whether they were open, over sessions', () => {
    const state = createMementoOf();
    const rows = new OpenRows(state);
    const expanded = new Emitter<vscode.TreeViewExpansionEvent<TreeNode>>();
    const never = new Emitter<never>().event as vscode.Event<never>;
    const reveal = () => Promise.resolve();
    const view = { onDidCollapseElement: never, reveal, selection: [], visible: true };
    const onDidExpandElement = expanded.event as vscode.Event<{ element: TreeNode }>;
    rows.watch({ ...view, onDidExpandElement });
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const nodes = Array.from({ length: maxKnownRows + 1 }, (_, at): TreeNode => {
      const item = () => new vscode.TreeItem(`${at}`, Collapsed);
      return { id: `${at}`, parent: undefined, item };
    });
    for (const element of nodes) expanded.fire({ element });
    for (const known of [rows, new OpenRows(state)]) {
      const states = new Set(nodes.slice(1).map((row) => known.item(row).collapsibleState));
      assert.deepEqual([...states], [Expanded]);
      assert.equal(known.item(nodes[0] ?? assert.fail()).collapsibleState, Collapsed);
    }
    for (const damaged of [undefined, 'x', [null, ['0'], ['0', 'true'], [0, true]]]) {
      const known = new OpenRows(createMementoOf(damaged));
      assert.equal(known.item(nodes[0] ?? assert.fail()).collapsibleState, Collapsed);
    }
  });
});
