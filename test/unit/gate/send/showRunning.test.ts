import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event';
import { showRunning, type RunningCall } from '../../../../src/gate/send/showRunning';
import { byUser } from '../../../../src/ui/questions/question';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';

/** Resolves once the double of the editor has drawn what is shown. */
const drawn = () => new Promise((resolve) => setImmediate(resolve));
const { createQuickPick } = vscode.window;

describe('The list of running tools', () => {
  afterEach(() => {
    vscode.window.createQuickPick = createQuickPick;
  });

  /** Shows the list with one call, and notes what is sent to the editor as its prompt. */
  const shown = (message: string) => {
    const told: string[] = [];
    let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const made = createQuickPick<T>();
      let prompt = '';
      Object.defineProperty(made, 'prompt', {
        get: () => prompt,
        set: (text: string) => {
          prompt = text;
          told.push(text);
        },
      });
      pick = made;
      return made;
    };
    const running: RunningCall = {
      call: { server: fakeServer(), tool: tool(), arguments: {}, origin: { kind: 'editor' } },
      label: 'demo › tool',
      startedAt: Date.now(),
      ended: new Promise(() => {}),
      progress: { progress: 1, total: 2, message },
      task: undefined,
      background: false,
      cancel: () => {},
      lose: () => {},
      leave: () => {},
      toBackground: () => {},
    };
    const changed = new Emitter<void>();
    const over = showRunning(byUser(), () => [running], changed.event);
    const close = async () => {
      // The first time, it might be the editor that has hidden it, and it is shown again.
      for (const _ of ['editor', 'user']) {
        pick?.hide();
        await drawn();
      }
      await over;
    };
    return { told, running, changed, close };
  };

  for (const message of [
    'half',
    '$(trash) half',
    'a\u202Eb',
    'a\nb',
    '',
    '   ',
    '\n',
    'x'.repeat(2000),
  ])
    it(`sends what it says of a call once until that changes: ${JSON.stringify(message).slice(0, 20)}`, async () => {
      const { told, running, changed, close } = shown(message);
      await drawn();
      for (let count = 0; count < 3; count += 1) changed.fire();
      running.progress = { progress: 2, total: 2, message };
      changed.fire();
      await close();
      for (const percent of ['50%', '100%'])
        assert.ok(
          told.some((text) => text.startsWith(percent)),
          told.join('\n'),
        );
      const twice = told.filter((text, at) => text === told[at - 1]);
      assert.deepEqual(twice, []);
    });
});
