import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PromptHistory } from '../../../src/prompts/arguments/promptHistory';
import { runPrompt, type RunPromptDeps } from '../../../src/prompts/runPrompt';
import { FakeServer } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';

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
        startServer: () => Promise.resolve([{ kind: 'refused', message: 'No.' }]),
        readiness: () => Promise.resolve(readiness),
      };
      const entry = { server, prompt: { name: 'greet' } };
      assert.equal(await runPrompt({ entry }, deps as RunPromptDeps), undefined);
      assert.deepEqual(offered, expected);
    });
});
