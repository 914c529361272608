import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { nextTurn } from '../../../src/base/async';
import { watchedSecrets } from '../../../src/servers/signIn/createSignIn';
import { createSecrets } from '../../support/fakes/secrets';

describe('the sign-out of another window', () => {
  it('is a secret that is gone, not one that changed, nor another one', async () => {
    const stored = new Map([
      ['signIn:a\nhttps://a', '1'],
      ['signIn:a\nhttps://b', '1'],
    ]);
    const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
    const subscriptions: vscode.Disposable[] = [];
    const secrets = watchedSecrets({
      subscriptions,
      secrets: { ...createSecrets(stored), onDidChange: changed.event },
    });
    const seen: string[] = [];
    const key = 'signIn:a\nhttps://a';
    const listening = secrets.onDidDelete(key, () => seen.push('gone'));
    const change = async (other: string, to: string | undefined) => {
      if (to === undefined) stored.delete(other);
      else stored.set(other, to);
      changed.fire({ key: other });
      await nextTurn();
      return [...seen];
    };
    assert.deepEqual(await change(key, '2'), []);
    assert.deepEqual(await change('signIn:a\nhttps://b', undefined), []);
    assert.deepEqual(await change(key, undefined), ['gone']);
    listening.dispose();
    assert.deepEqual(await change(key, undefined), ['gone']);
    for (const one of subscriptions) one.dispose();
  });
});
