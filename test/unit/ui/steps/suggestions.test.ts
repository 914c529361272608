import assert from 'node:assert/strict';
import { deferred, type Deferred } from '../../../../src/base/async';
import { once } from '../../../../src/base/event';
import { Suggestions, type SuggestedValues } from '../../../../src/ui/steps/suggestions';

/** Creates a server that answers when the test says so. */
function server() {
  const questions: { typed: string; signal: AbortSignal; answer: Deferred<SuggestedValues> }[] = [];
  const waiting: Deferred<void>[] = [];
  return {
    questions,
    suggest: (typed: string, signal: AbortSignal) => {
      const answer = deferred<SuggestedValues>();
      questions.push({ typed, signal, answer });
      for (const each of waiting.splice(0)) each.resolve();
      return answer.promise;
    },
    asked: async (count: number) => {
      while (questions.length < count) {
        const change = deferred<void>();
        waiting.push(change);
        await change.promise;
      }
    },
  };
}

describe('suggestions', () => {
  it('are asked for at once for what stands in the box at first', async () => {
    const { suggest, questions, asked } = server();
    const suggestions = new Suggestions(suggest, 10_000);
    suggestions.update('');
    await asked(1);
    assert.equal(questions[0]?.typed, '');
    suggestions.dispose();
  });

  it('wait for a pause in the typing and ask once for the last text', async () => {
    const { suggest, questions, asked } = server();
    const suggestions = new Suggestions(suggest, 20);
    suggestions.update('');
    await asked(1);
    for (const typed of ['p', 'py', 'pyt']) suggestions.update(typed);
    await asked(2);
    assert.deepEqual(
      questions.map(({ typed }) => typed),
      ['', 'pyt'],
    );
    suggestions.dispose();
  });

  it('withdraw the question and drop the answer when something else was typed', async () => {
    const { suggest, questions, asked } = server();
    const suggestions = new Suggestions(suggest, 0);
    suggestions.update('a');
    await asked(1);
    suggestions.update('ab');
    await asked(2);
    const [first, second] = questions;
    assert.equal(first?.signal.aborted, true);
    const changed = once(suggestions.onDidChange, () => !suggestions.busy);
    second?.answer.resolve({ values: ['abc'], total: 1 });
    await changed;
    first?.answer.resolve({ values: ['stale'] });
    await first?.answer.promise;
    await Promise.resolve();
    assert.deepEqual(suggestions.values, { values: ['abc'], total: 1 });
    suggestions.dispose();
  });

  it('say why the server failed and recover with the next text', async () => {
    const { suggest, questions, asked } = server();
    const suggestions = new Suggestions(suggest, 0);
    suggestions.update('a');
    await asked(1);
    const failed = once(suggestions.onDidChange);
    questions[0]?.answer.reject(new Error('no completion today'));
    await failed;
    assert.equal(suggestions.error, 'no completion today');
    assert.deepEqual(suggestions.values.values, []);
    suggestions.update('ab');
    await asked(2);
    const changed = once(suggestions.onDidChange);
    questions[1]?.answer.resolve({ values: ['abc'] });
    await changed;
    assert.equal(suggestions.error, undefined);
    suggestions.dispose();
  });

  it('ask nothing twice for the same text', async () => {
    const { suggest, questions, asked } = server();
    const suggestions = new Suggestions(suggest, 0);
    suggestions.update('a');
    suggestions.update('a');
    await asked(1);
    assert.equal(questions.length, 1);
    suggestions.dispose();
  });

  it('withdraw the question when they are no longer wanted', async () => {
    const { suggest, questions, asked } = server();
    const suggestions = new Suggestions(suggest, 0);
    suggestions.update('a');
    await asked(1);
    suggestions.dispose();
    assert.equal(questions[0]?.signal.aborted, true);
  });
});
