import assert from 'node:assert/strict';
import { neverAborted } from '../../../src/base/abort';
import { CallsConsent } from '../../../src/testing/consent';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import type { Questions } from '../../../src/ui/questions/questions';
import { createMementoOf } from '../../support/fakes/memento';
import { newQuestions } from '../../support/host/newQuestions';
import { until } from '../../support/host/hostApi';
import { testedFile } from './testedFile';

describe('the question whether saved calls may run', function () {
  this.timeout(20_000);
  const steps = ['a', 'b'].map((name) => ({ name, call: 'called' }));

  it('is withdrawn when their run is stopped, which then ends', async () => {
    const questions = newQuestions();
    const asking = questions as unknown as Questions;
    const consent = new CallsConsent(createMementoOf(), asking, {} as DocumentInput);
    const tested = testedFile({ steps, allows: (...asked) => consent.allows(...asked) });
    const stop = new AbortController();
    try {
      const ended = tested.run({}, stop.signal);
      await until(questions.onDidChange, () => questions.waiting.length === 1);
      stop.abort();
      assert.deepEqual(await ended, ['a skipped', 'b skipped']);
      assert.deepEqual(questions.waiting, []);
    } finally {
      tested.dispose();
    }
  });

  it('is not asked about what cannot be shown in full, and nothing is sent then', async () => {
    const questions = { ask: () => Promise.resolve({ kind: 'answered', answer: true }) };
    const asking = questions as unknown as Questions;
    const consent = new CallsConsent(createMementoOf(), asking, {} as DocumentInput);
    const hidden = { name: 'hidden', call: 'called', arguments: { a: '\u202E'.repeat(200_000) } };
    const tested = testedFile({
      steps: [hidden],
      allows: (...asked) => consent.allows(...asked),
    });
    try {
      assert.deepEqual(await tested.run({}, neverAborted()), ['hidden errored']);
    } finally {
      tested.dispose();
    }
  });
});
