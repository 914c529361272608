import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { EditorIdentity } from '../../../src/servers/signIn/createSignIn';
import { byUser, type UserAction } from '../../../src/ui/questions/question';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';
import { until } from '../../support/until';

describe('an account of the editor that a server signs in with', () => {
  const { authentication } = vscode;
  const before = { ...authentication };
  /** What the editor was asked for in its own dialog. */
  const dialogs: unknown[] = [];
  let isKnown = false;
  let dialogDone: Promise<void> | undefined;
  beforeEach(() => {
    dialogs.length = 0;
    isKnown = false;
    dialogDone = undefined;
    const getSession = async (
      _provider: string,
      _scopes: unknown,
      how: vscode.AuthenticationGetSessionOptions,
    ) => {
      if (how.createIfNone) {
        dialogs.push(how.createIfNone);
        await dialogDone;
      }
      return Promise.resolve(isKnown || how.createIfNone ? { idToken: 'token' } : undefined);
    };
    Object.assign(authentication, { getSession });
  });
  after(() => void Object.assign(authentication, before));

  const server = { id: 'mail', name: 'mail' };
  const tokenOf = (interactive: boolean, asked?: UserAction, queue = newQuestions()) => {
    const questions = {
      ask: ((question, signal) =>
        queue.ask({ ...question, info: { ...question.info, asked } }, signal)) as typeof queue.ask,
    };
    const { signal } = new AbortController();
    return new EditorIdentity('microsoft', {}, questions).token({ server, interactive, signal });
  };

  for (const [what, row, token] of [
    ['does so', 'Sign In', 'token'],
    ['does not', 'Not Now', undefined],
  ] as const)
    it(`brings up no dialog of the editor before the user ${what}, whoever uses the server`, async () => {
      const picks = watchPicks();
      try {
        const found = tokenOf(true);
        const shown = await picks.next(/needs you to sign in/);
        assert.deepEqual(
          shown.pick.activeItems.map(({ label }) => label),
          ['Not Now'],
        );
        assert.deepEqual(dialogs, []);
        shown.choose(row);
        assert.equal(await found, token);
        assert.equal(dialogs.length, token ? 1 : 0);
      } finally {
        picks.dispose();
      }
    });

  it('is asked for at once where the user has just started the server', async () => {
    assert.equal(await tokenOf(true, byUser()), 'token');
    assert.equal(dialogs.length, 1);
  });

  it('lets other questions come up while the user is in the dialog or a browser', async () => {
    const queue = newQuestions();
    const done = deferred<void>();
    dialogDone = done.promise;
    const found = tokenOf(true, byUser(), queue);
    await until(() => dialogs.length === 1);
    const other = queue.ask(
      { info: { kind: 'call', server, what: 'call' }, ask: () => Promise.resolve('answered') },
      new AbortController().signal,
    );
    assert.deepEqual(await other, { kind: 'answered', answer: 'answered', how: 'click' });
    done.resolve();
    assert.equal(await found, 'token');
  });

  it('is not asked for where the editor knows it, or nobody may be asked', async () => {
    assert.equal(await tokenOf(false), undefined);
    isKnown = true;
    assert.equal(await tokenOf(true), 'token');
    assert.deepEqual(dialogs, []);
  });
});
