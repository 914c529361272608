import assert from 'node:assert/strict';
import type { QuestionKind } from '../../../../src/ui/questions/question';
import { WantedStarts } from '../../../../src/ui/questions/wantedStarts';

describe('The servers that the user just started', () => {
  const kinds: readonly (readonly [QuestionKind, boolean])[] = [
    ['trust', true],
    ['input', true],
    ['signIn', true],
    ['call', false],
    ['sampling', false],
    ['elicitation', false],
    ['form', false],
  ];

  for (const [kind, isAsked] of kinds)
    it(`${isAsked ? 'have' : 'do not have'} a question asked for at once: ${kind}`, () => {
      const starts = new WantedStarts(() => 0);
      assert.ok(!starts.isAsked(kind, 'one'));
      starts.note('one');
      assert.equal(starts.isAsked(kind, 'one'), isAsked);
      assert.ok(!starts.isAsked(kind, 'another'));
    });

  it('are so no longer once the start has come to its end', () => {
    const starts = new WantedStarts(() => 0);
    starts.note('one');
    starts.note('another');
    starts.forget('one');
    assert.deepEqual(
      [starts.isAsked('trust', 'one'), starts.isAsked('trust', 'another')],
      [false, true],
    );
  });

  it('are so for a minute, and for another one from an answer', () => {
    let now = 0;
    const starts = new WantedStarts(() => now);
    starts.note('one');
    now = 60_000;
    assert.ok(starts.isAsked('input', 'one'));
    starts.note('one');
    now = 120_000;
    assert.ok(starts.isAsked('input', 'one'));
    now += 1;
    assert.ok(!starts.isAsked('input', 'one'));
  });
});
