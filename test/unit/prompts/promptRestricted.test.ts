import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { PromptHistory } from '../../../src/prompts/arguments/promptHistory';
import { argumentsKey } from '../../../src/prompts/promptEntry';
import { PromptRuns, runPrompt, type RunPromptDeps } from '../../../src/prompts/runPrompt';
import type { Questions } from '../../../src/ui/questions/questions';
import { FakeServer, fakeServers } from '../../support/fakes/fakeServer';
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

  for (const [what, given] of [
    ['an entry of the palette', { server: 'demo', prompt: 'greet' }],
    ['a keybinding', { server: 'demo', prompt: 'greet', arguments: {} }],
    ['a published prompt', { server: 'demo', prompt: 'greet', action: 'return' }],
  ] as const)
    it(`gets nothing from another server of that id, by ${what}, before the user lets it start`, async () => {
      vscode.window.showErrorMessage = () => Promise.resolve(undefined);
      const here = new FakeServer({ id: 'demo', prompts: [{ name: 'greet' }], place: 'here' });
      const other = new FakeServer({ id: 'demo', prompts: [{ name: 'greet' }], place: 'other' });
      other.become({ kind: 'stopped' });
      const reached: string[] = [];
      const reach = (how: string) => () => Promise.resolve(void reached.push(how));
      Object.assign(other, { getPrompt: reach('prompt'), complete: reach('completion') });
      const history = new PromptHistory(createMemento());
      const known = await argumentsKey({ server: here, prompt: { name: 'greet' } });
      await history.add('', known, { who: 'of the first' });
      const deps: Partial<RunPromptDeps> = {
        history,
        questions: {
          once: (_of: unknown, run: (answered: () => void) => unknown) => run(() => {}),
        } as unknown as Questions,
        starts: {
          start: (id) => {
            reached.push(`asked to start ${id}`);
            return Promise.resolve([{ kind: 'refused', message: 'No.' }]);
          },
        },
        launches: { readiness: () => Promise.resolve('untrusted') },
      };
      const servers = fakeServers(other);
      const pick = () => Promise.resolve(undefined);
      const runs = new PromptRuns(servers, pick, deps as RunPromptDeps, { done: () => {} });
      assert.equal(await runs.run(undefined, given), undefined);
      assert.deepEqual(reached, ['asked to start demo']);
      // Nothing that was entered for the first one is filled in.
      const now = await argumentsKey({ server: other, prompt: { name: 'greet' } });
      assert.deepEqual(history.draft(now) ?? {}, {});
    });
});
