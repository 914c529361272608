import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { nextTurn } from '../../../src/base/async';
import { Emitter, once } from '../../../src/base/event';
import type { Configuration } from '../../../src/config/configuration';
import { messagesOf } from '../../../src/tree/serverNode';
import { ServerTree } from '../../../src/tree/serverTree';
import type { Server } from '../../../src/mcp/server';
import { Command } from '../../../src/ui/ids';
import { isServerNode, type TreeNode } from '../../../src/ui/tree';
import { FakeServer, FakeServers, noNotes } from '../../support/fakes/fakeServer';

describe('the tree of servers', () => {
  const [one, two] = [new FakeServer({ id: 'one' }), new FakeServer({ id: 'two' })];
  const bare = new FakeServer({ id: 'bare' });
  const marked = new Emitter<Server>();
  let duplicates: readonly object[] = [];
  let tree: ServerTree;
  let servers: FakeServers;

  beforeEach(async () => {
    const configuration = {
      onDidChange: new Emitter<void>().event,
      ready: Promise.resolve(),
      current: {
        problems: [],
        hints: [],
        hasFiles: false,
        servers: [],
        disabled: [],
        get duplicates() {
          return duplicates;
        },
      },
    };
    const node: TreeNode = {
      id: 'roots',
      parent: undefined,
      item: () => new vscode.TreeItem('Roots'),
    };
    const section = { nodes: () => [] };
    servers = new FakeServers(one, two, bare);
    tree = new ServerTree(
      servers,
      configuration as unknown as Configuration,
      [{ node, onDidChange: new Emitter<void>().event }],
      {
        resources: { ...section, onDidChange: marked.event },
        resourceTemplates: section,
        skills: section,
        prompts: section,
        tools: section,
      },
      noNotes,
    );
    await once(tree.onDidChangeTreeData);
  });

  afterEach(() => {
    tree.dispose();
    duplicates = [];
  });

  const ids = async () => (await tree.getChildren()).map(({ id }) => id);

  it('draws the rows of the changed server anew, once for several changes, and no other', async () => {
    const before = await ids();
    const changed = once(tree.onDidChangeTreeData);
    two.resources.set([{ uri: 'x://1', name: '1' }], 'loading');
    two.resources.set([{ uri: 'x://2', name: '2' }], 'loaded');
    two.become('running');
    assert.deepEqual(
      (await changed)?.map(({ id }) => id),
      ['server:two'],
    );
    // The editor remembers expanded and selected rows by these ids.
    assert.deepEqual(await ids(), before);
    assert.deepEqual(before, ['roots', 'server:one', 'server:two', 'server:bare']);
  });

  it('knows the row of a server by what it is, not by where it stands', async () => {
    const elsewhere = new FakeServer({ id: 'elsewhere' });
    elsewhere.become({ kind: 'stopped', why: 'needsProcess' });
    servers.replace(one, elsewhere);
    const rows = await tree.getChildren();
    assert.deepEqual(
      rows.filter(isServerNode).map(({ id }) => id),
      ['server:one', 'server:elsewhere'],
    );
    const group: TreeNode = { id: 'group', parent: undefined, item: () => assert.fail() };
    const [, grouped = assert.fail()] = rows;
    assert.ok(isServerNode(Object.create(grouped, { parent: { value: group } })));
    const below = await tree.getChildren(grouped);
    assert.ok(below.length > 0);
    assert.deepEqual(below.filter(isServerNode), []);
  });

  it('shows the row of a server that was added once it is drawn, and once', async () => {
    const shown: string[] = [];
    tree.onDidShow(({ id }) => shown.push(id));
    const drawn = async (change: () => void) => {
      const changed = once(tree.onDidChangeTreeData);
      change();
      await changed;
      await nextTurn();
      return [...shown];
    };
    assert.deepEqual(await drawn(() => tree.show('late')), []);
    const late = new FakeServer({ id: 'late', name: 'late' });
    assert.deepEqual(await drawn(() => servers.replace(one, two, bare, late)), ['server:late']);
    assert.deepEqual(await drawn(() => late.become('running')), ['server:late']);
  });

  it('draws only the resources of a server anew when one of them was marked', async () => {
    const changed = once(tree.onDidChangeTreeData);
    marked.fire((await tree.getChildren())[1]?.server ?? assert.fail());
    assert.deepEqual(
      (await changed)?.map(({ id }) => id),
      ['server:one/resources'],
    );
  });

  it('keeps a server closed until there is something to see below it, and then opens it once', async () => {
    const below = async () => {
      const node = (await tree.getChildren()).find(({ id }) => id === 'server:bare');
      return node?.item().collapsibleState;
    };
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    bare.become('stopped');
    const opened: string[] = [];
    const listening = tree.onDidFind(({ id }) => opened.push(id));
    const states: unknown[] = [await below()];
    const became = async (change: () => void) => {
      const changed = once(tree.onDidChangeTreeData);
      change();
      await changed;
      states.push(await below());
    };
    await became(() => bare.become({ kind: 'starting' }));
    assert.deepEqual(opened, []);
    await became(() => bare.become('running'));
    await became(() =>
      bare.tools.set([{ name: 'add', inputSchema: { type: 'object' } }], 'loaded'),
    );
    await became(() => bare.become('stopped'));
    await became(() => bare.become('running'));
    listening.dispose();
    assert.deepEqual(states, [Collapsed, Collapsed, Expanded, Expanded, Expanded, Expanded]);
    assert.deepEqual(opened, ['server:bare']);
  });

  it('begins the row of a server that ended with what it said, and tells all of it on hover', async () => {
    const message = 'The server exited with code 3: no database.';
    const short = 'no database · exited with code 3';
    one.become({ kind: 'failed', message, short, detail: 'no database' });
    const node = (await tree.getChildren()).find(({ id }) => id === 'server:one');
    const item = node?.item();
    assert.equal(item?.description, short);
    assert.match(JSON.stringify(item?.tooltip), /The server exited with code 3: no database\./);
  });

  for (const [args, offers] of [
    [['${input:path}'], true],
    [['--path'], false],
  ] as const)
    it(`offers to change ${offers ? 'the values that' : 'nothing where'} a failed server ${offers ? 'uses' : 'uses no inputs'}`, () => {
      const server = new FakeServer({ id: 'one', args: [...args] });
      server.become({ kind: 'failed', message: 'It failed.' });
      const commands = messagesOf(server).map(({ command }) => command?.command);
      assert.equal(commands.includes(Command.changeInputs), offers);
    });

  for (const isAsked of [true, false])
    it(`leads to the question of a server that ${isAsked ? 'waits for its answer' : 'starts'}: ${isAsked}`, () => {
      one.become({ kind: 'starting', ...(isAsked && { isWaiting: true }) });
      assert.deepEqual(
        messagesOf(one).map(({ command }) => [command?.command, command?.arguments]),
        isAsked ? [[Command.showQuestions, ['one']]] : [],
      );
    });

  it('says once what a server wrote before it failed', async () => {
    const tooltip = async () => {
      const node = (await tree.getChildren()).find(({ id }) => id === 'server:one');
      return JSON.stringify(node?.item().tooltip);
    };
    const message = 'The server exited with code 3: no database.';
    for (const [detail, times] of [
      ['no database', 1],
      ['no database\nat line 1', 2],
    ] as const) {
      one.become({ kind: 'failed', message, detail });
      assert.equal((await tooltip()).split('no database').length - 1, times, detail);
    }
  });

  it('says of a start that waits for the user what it waits for', async () => {
    const row = async () => {
      const item = (await tree.getChildren()).find(({ id }) => id === 'server:one')?.item();
      return [item?.description, item?.accessibilityInformation?.label];
    };
    one.become({ kind: 'starting', isWaiting: true });
    await once(tree.onDidChangeTreeData);
    assert.deepEqual(await row(), [
      'Waiting for your answer · test',
      'Server one, Waiting for your answer · test',
    ]);
    const changed = once(tree.onDidChangeTreeData);
    one.become({ kind: 'starting' });
    assert.deepEqual(
      (await changed)?.map(({ id }) => id),
      ['server:one'],
    );
    assert.match(String((await row())[0]), /^Starting… · /);
    one.become('stopped');
  });

  it('has a row for a name that launches what another server launches, and says which', async () => {
    const definition = { id: 'again', name: 'again' };
    const layer = { label: 'app/.mcp.json' };
    duplicates = [{ server: { definition, layer }, as: { id: 'one', name: 'one' } }];
    const row = (await tree.getChildren()).at(-1)?.item();
    assert.deepEqual([row?.label, row?.description], ['again', 'Same as one · app/.mcp.json']);
    assert.equal(row?.command?.command, 'mcpWorkbench.openConfiguration');
  });
});
