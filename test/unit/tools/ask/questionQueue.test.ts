import assert from 'node:assert/strict';
import { deferred, type Deferred } from '../../../../src/base/async';
import { withdrawnBy, type QuestionOutcome } from '../../../../src/ui/questions/outcome';
import type { Answer, Question } from '../../../../src/tools/gate/question';
import { createQuestionQueue, type QuestionPlace } from '../../../../src/tools/ask/questionQueue';
import { fakeServer, tool } from '../fakeServer';

const question = (name: string): Question => ({
  call: {
    server: fakeServer(),
    tool: tool({ name }),
    arguments: {},
    origin: { kind: 'person' },
  },
  proposed: {},
  concerns: [],
});

type Outcome = QuestionOutcome<Answer>;
const answered = (answer: Answer): Outcome => ({ kind: 'answered', answer, how: 'click' });
const allow = answered({ kind: 'allow', arguments: {} });
const deny = answered({ kind: 'deny' });

/** A queue whose questions are shown, and answered by the test; an abort takes them back. */
function createQueue() {
  const shown: { name: string; answer: Deferred<Outcome>; place: QuestionPlace }[] = [];
  const ask = createQuestionQueue(({ call }, signal, place) => {
    const answer = deferred<Outcome>();
    signal.addEventListener('abort', () => answer.resolve(withdrawnBy(signal)));
    shown.push({ name: call.tool.name, answer, place });
    return answer.promise;
  });
  return {
    shown,
    ask: (name: string, signal = new AbortController().signal) => ask(question(name), signal),
  };
}

/** Lets what is already decided run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('Questions in a queue', () => {
  it('are shown one at a time, in order, with a count', async () => {
    const queue = createQueue();
    const answers = [queue.ask('a'), queue.ask('b'), queue.ask('c')];
    await settled();
    assert.deepEqual(
      queue.shown.map(({ name }) => name),
      ['a'],
    );
    assert.equal(queue.shown[0]?.place.waiting, 3);
    queue.shown[0]?.answer.resolve(allow);
    assert.deepEqual(await answers[0], allow);
    await settled();
    assert.deepEqual(
      queue.shown.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.equal(queue.shown[1]?.place.waiting, 2);
    queue.shown[1]?.answer.resolve(deny);
    await settled();
    queue.shown[2]?.answer.resolve(allow);
    assert.deepEqual(await Promise.all(answers), [allow, deny, allow]);
  });

  it('tell the one that is shown when others come', async () => {
    const queue = createQueue();
    const first = queue.ask('a');
    await settled();
    const counts: (number | undefined)[] = [];
    queue.shown[0]?.place.onDidChangeWaiting(() => counts.push(queue.shown[0]?.place.waiting));
    const second = queue.ask('b');
    assert.deepEqual(counts, [2]);
    queue.shown[0]?.place.denyAll();
    assert.deepEqual(await Promise.all([first, second]), [deny, deny]);
  });

  it('are all denied together, and later ones are asked anew', async () => {
    const queue = createQueue();
    const answers = ['a', 'b', 'c'].map((name) => queue.ask(name));
    await settled();
    queue.shown[0]?.place.denyAll();
    for (const answer of await Promise.all(answers)) assert.deepEqual(answer, deny);
    assert.equal(queue.shown.length, 1);
    const later = queue.ask('d');
    await settled();
    queue.shown[1]?.answer.resolve(allow);
    assert.deepEqual(await later, allow);
  });

  it('leave the queue when they are withdrawn, without being shown', async () => {
    const queue = createQueue();
    const controller = new AbortController();
    const first = queue.ask('a');
    const second = queue.ask('b', controller.signal);
    await settled();
    controller.abort();
    assert.equal(queue.shown[0]?.place.waiting, 1);
    queue.shown[0]?.answer.resolve(allow);
    await first;
    assert.deepEqual(await second, { kind: 'withdrawn', reason: 'cancelled' });
    assert.equal(queue.shown.length, 1);
  });
});
