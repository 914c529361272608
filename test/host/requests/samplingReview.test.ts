import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { neverAborted } from '../../../src/base/async';
import { SamplingPermissions, type SamplingMode } from '../../../src/requests/sampling/permissions';
import { reviewSampling } from '../../../src/requests/sampling/review/reviewSampling';
import { readSamplingDraft } from '../../../src/requests/sampling/review/samplingDraft';
import type { DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import type { QuestionContext } from '../../../src/ui/questions/question';
import { FakeServer } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { byUser, type UserAction } from '../../../src/ui/questions/question';

type Deps = Parameters<typeof reviewSampling>[1];

const context = {
  place: {
    waiting: 1,
    waitingOfServer: 1,
    onDidChange: () => ({ dispose() {} }),
    declineAll() {},
  },
  signal: neverAborted(),
  wanted: undefined,
  setAside: <T>(work: () => Promise<T>) => work(),
} as unknown as QuestionContext;

const draft = readSamplingDraft({
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 100,
});

const shown = { draft, notes: [], context, several: true } as const;

async function demoModel(): Promise<vscode.LanguageModelChat> {
  const all = await vscode.lm.selectChatModels();
  const model = all.find(({ name }) => name === 'Demo Model');
  assert.ok(model);
  return model;
}

/** Sends a request to the model and returns its answer; resolves to which of the two documents took the focus. */
async function review(turnedAway: boolean): Promise<(boolean | undefined)[]> {
  const model = await demoModel();
  const took: (boolean | undefined)[] = [];
  const ask = ({ permit, text }: DocumentQuestion) => {
    took.push(permit !== undefined);
    const choice = took.length === 1 ? 'send' : 'return';
    return Promise.resolve({ choice, text, action: byUser() });
  };
  const deps = {
    input: { ask },
    questions: { stillBy: (by: UserAction) => (turnedAway ? undefined : by) },
    budget: { spend: () => {} },
    permissions: new SamplingPermissions(createMemento()),
  } as unknown as Deps;
  const models = [{ model, reason: '' }];
  const server = new FakeServer({});
  await reviewSampling({ ...shown, server, permission: undefined, models }, deps);
  return took;
}

describe('the answer of a model to a server', () => {
  it('has the keyboard where the user waited for it, and not where they went on', async () => {
    assert.deepEqual(await review(false), [false, true]);
    assert.deepEqual(await review(true), [false, false]);
  });
});

describe('a decision on a server’s use of a model', () => {
  const decisions: readonly [later: SamplingMode | undefined, kept: SamplingMode | undefined][] = [
    ['never', 'never'],
    ['budget', 'budget'],
    [undefined, undefined],
  ];
  for (const [later, kept] of decisions)
    it(`stays ${later ?? 'forgotten'} where a model is chosen in a review from before`, async () => {
      const chosen = { model: await demoModel(), reason: '' };
      const first = {
        model: { id: 'other', name: 'Other', vendor: 'test' },
        reason: '',
      } as typeof chosen;
      const server = new FakeServer({});
      const permissions = new SamplingPermissions(createMemento());
      await permissions.set(server, { mode: 'requests', model: 'other' });
      const permission = await permissions.find(server);
      const ask = async ({ choices, text }: DocumentQuestion) => {
        await choices.find(({ id }) => id === 'model')?.act?.(byUser(), text);
        await permissions.set(server, later && { mode: later });
        return { choice: 'send', text };
      };
      const deps = {
        input: { ask },
        questions: { ask: () => Promise.resolve({ kind: 'answered', answer: { ranked: chosen } }) },
        budget: { spend: () => {} },
        permissions,
      } as unknown as Deps;
      const models = [first, chosen];
      await reviewSampling({ ...shown, server, permission, models }, deps);
      assert.equal((await permissions.find(server))?.mode, kept);
    });
});
