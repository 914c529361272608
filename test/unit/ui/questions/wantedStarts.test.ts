import assert from 'node:assert/strict';
import { byUser, type QuestionKind } from '../../../../src/ui/questions/question';
import { WantedStarts } from '../../../../src/ui/questions/wantedStarts';

const action = byUser();

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
      const starts = new WantedStarts(
        () => 0,
        () => false,
      );
      assert.ok(!starts.actionFor(kind, 'one'));
      starts.note('one', action);
      assert.equal(starts.actionFor(kind, 'one'), isAsked ? action : undefined);
      assert.ok(!starts.actionFor(kind, 'another'));
    });

  it('are so no longer once the start has come to its end', () => {
    const starts = new WantedStarts(
      () => 0,
      () => false,
    );
    starts.note('one', action);
    starts.note('another', action);
    starts.forget('one');
    assert.deepEqual(
      [starts.actionFor('trust', 'one'), starts.actionFor('trust', 'another')],
      [undefined, action],
    );
  });

  it('are so for a minute, and for another one from an answer', () => {
    let now = 0;
    const starts = new WantedStarts(
      () => now,
      () => false,
    );
    starts.note('one', action);
    now = 60_000;
    assert.ok(starts.actionFor('input', 'one'));
    starts.note('one', action);
    now = 120_000;
    assert.ok(starts.actionFor('input', 'one'));
    now += 1;
    assert.ok(!starts.actionFor('input', 'one'));
  });

  for (const [what, worksAt, isShown] of [
    ['takes', -1, true],
    ['waits instead of taking', 25_000, false],
  ] as const)
    it(`have a question that a slow server comes to ${what} the keyboard, where the user ${isShown ? 'has done nothing else' : 'types elsewhere'}`, () => {
      const last = action.at + worksAt;
      const starts = new WantedStarts(
        () => action.at + 26_000,
        (since) => last > since,
      );
      starts.note('slow', action);
      assert.equal(starts.actionFor('signIn', 'slow'), isShown ? action : undefined);
      // It is part of the start all the same: what follows its answer is, too.
      assert.ok(starts.isAsked('signIn', 'slow'));
    });
});
