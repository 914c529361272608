import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { Inputs } from '../../../src/config/launch/inputs';
import type { Reading } from '../../../src/config/reading';
import { AskedStarts } from '../../../src/config/askedStarts';
import type { Logs } from '../../../src/ui/logs';
import type { Questions } from '../../../src/ui/questions/questions';

const reading: Reading = {
  scope: 'user',
  label: 'User Settings',
  entries: [],
  inputs: [{ id: 'key', type: 'promptString' }],
  problems: [],
};

describe('a value that a launch needs', () => {
  it('is waited for until it is entered, and never where it is stored', async () => {
    const stored = new Map<string, string>();
    const secrets = {
      get: (key: string) => Promise.resolve(stored.get(key)),
      store: (key: string, value: string) => Promise.resolve(void stored.set(key, value)),
    } as unknown as vscode.SecretStorage;
    const begun = deferred<void>();
    const answer = deferred<{ readonly kind: 'answered'; readonly answer: string }>();
    const questions = {
      ask: () => {
        begun.resolve();
        return answer.promise;
      },
    } as unknown as Questions;
    const asked = new AskedStarts();
    const waited: boolean[] = [];
    asked.onDidChange((id) => waited.push(asked.has(id)));
    const logs = { hide: () => {} } as unknown as Logs;
    const inputs = new Inputs(secrets, logs, questions, asked);
    const read = () =>
      inputs.read(reading, 'key', { id: 'one', name: 'One' }, new AbortController().signal);
    const first = read();
    await begun.promise;
    assert.deepEqual(waited, [true]);
    answer.resolve({ kind: 'answered', answer: 'a' });
    assert.deepEqual([await first, await read()], ['a', 'a']);
    assert.deepEqual(waited, [true, false]);
  });
});
