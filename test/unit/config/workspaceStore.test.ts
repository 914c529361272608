import assert from 'node:assert/strict';
import { workspaceStore } from '../../../src/config/workspaceStore';
import { createMemento } from '../../support/fakes/memento';

describe('What is kept for a workspace', () => {
  it('is seen by another window of it at once, and by no other workspace', async () => {
    const shared = createMemento();
    const open = (id: string) =>
      workspaceStore({ globalState: shared, workspaceState: createMemento(), storageUri: id });
    const [first, second, other] = [open('a'), open('a'), open('b')];
    await first.update('approvals', [1]);
    assert.deepEqual(second.get('approvals'), [1]);
    assert.equal(other.get('approvals'), undefined);
    await second.update('approvals', []);
    assert.deepEqual(first.get('approvals'), []);
  });

  for (const id of ['0123456789abcdef0123456789abcdef', '-5524bbbd', '40fd0476'])
    it(`is one for all windows of the workspace ${id}, each of which has a folder of its own`, async () => {
      const shared = createMemento();
      const open = (folder: string) =>
        workspaceStore({
          globalState: shared,
          workspaceState: createMemento(),
          storageUri: `file:///data/User/workspaceStorage/${folder}/mcp-workbench.mcp-workbench`,
        });
      await open(id).update('approvals', [1]);
      for (const folder of [id, `${id}-1`, `${id}-12`])
        assert.deepEqual(open(folder).get('approvals'), [1], folder);
      for (const folder of [`${id}0`, `a${id}-1`, `${id}-a`])
        assert.equal(open(folder).get('approvals'), undefined, folder);
    });

  it('is there from earlier, until it is changed', async () => {
    const workspace = createMemento();
    await workspace.update('approvals', [1]);
    const store = workspaceStore({
      globalState: createMemento(),
      workspaceState: workspace,
      storageUri: 'a',
    });
    assert.deepEqual(store.get('approvals'), [1]);
    await store.update('approvals', []);
    assert.deepEqual(store.get('approvals'), []);
  });

  it('stays with the window where that has no workspace', async () => {
    const workspace = createMemento();
    const shared = createMemento();
    await workspaceStore({
      globalState: shared,
      workspaceState: workspace,
      storageUri: undefined,
    }).update('approvals', [1]);
    assert.deepEqual(workspace.get('approvals'), [1]);
  });
});
