import assert from 'node:assert/strict';
import {
  QuestionRateLimit,
  maxHeld,
  type HeldQuestions,
} from '../../../src/requests/questionRateLimit';
import { settled } from '../../support/fakes/fakeClock';

const demo = { id: 'demo', name: 'Demo' };
const other = { id: 'other', name: 'Other' };
const never = () => new AbortController().signal;

function createGate(maxPerMinute = 20) {
  const pauses: HeldQuestions[] = [];
  let time = 1_000_000;
  const gate = new QuestionRateLimit({
    maxPerMinute,
    now: () => time,
    onPause: (held) => pauses.push(held),
  });
  const outcomes: string[] = [];
  return {
    gate,
    pauses,
    outcomes,
    ask: (count: number, server = demo, signal?: AbortSignal) => {
      for (let i = 0; i < count; i += 1)
        void gate
          .enter(server, signal ?? never())
          .then((entered) =>
            outcomes.push(typeof entered === 'string' ? entered : `withdrawn: ${entered.reason}`),
          );
      return settled();
    },
    wait: (ms: number) => (time += ms),
  };
}

describe('a server that asks', () => {
  it('twenty questions in a minute is not paused', async () => {
    const { ask, pauses, outcomes, wait } = createGate();
    await ask(20);
    wait(60_000);
    await ask(20);
    assert.equal(outcomes.length, 40);
    assert.equal(pauses.length, 0);
  });

  it('more often is paused once, and the others are not', async () => {
    const { ask, pauses, outcomes } = createGate();
    await ask(100);
    assert.equal(outcomes.length, 20);
    assert.deepEqual(
      pauses.map(({ server, count }) => [server, count]),
      [[demo, 80]],
    );
    await ask(1, other);
    assert.equal(outcomes.length, 21);
  });

  it('has no more held back than a user could look at, and the rest cancelled', async () => {
    const { ask, pauses, outcomes } = createGate();
    await ask(20 + maxHeld + 50);
    assert.equal(pauses[0]?.count, maxHeld);
    assert.deepEqual(
      outcomes.slice(20),
      Array.from({ length: 50 }, () => 'withdrawn: paused'),
    );
  });

  it('stays paused although time goes by', async () => {
    const { ask, outcomes, wait } = createGate();
    await ask(21);
    wait(3_600_000);
    await ask(1);
    assert.equal(outcomes.length, 20);
  });

  for (const [how, outcome] of [
    ['go', 'go'],
    ['decline', 'decline'],
    ['drop', 'withdrawn: paused'],
  ] as const)
    it(`is let out of its pause with ${how} for what it held`, async () => {
      const { ask, pauses, outcomes } = createGate(1);
      await ask(3);
      pauses[0]?.end(how);
      await settled();
      assert.deepEqual(outcomes, ['go', outcome, outcome]);
      await ask(1);
      assert.deepEqual(outcomes.at(-1), 'go');
    });

  it('is paused anew when it goes on like that', async () => {
    const { ask, pauses, outcomes } = createGate(1);
    await ask(2);
    pauses[0]?.end('decline');
    await ask(2);
    assert.equal(pauses.length, 2);
    // The end of the first pause does not affect the second.
    pauses[0]?.end('go');
    await settled();
    assert.deepEqual(outcomes.toSorted(), ['decline', 'go', 'go']);
    assert.equal(pauses[1]?.count, 1);
  });

  it('may take back a question that is held', async () => {
    const { ask, pauses, outcomes } = createGate(1);
    const taken = new AbortController();
    await ask(1);
    await ask(1, demo, taken.signal);
    await ask(1, demo, AbortSignal.abort());
    assert.equal(pauses[0]?.count, 1);
    taken.abort();
    await settled();
    assert.equal(pauses[0]?.count, 0);
    const cancelled = 'withdrawn: cancelled';
    assert.deepEqual(outcomes, ['go', cancelled, cancelled]);
  });
});
