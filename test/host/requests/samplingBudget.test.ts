import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { HourBudget } from '../../../src/requests/sampling/hourBudget';
import { SamplingPermissions } from '../../../src/requests/sampling/permissions';
import { answerSampling, type SamplingDeps } from '../../../src/requests/sampling/sampling';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';

const message = { role: 'user', content: { type: 'text', text: 'Which files?' } } as const;
const request = { messages: [message], maxTokens: 100 };

describe('what a request of a server takes of its budget', () => {
  const { selectChatModels } = vscode.lm;
  const { showWarningMessage } = vscode.window;
  const server = fakeServer();
  let asked = 0;

  beforeEach(() => {
    asked = 0;
    Object.assign(vscode.window, { showWarningMessage: () => Promise.resolve() });
  });
  afterEach(() => {
    Object.assign(vscode.lm, { selectChatModels });
    Object.assign(vscode.window, { showWarningMessage });
  });

  const permissions = new SamplingPermissions(createMemento());
  const canSend = { canSendRequest: (): boolean | undefined => true };

  /** Asks a model, for which a message has 40 tokens and other texts none, within a budget. */
  const ask = async (
    answer: () => AsyncIterable<unknown>,
    signal = new AbortController().signal,
    { hasAnswered = true, access = canSend } = {},
  ) => {
    const model = {
      id: 'm',
      name: 'Model',
      vendor: 'test',
      family: 'test',
      maxInputTokens: 10_000,
      countTokens: (text: unknown) => Promise.resolve(typeof text === 'string' ? 0 : 40),
      sendRequest: () => {
        asked += 1;
        return Promise.resolve().then(() => ({ stream: answer() }));
      },
    };
    Object.assign(vscode.lm, { selectChatModels: () => Promise.resolve([model]) });
    await permissions.set(server, { mode: 'budget' });
    await permissions.noteAnswer(model, hasAnswered);
    const budget = new HourBudget(createMemento(), Date.now);
    const limits = () => ({ requests: 10, tokens: 10_000 });
    const context = { languageModelAccessInformation: access };
    const declined = { kind: 'answered', answer: 'decline', how: 'click' };
    const questions = { ask: () => Promise.resolve(declined) };
    const deps = { servers: fakeServers(server), permissions, budget, limits, context, questions };
    const sampled = await answerSampling(server, request, signal, deps as unknown as SamplingDeps)
      .then(({ result }) => result)
      .catch((error: unknown) => String(error));
    return { sampled, spent: budget.spent(await server.launchFingerprint()) };
  };

  it('is nothing where it is cancelled before a model is asked', async () => {
    const { spent } = await ask(async function* () {}, AbortSignal.abort());
    assert.deepEqual([asked, spent], [0, { requests: 0, tokens: 0 }]);
  });

  for (const [what, error, tokens] of [
    ['no tokens where the user keeps it from the model', 'NoPermissions', 0],
    ['no tokens where the model is gone', 'NotFound', 0],
    ['all that it may cost where the model fails', 'Blocked', 140],
  ] as const)
    it(`is ${what}`, async () => {
      const { sampled, spent } = await ask(() => {
        throw vscode.LanguageModelError[error]('no');
      });
      assert.ok(typeof sampled === 'string' && sampled.includes('gave no answer'));
      assert.deepEqual([asked, spent], [1, { requests: 1, tokens }]);
    });

  for (const [what, hasAnswered, says] of [
    ['has not answered a request that the user sent', false, true],
    ['the editor was not asked about', true, undefined],
    ['the user keeps from servers', true, false],
  ] as const)
    it(`is nothing for a model that ${what}: the request is shown first`, async () => {
      const access = { canSendRequest: () => says };
      const how = { hasAnswered, access };
      const { sampled, spent } = await ask(async function* () {}, undefined, how);
      assert.match(JSON.stringify(sampled), /declined|rejected/i);
      assert.deepEqual([asked, spent], [0, { requests: 0, tokens: 0 }]);
    });

  it('is nothing after the editor has kept it from a model, until the user sends that a request', async () => {
    const model = { vendor: 'test' };
    for (const [code, isKnown] of [
      ['Blocked', true],
      ['NoPermissions', false],
    ] as const) {
      await ask(() => {
        throw vscode.LanguageModelError[code]('no');
      });
      assert.equal(permissions.hasAnswered(model), isKnown);
    }
    await permissions.noteAnswer(model, true);
    assert.equal(permissions.hasAnswered(model), true);
  });

  it('includes the calls of tools in the answer, of which there are no more than there is room for', async () => {
    const { sampled, spent } = await ask(async function* () {
      for (const id of ['a', 'b', 'c']) yield new vscode.LanguageModelToolCallPart(id, 'look', {});
    });
    assert.ok(typeof sampled === 'object');
    const { content, stopReason } = sampled;
    const ids = [content].flat().map((block) => Object(block) as { id?: string });
    assert.deepEqual([ids.map(({ id }) => id), stopReason], [['a', 'b'], 'maxTokens']);
    assert.deepEqual(spent, { requests: 1, tokens: 120 });
  });
});
