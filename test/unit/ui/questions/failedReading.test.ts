import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../../src/base/async';
import { QuestionQueue } from '../../../../src/ui/questions/queue';
import { byUser, type Question } from '../../../../src/ui/questions/question';
import { askRow } from '../../../../src/ui/steps/pickRows';
import type { StepFrame } from '../../../../src/ui/steps/stepFrame';
import { readingParts } from '../../../../src/ui/documents/wholeText';
import { watchPicks, type WatchedPicks } from '../../../support/host/shownPicks';

const { signal } = new AbortController();
const server = { id: 'demo', name: 'demo' };
const items = [{ label: 'one' }, { label: 'two' }];

const choose = (title: string, more: Partial<StepFrame> = {}) =>
  askRow({ frame: { title, actions: [], ...more }, items });

describe('a question whose text cannot be shown in an editor', function () {
  this.timeout(60_000);
  const { showErrorMessage } = vscode.window;
  let picks: WatchedPicks;
  const queue = new QuestionQueue({
    now: () => 0,
    quietMs: 700,
    whenDrawn: (then) => then(),
    mayShow: () => true,
  });
  before(() => {
    picks = watchPicks();
  });
  after(() => {
    picks.dispose();
    vscode.window.showErrorMessage = showErrorMessage;
  });

  const queued = async (title: string, more: Partial<StepFrame> = {}) => {
    const question: Question<unknown> = {
      info: { kind: 'form', server, what: 'decide', asked: byUser() },
      ask: (context) => choose(title, { ...more, context }),
    };
    const outcome = await queue.ask(question, signal);
    return outcome.kind === 'answered' ? outcome.answer : outcome.kind;
  };

  for (const [how, ask] of [
    ['that takes turns', queued],
    ['of its own', choose],
  ] as const)
    it(`comes back, and says why: one ${how}`, async () => {
      const said = deferred<string>();
      vscode.window.showErrorMessage = (message: string) => {
        said.resolve(message);
        return Promise.resolve(undefined);
      };
      const answer = ask(
        'first',
        readingParts(() => Promise.reject(new Error('No such file'))),
      );
      const shown = await picks.next(/^first$/);
      const again = shown.whenShown();
      shown.press('Show in Editor');
      assert.equal(await said.promise, 'No such file');
      await again;
      shown.click('two');
      assert.equal(await answer, items[1]);
      const next = ask('second');
      (await picks.next(/^second$/)).click('one');
      assert.equal(await next, items[0]);
    });
});
