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

  /** Asks a model, for which a message has 40 tokens and other texts none, within a budget. */
  const ask = async (
    answer: () => AsyncIterable<unknown>,
    signal = new AbortController().signal,
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
    const permissions = new SamplingPermissions(createMemento());
    await permissions.set(server, { mode: 'budget' });
    const budget = new HourBudget(createMemento(), Date.now);
    const limits = () => ({ requests: 10, tokens: 10_000 });
    const deps = { servers: fakeServers(server), permissions, budget, limits };
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
