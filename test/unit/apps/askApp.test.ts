import assert from 'node:assert/strict';
import { askApp } from '../../../src/apps/consent/askApp';
import type { Permission } from '../../../src/apps/page/permissions';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import type { Questions } from '../../../src/ui/questions/questions';
import { fakeApp } from '../../support/fakes/fakeApp';
import { fakeServer } from '../../support/fakes/fakeServer';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';

describe('the question about an app', function () {
  this.timeout(60_000);

  for (const [choice, others] of [
    ['Open App', 'is not asked for the calls that wait once it is allowed'],
    ['Do Not Open', 'is asked for each call that waits where it is not allowed'],
  ] as const)
    it(others, async () => {
      const picks = watchPicks();
      const questions = newQuestions() as unknown as Questions;
      let kept: readonly Permission[] | undefined;
      const question = {
        server: fakeServer(),
        app: fakeApp(),
        granted: () => Promise.resolve(kept),
        remember: async (granted: readonly Permission[]) => {
          kept = granted;
        },
      };
      const ask = () => askApp(question, { questions, input: {} as DocumentInput });
      const outcomes = [ask(), ask()];
      (await picks.next(/^App of demo/)).choose(choice);
      const isOpen = choice === 'Open App';
      if (!isOpen) (await picks.next(/^App of demo/)).choose(choice);
      const answers = (await Promise.all(outcomes)).map(
        (outcome) => outcome.kind === 'answered' && outcome.answer.kind,
      );
      assert.deepEqual(answers, isOpen ? ['open', 'open'] : ['decline', 'decline']);
      assert.deepEqual(picks.open, []);
      picks.dispose();
    });
});
