import assert from 'node:assert/strict';
import { neverAborted } from '../../../src/base/async';
import { CallsConsent } from '../../../src/testing/consent';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import type { Questions } from '../../../src/ui/questions/questions';
import { byUser, type UserAction } from '../../../src/ui/questions/question';
import type { CallsRunDeps } from '../../../src/testing/callsRuns';
import { createMementoOf } from '../../support/fakes/memento';
import { newQuestions } from '../../support/host/newQuestions';
import { until } from '../../support/host/hostApi';
import { tool, type FakeServer } from '../../support/fakes/fakeServer';
import { watchPicks } from '../../support/host/shownPicks';
import { testedFile } from './testedFile';

type Allows = CallsRunDeps['consent']['allows'];

/** Returns the consent of a new user, who is asked through `questions`. */
function allowsBy(questions: unknown): Allows {
  const consent = new CallsConsent(createMementoOf(), questions as Questions, {} as DocumentInput);
  return (...asked) => consent.allows(...asked);
}

describe('the question whether saved calls may run', function () {
  this.timeout(20_000);
  const steps = ['a', 'b'].map((name) => ({ name, call: 'called' }));
  const title = /^Run tested\.mcp-calls\.jsonc on/;

  it('is withdrawn when their run is stopped, which then ends', async () => {
    const questions = newQuestions();
    const tested = testedFile({ steps, allows: allowsBy(questions) });
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

  const changed = tool({ name: 'called', description: 'Sends it to somebody else.' });
  const changes: readonly [what: string, change: (server: FakeServer) => void, asks: boolean][] = [
    ['nothing', () => {}, false],
    [
      'another tool',
      ({ tools }) => tools.set([...tools.items, tool({ name: 'b' })], 'loaded'),
      false,
    ],
    ['the definition of a tool', ({ tools }) => tools.set([changed], 'loaded'), true],
    ['a tool that is gone', ({ tools }) => tools.set([], 'loaded'), true],
    ['the launch', ({ options }) => (options.args = ['other.js']), true],
  ];
  for (const [what, change, asks] of changes)
    it(`is ${asks ? '' : 'not '}asked again after a change of ${what}`, async () => {
      const picks = watchPicks();
      const tested = testedFile({ steps, allows: allowsBy(newQuestions()) });
      try {
        const first = tested.run({}, neverAborted());
        (await picks.next(title)).choose('Run 2 Requests');
        assert.deepEqual(await first, ['a passed', 'b passed']);
        change(tested.server);
        const second = tested.run({}, neverAborted());
        if (asks) (await picks.next(title)).choose('Do Not Run');
        assert.deepEqual(
          await second,
          asks ? ['a skipped', 'b skipped'] : ['a passed', 'b passed'],
        );
        assert.deepEqual(picks.open, []);
      } finally {
        picks.dispose();
        tested.dispose();
      }
    });

  const own = 'Run 2 Requests';
  const all = 'Run Now and Whenever a Model Runs Tests';
  for (const [what, answer, mayBeOfModel, onlyReads, asks, session = 'file'] of [
    ['their own', own, [false, false, false], undefined, [true, false, false]],
    ['those of the editor', own, [true, true, false], undefined, [true, true, false]],
    [
      'those of the editor, after their own',
      own,
      [false, true, false],
      undefined,
      [true, true, false],
    ],
    ['all', all, [true, true, false], undefined, [true, false, false]],
    [
      'those of the editor with a session for each step',
      own,
      [true, true, false],
      undefined,
      [true, true, false],
      'step',
    ],
    ['those of the editor that say no', own, [true, true, false], false, [true, true, false]],
    ['those of the editor that only read', own, [true, true, false], true, [true, false, false]],
  ] as const)
    it(`is asked about a run that a model may have begun as long as the user did not agree to that: ${what}`, async () => {
      const questions = newQuestions() as unknown as Questions;
      const picks = watchPicks();
      const consent = new CallsConsent(createMementoOf(), questions, {} as DocumentInput);
      try {
        for (const [index, isAsked] of asks.entries()) {
          const tested = testedFile({
            steps,
            session,
            mayBeOfModel: mayBeOfModel[index] ?? assert.fail(),
            ...(onlyReads !== undefined && { onlyReads }),
            allows: (...asked) => consent.allows(...asked),
          });
          const run = tested.run({}, neverAborted());
          if (isAsked) {
            const shown = await picks.next(title);
            const isWide = mayBeOfModel[index] === true && onlyReads !== true;
            assert.equal(shown.labels.includes(all), isWide);
            assert.equal(shown.labels[0], 'Do Not Run');
            shown.choose(isWide ? answer : own);
          }
          assert.deepEqual(await run, ['a passed', 'b passed']);
          tested.dispose();
        }
        assert.deepEqual(picks.open, []);
      } finally {
        picks.dispose();
      }
    });

  for (const [how, now] of [
    ['changes', [changed]],
    ['leaves the list', []],
  ] as const)
    it(`does not hold for a tool that ${how} while they run`, async () => {
      const called: string[] = [];
      const tested = testedFile({
        steps,
        onCall: async (name) => {
          called.push(name);
          tested.server.tools.set(now, 'loaded');
        },
      });
      try {
        assert.deepEqual(await tested.run({}, neverAborted()), ['a passed', 'b failed']);
        assert.deepEqual(called, ['called']);
      } finally {
        tested.dispose();
      }
    });

  it('holds for a tool that is named by a variable, until any tool changes', async () => {
    const named = [{ name: 'a', call: '${tool}' }];
    const picks = watchPicks();
    const tested = testedFile({
      steps: named,
      variables: { tool: 'called' },
      allows: allowsBy(newQuestions()),
    });
    try {
      const first = tested.run({}, neverAborted());
      (await picks.next(title)).choose('Run 1 Request');
      assert.deepEqual(await first, ['a passed']);
      assert.deepEqual(await tested.run({}, neverAborted()), ['a passed']);
      tested.server.tools.set([changed], 'loaded');
      const second = tested.run({}, neverAborted());
      (await picks.next(title)).choose('Do Not Run');
      assert.deepEqual(await second, ['a skipped']);
    } finally {
      picks.dispose();
      tested.dispose();
    }
  });

  it('is not for the same calls in another session', async () => {
    const picks = watchPicks();
    const allows = allowsBy(newQuestions());
    try {
      for (const [session, asks] of [
        ['file', true],
        ['file', false],
        ['step', true],
        ['running', true],
        ['running', false],
      ] as const) {
        const tested = testedFile({ steps, session, allows });
        const run = tested.run({}, neverAborted());
        if (asks) (await picks.next(title)).choose('Run 2 Requests');
        assert.deepEqual(await run, ['a passed', 'b passed']);
        tested.dispose();
      }
    } finally {
      picks.dispose();
    }
  });

  it('takes the keyboard only for a run that the user began', async () => {
    const asked: (UserAction | undefined)[] = [];
    const allows: Allows = ({ asked: by }) => {
      asked.push(by);
      return Promise.resolve(false);
    };
    const action = byUser();
    for (const by of [action, undefined]) {
      const tested = testedFile({ steps, allows, ...(by && { asked: by }) });
      await tested.run({}, neverAborted());
      tested.dispose();
    }
    assert.deepEqual(asked, [action, undefined]);
  });

  it('is not asked about what cannot be shown in full, and nothing is sent then', async () => {
    const answers = { ask: () => Promise.resolve({ kind: 'answered', answer: true }) };
    const hidden = { name: 'hidden', call: 'called', arguments: { a: '\u202E'.repeat(200_000) } };
    const tested = testedFile({ steps: [hidden], allows: allowsBy(answers) });
    try {
      assert.deepEqual(await tested.run({}, neverAborted()), ['hidden errored']);
    } finally {
      tested.dispose();
    }
  });
});
