import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { neverAborted } from '../../../src/base/abort';
import { reviewSampling } from '../../../src/requests/sampling/review/reviewSampling';
import { readSamplingDraft } from '../../../src/requests/sampling/review/samplingDraft';
import type { DocumentQuestion } from '../../../src/ui/documents/documentInput';
import type { Stage } from '../../../src/ui/questions/stage';
import { FakeServer } from '../../support/fakes/fakeServer';

type Deps = Parameters<typeof reviewSampling>[1];

/** Sends a request to the model and returns its answer; resolves to which of the two documents took the focus. */
async function review(turnedAway: boolean): Promise<(boolean | undefined)[]> {
  const all = await vscode.lm.selectChatModels();
  const model = all.find(({ name }) => name === 'Demo Model');
  assert.ok(model);
  const took: (boolean | undefined)[] = [];
  const ask = ({ takesFocus, text }: DocumentQuestion) => {
    took.push(takesFocus);
    return Promise.resolve({ choice: took.length === 1 ? 'send' : 'return', text });
  };
  const deps = {
    input: { ask },
    questions: { turnedAway: () => turnedAway },
    budget: { spend: () => {} },
  } as unknown as Deps;
  const stage = {
    place: {
      waiting: 1,
      waitingOfServer: 1,
      onDidChange: () => ({ dispose() {} }),
      declineAll() {},
    },
    signal: neverAborted(),
    isWanted: false,
    elsewhere: <T>(work: () => Promise<T>) => work(),
  } as unknown as Stage;
  const draft = readSamplingDraft({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
    maxTokens: 100,
  });
  const models = [{ model, reason: '' }];
  const server = new FakeServer({});
  await reviewSampling({ server, draft, permission: undefined, models, notes: [], stage }, deps);
  return took;
}

describe('the answer of a model to a server', () => {
  it('has the keyboard where the user waited for it, and not where they went on', async () => {
    assert.deepEqual(await review(false), [false, true]);
    assert.deepEqual(await review(true), [false, false]);
  });
});
