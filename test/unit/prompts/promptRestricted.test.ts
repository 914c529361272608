import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { PromptHistory } from '../../../src/prompts/arguments/promptHistory';
import { runPrompt, type RunPromptDeps } from '../../../src/prompts/runPrompt';
import { FakeServer } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { poll } from '../../support/poll';

describe('a prompt of a server that was not started', () => {
  const { showErrorMessage } = vscode.window;
  afterEach(() => {
    vscode.window.showErrorMessage = showErrorMessage;
  });

  for (const [readiness, expected] of [
    ['restricted', ['Manage Workspace Trust']],
    ['declined', ['Retry', 'Show Log']],
  ] as const)
    it(`leads on where the server is ${readiness}: ${expected.join(', ')}`, async () => {
      let offered: readonly unknown[] = [];
      vscode.window.showErrorMessage = (_message: string, ...choices: unknown[]) => {
        offered = choices;
        return Promise.resolve(undefined);
      };
      const server = new FakeServer({ prompts: [{ name: 'greet' }] });
      server.become({ kind: 'stopped' });
      const deps: Partial<RunPromptDeps> = {
        history: new PromptHistory(createMemento()),
        starts: { start: () => Promise.resolve([{ kind: 'refused', message: 'No.' }]) },
        launches: { readiness: () => Promise.resolve(readiness) },
      };
      const entry = { server, prompt: { name: 'greet' } };
      assert.equal(await runPrompt({ entry }, deps as RunPromptDeps), undefined);
      assert.deepEqual(offered, expected);
    });

  it('is not said to start while the question about that waits for the user', async () => {
    const { withProgress } = vscode.window;
    const told: unknown[] = [];
    const answer = deferred<void>();
    Object.assign(vscode.window, {
      withProgress: (_options: unknown, task: (progress: object) => Promise<unknown>) =>
        task({ report: ({ message }: { message?: string }) => told.push(message) }),
    });
    vscode.window.showErrorMessage = () => Promise.resolve(undefined);
    const server = new FakeServer({ prompts: [{ name: 'greet' }] });
    server.become({ kind: 'stopped' });
    const deps: Partial<RunPromptDeps> = {
      history: new PromptHistory(createMemento()),
      starts: {
        start: async () => {
          server.become({ kind: 'starting', isWaiting: true });
          await answer.promise;
          server.become({ kind: 'starting' });
          return [{ kind: 'refused', message: 'No.' }];
        },
      },
      launches: { readiness: () => Promise.resolve('untrusted') },
    };
    const entry = { server, prompt: { name: 'greet' } };
    try {
      const ran = runPrompt({ entry }, deps as RunPromptDeps);
      await poll('the question', 10_000, () =>
        Promise.resolve(server.state.kind === 'starting' ? true : undefined),
      );
      assert.equal(told.at(-1), undefined);
      answer.resolve();
      await ran;
      assert.equal(told.at(-1), 'Starting demo…');
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
  });
});
