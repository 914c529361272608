import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { contributes } from '../../../package.json';
import { once } from '../../../src/base/event';
import { createRootsNode } from '../../../src/roots/rootNodes';
import { RootConsents, Roots } from '../../../src/roots/roots';
import type { TreeNode } from '../../../src/ui/tree';
import { folderNamed, writer } from '../../support/host/hostApi';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';

const setting = 'mcpWorkbench.roots.hidden';
const { Workspace } = vscode.ConfigurationTarget;

/** Returns the commands in the context menu of a row in the sidebar. */
function menuOf(contextValue: string): readonly string[] {
  return contributes.menus['view/item/context'].flatMap(({ command, when }) => {
    const [, pattern] = /^view == mcpWorkbench\.servers && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
    return pattern !== undefined && new RegExp(pattern).test(contextValue) ? [command] : [];
  });
}

describe('the rows of roots', function () {
  this.timeout(30_000);
  let one: FakeServer;
  let two: FakeServer;
  let roots: Roots;
  let top: TreeNode;
  let isTrusted: boolean;

  beforeEach(() => {
    isTrusted = true;
    one = new FakeServer({ id: 'one' });
    two = new FakeServer({ id: 'two' });
    const servers = new FakeServers(one, two);
    roots = new Roots(
      servers,
      writer,
      new RootConsents({ get: () => undefined, update: () => Promise.resolve() }),
      () => Promise.resolve(undefined),
      (path) => Promise.resolve(path),
      () => isTrusted,
    );
    top = createRootsNode(roots, () => []);
  });

  afterEach(async () => {
    roots.dispose();
    await vscode.workspace.getConfiguration().update(setting, undefined, Workspace);
  });

  const labels = (rows: readonly TreeNode[]) => rows.map((row) => row.item().label);
  const below = async (...path: readonly string[]) => {
    let rows: readonly TreeNode[] = [top];
    let row: TreeNode | undefined = top;
    for (const label of path) {
      rows = (await row.children?.()) ?? [];
      row = rows.find((each) => each.item().label === label);
      assert.ok(row, `${label} among ${JSON.stringify(labels(rows))}`);
    }
    return row;
  };
  const check = async (row: TreeNode, checked: boolean) => {
    const changed = once(roots.onDidChange);
    await row.setChecked?.(checked);
    await changed;
  };
  const choices = () => vscode.workspace.getConfiguration().get<unknown>(setting);
  const state = (row: TreeNode) => {
    const { checkboxState } = row.item();
    return typeof checkboxState === 'object' ? checkboxState.state : checkboxState;
  };
  const tooltipOf = (row: TreeNode): string => {
    const { tooltip } = row.item();
    assert.ok(typeof tooltip === 'string');
    return tooltip;
  };
  const wireOf = (row: TreeNode): unknown => {
    const tooltip = tooltipOf(row);
    return JSON.parse(tooltip.slice(tooltip.indexOf('{')));
  };

  it('are the folders of the workspace, each with the servers that are told of it', async () => {
    assert.deepEqual(labels((await top.children?.()) ?? []), ['app', 'docs']);
    assert.deepEqual(labels((await (await below('app', 'Shared with')).children?.()) ?? []), [
      'one',
      'two',
    ]);
  });

  it('say that nothing is shared while the workspace is not trusted, and lead to where one trusts it', async () => {
    isTrusted = false;
    assert.deepEqual(await roots.answer(one), []);
    const [app, , note] = (await top.children?.()) ?? [];
    assert.ok(note && app);
    assert.equal(app.item().description, 'Workspace not trusted');
    assert.match(tooltipOf(app), /^Not shared with any server: /);
    assert.match(tooltipOf(note), /until you trust the workspace/);
    assert.equal(note.item().command?.command, 'workbench.trust.manage');
    isTrusted = true;
    const shared = (await top.children?.()) ?? [];
    assert.deepEqual(labels(shared), ['app', 'docs']);
    assert.equal(shared[0]?.item().description, undefined);
  });

  it('leave out a server of another folder, which is not told either', async () => {
    two.options.folder = folderNamed('app').toString();
    const told = async (root: string) =>
      labels((await (await below(root, 'Shared with')).children?.()) ?? []);
    assert.deepEqual([await told('app'), await told('docs')], [['one', 'two'], ['one']]);
    assert.deepEqual(
      (await roots.answer(two)).map(({ name }) => name),
      ['app'],
    );
  });

  for (const [path, spoken] of [
    [['app'], 'Root app'],
    [['app', 'Shared with', 'one'], 'Server one'],
  ] as const)
    it(`say whether ${path.join(' › ')} is shared, as a screen reader does not reach its box`, async () => {
      const spokenNow = async () => (await below(...path)).item().accessibilityInformation?.label;
      assert.equal(await spokenNow(), `${spoken}, checked`);
      await check(await below(...path), false);
      assert.match((await spokenNow()) ?? '', new RegExp(`^${spoken}(, .*)?, not checked$`));
    });

  it('say to the letter what goes over the wire', async () => {
    const app = await below('app');
    await check(await below('docs', 'Shared with', 'one'), false);
    const sent = await roots.answer(one);
    assert.deepEqual(wireOf(await below('app', 'Shared with', 'one')), { roots: sent });
    assert.deepEqual([wireOf(app)], sent);
    assert.equal((await roots.answer(two)).length, 2);
  });

  it('take a click for one server, which alone is told that something changed', async () => {
    await check(await below('docs', 'Shared with', 'one'), false);
    assert.deepEqual(choices(), { docs: ['one'] });
    const docs = await below('docs');
    assert.equal(docs.item().description, '1 of 2 servers');
    assert.equal(state(docs), vscode.TreeItemCheckboxState.Checked);
    const before = [one.rootsChanges, two.rootsChanges];
    await check(await below('docs', 'Shared with', 'two'), false);
    assert.deepEqual(
      [one.rootsChanges - (before[0] ?? 0), two.rootsChanges - (before[1] ?? 0)],
      [0, 1],
    );
  });

  it('take a click for all servers, and leave nothing behind when it is taken back', async () => {
    await check(await below('docs'), false);
    assert.deepEqual(choices(), { docs: ['*'] });
    const docs = await below('docs');
    assert.equal(state(docs), vscode.TreeItemCheckboxState.Unchecked);
    assert.match(tooltipOf(docs), /^Not shared with any server: /);
    await check(docs, true);
    assert.deepEqual(choices(), {});
    assert.match(tooltipOf(await below('docs')), /^Sent to servers: /);
  });

  const ofServer = (server: string) => ['docs', 'Shared with', server] as const;
  for (const [where, first, second, expected] of [
    ['servers of a root', ofServer('one'), ofServer('two'), { docs: ['one', 'two'] }],
    ['roots', ['app'], ['docs'], { app: ['*'], docs: ['*'] }],
  ] as const)
    it(`take clicks for two ${where}, the second of which comes before the first is stored`, async () => {
      const rows = [await below(...first), await below(...second)];
      await Promise.all(rows.map(async (row) => row.setChecked?.(false)));
      assert.deepEqual(choices(), expected);
    });

  it('warn of a server that requested roots and gets none, until it gets one', async () => {
    await check(await below('app', 'Shared with', 'one'), false);
    await check(await below('docs', 'Shared with', 'one'), false);
    assert.equal((await top.children?.())?.length, 2);
    assert.deepEqual(await roots.answer(one), []);
    const warning = (await top.children?.())?.at(-1);
    const { label, contextValue = '' } = warning?.item() ?? {};
    assert.equal(label, 'one requested roots, but none are shared with it');
    assert.deepEqual(menuOf(contextValue), ['mcpWorkbench.addRoot']);
    await check(await below('app', 'Shared with', 'one'), true);
    assert.deepEqual(labels((await top.children?.()) ?? []), ['app', 'docs']);
  });

  it('stay where they are when a warning comes and goes, so that a second click meets the same root', async () => {
    await check(await below('app'), false);
    await roots.answer(one);
    const warningText = 'one requested roots, but none are shared with it';
    for (const [isShared, expected] of [
      [false, ['app', 'docs', warningText]],
      [true, ['app', 'docs']],
    ] as const) {
      await check(await below('docs'), isShared);
      assert.deepEqual(labels((await top.children?.()) ?? []), expected);
    }
  });
});
