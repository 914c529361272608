import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../../src/base/disposable';
import { safeRows, showUntilHidden, type PickRow } from '../../../../src/ui/rows/picks';

describe('a list that the user asked for', () => {
  it('is shown once more when it goes the moment it came, and then goes as it is told', () => {
    const hide = new vscode.EventEmitter<void>();
    let drawn = 0;
    let shown = 0;
    let hidden = 0;
    const store = new DisposableStore();
    const rows = safeRows([{ label: 'a' }]);
    const pick = {
      onDidHide: hide.event,
      show: () => (shown += 1),
      get items(): readonly PickRow[] {
        return rows;
      },
      set items(items) {
        assert.deepEqual(items, rows);
        drawn += 1;
      },
    };
    showUntilHidden(pick, store, () => (hidden += 1));
    hide.fire();
    // The editor only draws items that are set while the list is hidden, not the ones it has already drawn.
    assert.deepEqual({ shown, drawn, hidden }, { shown: 2, drawn: 1, hidden: 0 });
    hide.fire();
    assert.deepEqual({ shown, hidden }, { shown: 2, hidden: 1 });
    store.dispose();
    hide.fire();
    assert.equal(hidden, 1);
  });

  it('is so as a box, too, which has no rows', () => {
    const hide = new vscode.EventEmitter<void>();
    let shown = 0;
    let hidden = 0;
    const box = { onDidHide: hide.event, show: () => (shown += 1) };
    showUntilHidden(box, new DisposableStore(), () => (hidden += 1));
    hide.fire();
    assert.deepEqual({ shown, hidden }, { shown: 2, hidden: 0 });
    hide.fire();
    assert.deepEqual({ shown, hidden }, { shown: 2, hidden: 1 });
  });
});
