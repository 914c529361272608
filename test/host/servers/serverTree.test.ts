import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter, once } from '../../../src/base/event';
import type { Configuration } from '../../../src/config/configuration';
import { ServerTree } from '../../../src/tree/serverTree';
import type { Server } from '../../../src/mcp/server';
import type { TreeNode } from '../../../src/ui/tree';
import { FakeServer, FakeServers, noNotes } from '../../support/fakes/fakeServer';

describe('the tree of servers', () => {
  const [one, two] = [new FakeServer({ id: 'one' }), new FakeServer({ id: 'two' })];
  const marked = new Emitter<Server>();
  let tree: ServerTree;

  beforeEach(async () => {
    const configuration = {
      onDidChange: new Emitter<void>().event,
      ready: Promise.resolve(),
      current: { problems: [], hints: [], servers: [], disabled: [] },
    };
    const node: TreeNode = {
      id: 'roots',
      parent: undefined,
      item: () => new vscode.TreeItem('Roots'),
    };
    const section = { rows: () => [] };
    tree = new ServerTree(
      new FakeServers(one, two),
      configuration as unknown as Configuration,
      { node, onDidChange: new Emitter<void>().event },
      {
        resources: { ...section, onDidChange: marked.event },
        resourceTemplates: section,
        skills: section,
        prompts: section,
        tools: section,
      },
      noNotes,
      true,
    );
    await once(tree.onDidChangeTreeData);
  });

  afterEach(() => tree.dispose());

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
    // The editor keeps what is open and selected by these.
    assert.deepEqual(await ids(), before);
    assert.deepEqual(before, ['roots', 'server:one', 'server:two']);
  });

  it('draws only the resources of a server anew when one of them was marked', async () => {
    const changed = once(tree.onDidChangeTreeData);
    marked.fire((await tree.getChildren())[1]?.server ?? assert.fail());
    assert.deepEqual(
      (await changed)?.map(({ id }) => id),
      ['server:one/resources'],
    );
  });
});
