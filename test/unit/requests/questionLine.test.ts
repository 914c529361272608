import assert from 'node:assert/strict';
import { deferred } from '../../../src/base/async';
import { QuestionLine, type QuestionPlace } from '../../../src/requests/questionLine';
import { settled } from '../../support/fakes/fakeClock';

const demo = { id: 'demo', name: 'Demo' };
const other = { id: 'other', name: 'Other' };
const never = () => new AbortController().signal;

/** Questions that are answered by the test, and what became of each. */
function createLine() {
  const line = new QuestionLine();
  const shown: {
    text: string;
    place: QuestionPlace;
    signal: AbortSignal;
    answer(a: string): void;
  }[] = [];
  const ask = (text: string, server = demo, signal = never()) =>
    line.ask(server, signal, (place, closed) => {
      const answered = deferred<string>();
      shown.push({ text, place, signal: closed, answer: (answer) => answered.resolve(answer) });
      closed.addEventListener('abort', () => answered.resolve('closed'));
      return answered.promise;
    });
  const texts = () => shown.map(({ text }) => text);
  const last = () => {
    const question = shown.at(-1);
    assert.ok(question);
    return question;
  };
  return { line, ask, texts, last };
}

describe('questions of servers', () => {
  it('are shown one at a time, in the order they came in, whoever asks', async () => {
    const { ask, texts, last } = createLine();
    const answers = [ask('a'), ask('b', other), ask('c')];
    for (const text of ['a', 'b', 'c']) {
      await settled();
      assert.equal(texts().at(-1), text);
      last().answer(`${text}!`);
    }
    assert.deepEqual(await Promise.all(answers), ['a!', 'b!', 'c!']);
    assert.deepEqual(texts(), ['a', 'b', 'c']);
  });

  it('say how many wait, and say so again when that changes', async () => {
    const { ask, last } = createLine();
    void ask('a');
    await settled();
    const { place } = last();
    let changes = 0;
    place.onDidChange(() => (changes += 1));
    assert.deepEqual([place.waiting, place.waitingOfServer], [1, 1]);
    void ask('b', other);
    void ask('c');
    assert.deepEqual([place.waiting, place.waitingOfServer, changes], [3, 2, 2]);
  });

  it('leave the next its turn when one fails', async () => {
    const line = new QuestionLine();
    const failing = line.ask(demo, never(), () => Promise.reject(new Error('broken')));
    const next = line.ask(demo, never(), () => Promise.resolve('next'));
    await assert.rejects(failing, /broken/);
    assert.equal(await next, 'next');
  });

  it('are closed when they are taken back, and the next is shown', async () => {
    const { ask, texts, last } = createLine();
    const taken = new AbortController();
    const [first, second] = [ask('a', demo, taken.signal), ask('b')];
    await settled();
    taken.abort();
    assert.equal(await first, 'cancel');
    await settled();
    assert.deepEqual(texts(), ['a', 'b']);
    last().answer('b!');
    assert.equal(await second, 'b!');
  });

  it('are never shown when they are taken back while they wait', async () => {
    const { ask, texts, last } = createLine();
    const taken = new AbortController();
    const first = ask('a');
    const second = ask('b', demo, taken.signal);
    await settled();
    taken.abort();
    assert.equal(await second, 'cancel');
    assert.equal(last().place.waiting, 1);
    last().answer('a!');
    await first;
    assert.deepEqual(texts(), ['a']);
    assert.equal(await ask('c', demo, AbortSignal.abort()), 'cancel');
    assert.deepEqual(texts(), ['a']);
  });

  it('are all declined at once for one server and go on for others', async () => {
    const { ask, texts, last } = createLine();
    const answers = [ask('a'), ask('b', other), ask('c')];
    await settled();
    last().place.declineAll();
    assert.equal(last().signal.aborted, true);
    await settled();
    assert.deepEqual(texts(), ['a', 'b']);
    last().answer('b!');
    assert.deepEqual(await Promise.all(answers), ['decline', 'b!', 'decline']);
  });

  it('of a hundred are each answered once', async () => {
    const { ask, texts, last } = createLine();
    const answers = Array.from({ length: 100 }, (_, i) => ask(String(i)));
    for (let i = 0; i < 100; i += 1) {
      await settled();
      assert.equal(last().place.waiting, 100 - i);
      last().answer(`${i}!`);
    }
    assert.deepEqual(
      await Promise.all(answers),
      Array.from({ length: 100 }, (_, i) => `${i}!`),
    );
    assert.equal(texts().length, 100);
  });
});
