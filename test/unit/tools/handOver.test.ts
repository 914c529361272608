import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createHandOverOffer } from '../../../src/chat/editor/offerHandOver';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { setSetting } from '../../support/host/toolsSteps';

const title = /^Hand your servers, inputs filled in, to the editor's own agent\?$/;

/** Creates an offer in a window that has been open for two minutes by default, and counts its questions. */
function offer({ state = createMemento(), isOurs = true, age = 120_000 } = {}) {
  const times = [0, age];
  const questions = newQuestions();
  let asked = 0;
  const called = createHandOverOffer({
    servers: fakeServers(fakeServer()),
    isOursAlone: () => isOurs,
    questions: {
      ask: (question, signal) => {
        asked += 1;
        assert.equal(question.info.asked, undefined, 'it takes nobody the keyboard');
        return questions.ask(question, signal);
      },
    },
    state,
    now: () => times.shift() ?? age,
  });
  return { called, asked: () => asked };
}

const setting = () =>
  vscode.workspace.getConfiguration().inspect('mcpWorkbench.provideToEditor')?.globalValue;

describe('servers for the editor’s own client are offered', () => {
  beforeEach(() => setSetting('provideToEditor', undefined));
  after(() => setSetting('provideToEditor', false));

  for (const [answer, value] of [
    ['Hand Over', true],
    ['Never', false],
    ['Not Now', undefined],
  ] as const)
    it(`once, whatever the answer: ${answer}`, async () => {
      const state = createMemento();
      const picks = watchPicks();
      const { called, asked } = offer({ state });
      const answered = called();
      const shown = await picks.next(title);
      assert.match(shown.pick.prompt ?? '', /would not pass its confirmation/);
      assert.deepEqual(shown.labels, ['Not Now', 'Hand Over', 'Never']);
      // While it is waiting, there is no second question.
      await called();
      shown.choose(answer);
      await answered;
      assert.equal(setting(), value);
      await called();
      const later = offer({ state });
      await later.called();
      assert.deepEqual([asked(), later.asked()], [1, 0]);
      picks.dispose();
    });

  it('not in the first minute of a window', async () => {
    const { called, asked } = offer({ age: 59_999 });
    await called();
    assert.equal(asked(), 0);
  });

  it('not where the editor knows them, or there is only the demo', async () => {
    const { called, asked } = offer({ isOurs: false });
    await called();
    assert.equal(asked(), 0);
  });

  for (const value of [true, false])
    it(`not where the user has decided: ${value}`, async () => {
      await setSetting('provideToEditor', value);
      const { called, asked } = offer();
      await called();
      assert.equal(asked(), 0);
    });
});
