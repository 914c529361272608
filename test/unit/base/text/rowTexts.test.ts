import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pickTexts, treeTexts } from '../../../../src/base/text/rowTexts';
import { maxTooltipLength } from '../../../../src/base/text/text';
import { nastyText, nastyTexts, workingIn } from '../../../support/fakes/nastyTexts';

/** Checks that no line of a row contains anything that must not be in it. */
function assertSafe(lines: readonly (readonly [line: string | undefined, maxLength: number])[]) {
  // An icon is defused by an extra character, so a line can be longer.
  for (const [line = '', maxLength] of lines)
    assert.equal(workingIn(line, maxLength * 2), undefined, line.slice(0, 200));
}

function assertSafeRows(text: string) {
  const pick = pickTexts({ label: text, description: text, detail: text });
  assertSafe([
    [pick.label, 200],
    [pick.description, 200],
    [pick.detail, 1000],
    [pickTexts({ label: text, isLaidOut: true }).label, 1000],
  ]);
  const tree = treeTexts({ label: text, description: text, kind: 'Tool', state: 'Running' });
  assertSafe([
    [tree.label, 200],
    [tree.description, 200],
    [tree.spoken, 500],
  ]);
  const { tooltip = '' } = treeTexts({ label: '', tooltip: text });
  assert.ok(tooltip.length <= maxTooltipLength);
  // A tooltip is plain text with several lines: nothing in it may have an effect or be invisible.
  assert.doesNotMatch(tooltip, /(?![\n\t])\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u);
}

describe('the texts of a row', () => {
  for (const [tries, text] of nastyTexts)
    it(`show ${tries} and let it do nothing`, () => assertSafeRows(text));

  it('are safe whatever is in them', () => {
    fc.assert(fc.property(nastyText, assertSafeRows), { numRuns: 300 });
  });

  it('stay as they are when they are made safe again', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        const row = { label: text, description: text, detail: text };
        assert.deepEqual(pickTexts(pickTexts(row)), pickTexts(row));
        const laidOut = (line: string) => pickTexts({ label: line, isLaidOut: true }).label;
        const line = laidOut(text.slice(0, 100));
        assert.equal(laidOut(line), line);
      }),
    );
  });

  it('keep the blanks of a line that is laid out', () => {
    assert.equal(pickTexts({ label: '    a  b', isLaidOut: true }).label, '\u2003\u2003a  b');
    assert.equal(pickTexts({ label: '    a  b' }).label, 'a b');
  });

  for (const [label, description, expected] of [
    ['שלום', 'وصف', '\u200Eوصف'],
    ['שלום', '3 tools', '\u200E3 tools'],
    ['tool וכלי', 'وصف', '\u200Eوصف'],
    ['ܫܠܡܐ', 'x\u202Ey', '\u200Ex⟨U+202E⟩y'],
    ['tool', 'وصف', 'وصف'],
    ['ツール', '説明', '説明'],
    ['tool', '\u200Ex', '⟨U+200E⟩x'],
  ] as const)
    it(`keep what stands beside a name behind it: ${label}, ${description}`, () => {
      const row = { label, description };
      const pick = pickTexts(row);
      assert.deepEqual(pick, { label, description: expected });
      assert.deepEqual(pickTexts(pick), pick);
      const tree = treeTexts(row);
      assert.deepEqual([tree.label, tree.description], [label, expected]);
      assert.equal(tree.spoken, `${label}, ${expected.replace(/^\u200E/, '')}`);
    });

  for (const [what, label, tooltip, once] of [
    ['paragraph', 'a', 'Adds.\n\nname\n\n adds\n\nMore', 'Adds.\n\nname\n\nMore'],
    ['name', 'Add', 'Add\nadd\nUser Settings\n Add.', 'Add\nUser Settings'],
  ] as const)
    it(`say no ${what} of a tooltip twice`, () => {
      assert.equal(treeTexts({ label, tooltip }).tooltip, once);
    });

  it('keep lines of code and of lists that repeat', () => {
    const code = 'if (a) {\n  b();\n}\nif (c) {\n  b();\n}';
    assert.equal(treeTexts({ label: 'a', tooltip: code }).tooltip, code);
  });

  it('have nothing beside a name that is the name again', () => {
    const row = treeTexts({ label: 'Roll Dice', description: ' roll dice. ' });
    assert.deepEqual(row, { label: 'Roll Dice', spoken: 'Roll Dice' });
  });

  it('have no mark where nothing stands beside a name', () => {
    assert.deepEqual(pickTexts({ label: 'שלום', description: '' }), {
      label: 'שלום',
      description: '',
    });
    assert.equal(treeTexts({ label: 'שלום', description: ' ' }).description, undefined);
  });

  it('are said by kind, name, what stands beside it and state, the state once', () => {
    const row = { label: 'echo', kind: 'Tool', description: 'Says it again' };
    assert.equal(treeTexts(row).spoken, 'Tool echo, Says it again');
    const server = { label: 'demo', kind: 'Server', state: 'Stopped' };
    const spoken = (description?: string) => treeTexts({ ...server, description }).spoken;
    assert.equal(spoken(), 'Server demo, Stopped');
    assert.equal(spoken('User Settings'), 'Server demo, User Settings, Stopped');
    assert.equal(spoken('Stopped · User Settings'), 'Server demo, Stopped · User Settings');
    assert.equal(treeTexts({ label: 'Tools', description: '12' }).spoken, 'Tools, 12');
  });
});
