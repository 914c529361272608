import assert from 'node:assert/strict';
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
});
