import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import { PendingWork } from '../../../src/base/async';
import { openFoundRows } from '../../../src/ui/rows/openRows';
import type { TreeNode } from '../../../src/ui/tree';

describe('rows that a tree finds', () => {
  const node = (id: string): TreeNode => ({ id, parent: undefined, item: () => assert.fail() });

  it('open at once in a view that is shown, and once a hidden one is shown', () => {
    const shown = new Emitter<{ readonly visible: boolean }>();
    const found = new Emitter<TreeNode>();
    const opened: unknown[] = [];
    const view = {
      visible: true,
      onDidChangeVisibility: shown.event,
      reveal: async ({ id }: TreeNode, options?: object) => void opened.push([id, options]),
    };
    const opening = openFoundRows(view, found.event, silentLogger, new PendingWork());
    const show = (visible: boolean) => {
      view.visible = visible;
      shown.fire({ visible });
    };
    const options = { select: false, expand: true };
    found.fire(node('one'));
    assert.deepEqual(opened.splice(0), [['one', options]]);
    show(false);
    found.fire(node('two'));
    assert.deepEqual(opened, []);
    show(true);
    assert.deepEqual(opened.splice(0), [['two', options]]);
    show(false);
    show(true);
    assert.deepEqual(opened, []);
    opening.dispose();
  });
});
