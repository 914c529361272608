import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { answerElicitation, type ElicitationDeps } from '../../../src/requests/elicitation';
import { SamplingPermissions } from '../../../src/requests/sampling/permissions';
import { answerSampling, type SamplingDeps } from '../../../src/requests/sampling/sampling';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';

describe('all of what a server asks', () => {
  const editor: object = vscode;
  const { t } = vscode.l10n;
  const server = fakeServer();
  const content = { type: 'text', text: 'Which files?' } as const;
  const url = 'https://example.com/a';
  const deps = (input: unknown) => ({
    servers: fakeServers(server),
    questions: newQuestions(),
    permissions: new SamplingPermissions(createMemento()),
    limits: () => ({ requests: 10, tokens: 10_000 }),
    input,
  });
  /** Each asks, and says in whose sheet alone a sentence is. */
  const kinds = {
    'a model': {
      sheet: '{0} asks a language model',
      has: /Which files\?/,
      ask: (input: unknown, signal: AbortSignal) => {
        const messages = [{ role: 'user', content }] as const;
        const given = deps(input) as unknown as SamplingDeps;
        return answerSampling(server, { messages, maxTokens: 100 }, signal, given);
      },
    },
    'a visit': {
      sheet: 'Question',
      has: /Go there/,
      ask: (input: unknown, signal: AbortSignal) =>
        answerElicitation(
          server,
          { mode: 'url', message: 'Go there', url },
          signal,
          deps(input) as unknown as ElicitationDeps,
        ),
    },
  };

  beforeEach(() => Reflect.set(editor, 'lm', { selectChatModels: () => Promise.resolve([]) }));
  afterEach(() => {
    Object.assign(vscode.l10n, { t });
    // The double of the editor has none.
    Reflect.deleteProperty(editor, 'lm');
  });

  for (const [what, { sheet, has, ask }] of Object.entries(kinds))
    it(`is put into words once somebody wants to see it: ${what}`, async () => {
      let sheets = 0;
      Object.assign(vscode.l10n, {
        t: (message: string, ...args: string[]) => {
          if (message === sheet) sheets += 1;
          return t(message, ...args);
        },
      });
      const picks = watchPicks();
      const shown = deferred<string>();
      const input = {
        ask: ({ text }: { text: string }) => {
          shown.resolve(text);
          return Promise.resolve({});
        },
      };
      const stop = new AbortController();
      const asked = ask(input, stop.signal).catch(() => undefined);
      try {
        const question = await picks.next(/asks:/);
        assert.equal(sheets, 0);
        question.press('Show in Editor');
        assert.match(await shown.promise, has);
        assert.equal(sheets, 1);
      } finally {
        stop.abort();
        await asked;
        picks.dispose();
      }
    });
});
