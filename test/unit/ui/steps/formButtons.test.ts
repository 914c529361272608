import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import { askForm } from '../../../../src/ui/steps/schemaForm';
import { watchPicks, type WatchedPicks } from '../../../support/host/shownPicks';
import { poll } from '../../../support/poll';
import { schemaCheck } from '../../../support/schemaChecks';

/** An editor in which a text is selected. */
const editor = {
  document: { getText: () => 'selected' },
  selection: { isEmpty: false },
  selections: [{}],
} as unknown as vscode.TextEditor;

describe('Enter in a choice', function () {
  this.timeout(30_000);
  let picks: WatchedPicks;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  const open = async (required: boolean) => {
    const properties = { it: { enum: ['red', 'skin', 'Blue'] } };
    const schema = { type: 'object', properties, required: required ? ['it'] : [] };
    const input = {} as DocumentInput;
    const answered = askForm({ title: 'Tool', schema, given: {}, input, schemas: schemaCheck() });
    return { answered, step: await picks.next(/: it$/) };
  };

  for (const required of [true, false])
    for (const [typed, taken] of [
      ['bl', 'Blue'],
      // Not the row that skips the value.
      ['sk', 'skin'],
      ['ed', 'red'],
    ] as const)
      it(`takes what the letters “${typed}” chose, ${required ? 'required' : 'optional'}`, async () => {
        const { answered, step } = await open(required);
        step.pick.value = typed;
        await poll(taken, 5000, () =>
          Promise.resolve(step.pick.activeItems[0]?.label === taken || undefined),
        );
        step.accept();
        assert.deepEqual((await answered).values, { it: taken });
      });
});

describe('the buttons of a form', function () {
  this.timeout(30_000);
  let picks: WatchedPicks;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  const open = async (property: object) => {
    const schema = { type: 'object', properties: { it: property } };
    const input = {} as DocumentInput;
    void askForm({ title: 'Tool', schema, given: {}, input, editor, schemas: schemaCheck() });
    return picks.next(/: it$/);
  };

  for (const [what, property, buttons] of [
    [
      'a text',
      { type: 'string' },
      ['Insert Selection', 'Edit in an Editor', 'Edit All Values as JSON', 'More Actions…'],
    ],
    [
      'a date',
      { type: 'string', format: 'date' },
      ['Insert Selection', 'Paste from Clipboard', 'Edit All Values as JSON'],
    ],
    ['a number', { type: 'integer' }, ['Edit All Values as JSON']],
    ['a choice', { enum: ['a', 'b'] }, ['Edit All Values as JSON']],
    ['a list', { type: 'array', items: { type: 'string' } }, ['Edit All Values as JSON']],
  ] as const)
    it(`are few, named, and only those that can apply to ${what}`, async () => {
      const step = await open(property);
      assert.deepEqual(step.buttons, buttons);
      step.pick.hide();
    });

  it('have the others in a menu behind the last one', async () => {
    const { showQuickPick } = vscode.window;
    let menu: readonly string[] = [];
    const step = await open({ type: 'string' });
    const shown = step.whenShown();
    Object.assign(vscode.window, {
      showQuickPick: async (rows: readonly vscode.QuickPickItem[]) => {
        menu = rows.map(({ label }) => label);
        return rows.find(({ label }) => label === 'Insert Active File');
      },
    });
    try {
      step.press('More Actions…');
      await shown;
      await step.settled();
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(menu.slice(0, 2), ['Insert Active File', 'Paste from Clipboard']);
    assert.equal(step.pick.value, 'selected');
    step.pick.hide();
  });
});
