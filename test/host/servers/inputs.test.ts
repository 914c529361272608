import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { CancelledError } from '../../../src/base/errors';
import { Inputs } from '../../../src/config/launch/inputs';
import type { Reading } from '../../../src/config/reading';
import { AskedStarts } from '../../../src/config/askedStarts';
import type { Logs } from '../../../src/ui/logs';
import type { Questions } from '../../../src/ui/questions/questions';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import { promptKeys } from '../../../src/ui/questions/typing';

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

  for (const [description, title, prompt] of [
    [undefined, 'One needs a value: key', ''],
    [' ', 'One needs a value: key', ''],
    ['Key of the account', 'One needs a value', 'Key of the account'],
  ] as const)
    it(`is asked for by what it is for, or by its id: ${JSON.stringify(description)}`, async () => {
      const { createInputBox } = vscode.window;
      const shown = deferred<vscode.InputBox>();
      vscode.window.createInputBox = () => {
        const box = createInputBox();
        shown.resolve(box);
        return box;
      };
      const nothingKept = { get: () => Promise.resolve(undefined) };
      const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
      const inputs = new Inputs(
        nothingKept as unknown as vscode.SecretStorage,
        {} as Logs,
        queue as unknown as Questions,
        new AskedStarts(),
      );
      const described = { ...reading, inputs: [{ id: 'key', type: 'promptString', description }] };
      const leave = new AbortController();
      const value = inputs.read(described, 'key', { id: 'one', name: 'One' }, leave.signal);
      try {
        const box = await shown.promise;
        assert.deepEqual([box.title, box.prompt?.trim()], [title, prompt]);
      } finally {
        leave.abort();
        vscode.window.createInputBox = createInputBox;
      }
      await assert.rejects(value, CancelledError);
    });
});
